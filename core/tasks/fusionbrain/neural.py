"""What FusionBrain takes from neural networks: the CLIP score of pairs, and the FID of folders.

Weights are files that the user names by role (`clip`, `ruclip`, `inception`). A role that was not
named is looked for where weights are kept; what is missing ends in ResourceMissing, whose text
names the role, the file expected and where it goes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.model import FloatArray, ResourceMissing

if TYPE_CHECKING:
    from core.run.run import Run

Pair = tuple[Path | None, str]
"""A picture and its caption; None where there is no picture, which is a failed pair."""


@dataclass(frozen=True, slots=True, eq=False)
class ClipScores:
    """Cosines (n,) of pictures and captions, and the reason for each pair that failed.

    `values` is 0 for a failed pair, as with the original; `reasons` holds its sentence by the
    pair's index.
    """

    values: FloatArray
    reasons: Mapping[int, str]


def clip_scores(pairs: Sequence[Pair], weights: Mapping[str, Path], run: Run) -> ClipScores:
    """The cosine of every picture with its caption, by ruCLIP or CLIP.

    Raises ResourceMissing where there is no model or no PyTorch, and Cancelled.
    """
    raise ResourceMissing(_MISSING.format(role="ruclip"))


def fid_of(
    generated: Path,
    real: Path,
    weights: Mapping[str, Path],
    run: Run,
    preset: str = "fusionbrain",
) -> float:
    """The Frechet distance of two folders of pictures, or of `.npz` statistics.

    Raises ResourceMissing where pictures need a network that is not there, UsageError where a
    place holds no pictures or statistics, and Cancelled.
    """
    raise ResourceMissing(_MISSING.format(role="inception"))


_MISSING = "There are no weights with the role {role}: name them with --weights {role}=PATH."
