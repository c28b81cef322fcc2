"""CLIP score of picture-caption pairs, as defined by FusionBrain.

Weights are files that the user names by role (`clip`, `ruclip`, `inception`). A role that was not
named is looked for where weights are kept; what is missing ends in ResourceMissing, whose text
names the role, the file expected and where it goes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.execution.cache import FolderCache
from jurydesk.core.model.defects import Defect
from jurydesk.core.model.evaluation import FloatArray
from jurydesk.core.neural.feature_cache import Rows
from jurydesk.core.neural.weights.weight_loading import require_torch, require_torch_installed
from jurydesk.core.system.paths import cache_folder
from jurydesk.core.tasks.fusionbrain.clip.clip_embeddings import ClipEmbedder, select_clip
from jurydesk.core.tasks.fusionbrain.clip.nearest_captions import NearestCaptions, nearest_captions

if TYPE_CHECKING:
    from jurydesk.core.execution.cache import Cache
    from jurydesk.core.execution.run import Run

Pair = tuple[Path | None, str]
"""A picture and its caption; None where there is no picture, which is a failed pair."""

NO_PICTURE = "There is no picture."


@dataclass(frozen=True, slots=True, eq=False)
class ClipScores:
    """Cosines (n,) of pictures and captions, and the reason for each pair that failed.

    `values` is 0 for a failed pair, as with the original; `reasons` holds its sentence by the
    pair's index. `defects` tells what is odd about pictures that were scored all the same.
    `nearest` says of each pair that did not fail which of all captions are nearest.
    """

    values: FloatArray
    reasons: Mapping[int, str]
    defects: tuple[Defect, ...] = ()
    nearest: Mapping[int, NearestCaptions] = field(default_factory=dict)


def clip_scores(
    pairs: Sequence[Pair], weights: Mapping[str, Path], run: Run, cache: Cache | None = None
) -> ClipScores:
    """Return the cosine of every picture with its caption, by ruCLIP or CLIP.

    Vectors are kept in `cache`, else in the user's own. Raises ResourceMissing where there is no
    model or no PyTorch, and Cancelled.
    """
    require_torch_installed("The CLIP score")
    found = select_clip(weights)
    run.call(require_torch, "The CLIP score")
    kept = FolderCache(cache_folder() / "features") if cache is None else cache
    embedder = ClipEmbedder(found, kept, run)
    pictures = embedder.pictures(path for path, _ in pairs if path is not None)
    captions = embedder.captions(text for path, text in pairs if path in pictures)
    values = np.zeros(len(pairs))
    reasons: dict[int, str] = {}
    for number, (path, text) in enumerate(pairs):
        if path is None:
            reasons[number] = NO_PICTURE
        elif path in embedder.reasons:
            reasons[number] = embedder.reasons[path]
        else:
            values[number] = pictures[path] @ captions[text]
    sound = [number for number in range(len(pairs)) if number not in reasons]
    nearest = _nearest([pairs[number] for number in sound], pictures, captions)
    by_pair = dict(zip(sound, nearest, strict=True))
    return ClipScores(values, reasons, tuple(embedder.defects), by_pair)


def _nearest(
    pairs: Sequence[Pair], pictures: Mapping[Path, Rows], captions: Mapping[str, Rows]
) -> list[NearestCaptions]:
    """Return the captions nearest to each pair's picture."""
    if not pairs:
        return []
    seen = np.array([pictures[path] for path, _ in pairs if path is not None])
    texts = [text for _, text in pairs]
    return nearest_captions(seen, np.array([captions[text] for text in texts]), texts)
