"""CLIP score of picture-caption pairs, as defined by FusionBrain.

Users give weights by role (`clip`, `ruclip`, `inception`); other roles are taken from the
weights folder.
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
from jurydesk.core.neural.clip.clip_embeddings import ClipEmbedder, select_clip
from jurydesk.core.neural.feature_cache import Rows
from jurydesk.core.neural.weights.weight_loading import require_torch, require_torch_installed
from jurydesk.core.system.paths import cache_folder
from jurydesk.core.tasks.fusionbrain.clip.nearest_captions import NearestCaptions, nearest_captions

if TYPE_CHECKING:
    from jurydesk.core.execution.cache import Cache
    from jurydesk.core.execution.run import Run

Pair = tuple[Path | None, str]
"""A picture and its caption; a pair without a picture fails."""

NO_PICTURE = "There is no picture."


@dataclass(frozen=True, slots=True, eq=False)
class ClipScores:
    """CLIP scores of n pairs.

    Attributes:
        values: Cosines (n,); 0 for a failed pair, as in the original program.
        reasons: Failure reasons by index of the pair.
        defects: Warnings about scored pictures.
        nearest: Nearest of all captions, by index of a pair that did not fail.
    """

    values: FloatArray
    reasons: Mapping[int, str]
    defects: tuple[Defect, ...] = ()
    nearest: Mapping[int, NearestCaptions] = field(default_factory=dict)


def clip_scores(
    pairs: Sequence[Pair], weights: Mapping[str, Path], run: Run, cache: Cache | None = None
) -> ClipScores:
    """Return the cosine of every picture with its caption, by ruCLIP or CLIP.

    Args:
        pairs: Pictures with their captions.
        weights: Paths of weights by role.
        run: Progress, cancellation, device and workers.
        cache: Cache of vectors; the user's cache folder by default.

    Raises:
        ResourceMissing: No model or no PyTorch is installed.
        Cancelled: The run was cancelled.
    """
    require_torch_installed("The CLIP score")
    model = select_clip(weights)
    run.call(require_torch, "The CLIP score")
    vectors = FolderCache(cache_folder() / "features") if cache is None else cache
    embedder = ClipEmbedder(model, vectors, run)
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
    scored = [number for number in range(len(pairs)) if number not in reasons]
    nearest = _nearest_captions([pairs[number] for number in scored], pictures, captions)
    by_pair = dict(zip(scored, nearest, strict=True))
    return ClipScores(values, reasons, tuple(embedder.defects), by_pair)


def _nearest_captions(
    pairs: Sequence[Pair], pictures: Mapping[Path, Rows], captions: Mapping[str, Rows]
) -> list[NearestCaptions]:
    if not pairs:
        return []
    images = np.array([pictures[path] for path, _ in pairs if path is not None])
    texts = [text for _, text in pairs]
    return nearest_captions(images, np.array([captions[text] for text in texts]), texts)
