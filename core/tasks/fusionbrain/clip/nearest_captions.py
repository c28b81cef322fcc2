"""Nearest captions of each picture by CLIP similarity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

MAX_CAPTIONS = 5
BATCH = 1024
"""Pictures that are compared with all captions at a time."""

UnitVectors = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class NearestCaptions:
    """Nearest captions of a picture, with cosines.

    `rank` is the 1-based rank of the picture's caption `among` all distinct captions.
    """

    captions: tuple[tuple[str, float], ...]
    rank: int
    among: int


def nearest_captions(
    pictures: UnitVectors, captions: UnitVectors, texts: Sequence[str]
) -> list[NearestCaptions]:
    """Return the nearest captions of each of n pictures; equal texts count as one caption.

    Args:
        pictures: Unit vectors (n, width).
        captions: Unit vectors (n, width) of the pictures' captions.
        texts: Captions (n,).
    """
    first_rows = {text: row for row, text in reversed(list(enumerate(texts)))}
    distinct = list(dict.fromkeys(texts))
    indices = {text: index for index, text in enumerate(distinct)}
    candidates = captions[[first_rows[text] for text in distinct]]
    nearest: list[NearestCaptions] = []
    for start in range(0, len(texts), BATCH):
        cosines = pictures[start : start + BATCH] @ candidates.T
        for row, text in zip(cosines, texts[start : start + BATCH], strict=True):
            order = np.argsort(-row, kind="stable")[:MAX_CAPTIONS]
            top = tuple((distinct[index], float(row[index])) for index in order)
            rank = 1 + int((row > row[indices[text]]).sum())
            nearest.append(NearestCaptions(top, rank, len(distinct)))
    return nearest
