"""Nearest captions of each picture by CLIP similarity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

MAX_CAPTIONS = 5
"""Captions that are kept of each picture."""

AT_ONCE = 1024
"""Pictures that are compared with all captions at a time."""

UnitVectors = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class NearestCaptions:
    """The nearest captions with their cosines, and the rank of the picture's own (1: nearest).

    `among` is the number of distinct captions.
    """

    captions: tuple[tuple[str, float], ...]
    rank: int
    among: int


def nearest_captions(
    pictures: UnitVectors, captions: UnitVectors, texts: Sequence[str]
) -> list[NearestCaptions]:
    """Return the nearest captions of each of n pictures; row i is picture i's own caption.

    `pictures` and `captions` are unit vectors (n, width); equal texts count as one caption.
    """
    distinct = list(dict.fromkeys(texts))
    number = {text: place for place, text in enumerate(distinct)}
    own = [number[text] for text in texts]
    first = {text: place for place, text in reversed(list(enumerate(texts)))}
    others = captions[[first[text] for text in distinct]]
    found: list[NearestCaptions] = []
    for start in range(0, len(texts), AT_ONCE):
        cosines = pictures[start : start + AT_ONCE] @ others.T
        for row, mine in zip(cosines, own[start : start + AT_ONCE], strict=True):
            order = np.argsort(-row, kind="stable")[:MAX_CAPTIONS]
            shown = tuple((distinct[one], float(row[one])) for one in order)
            found.append(NearestCaptions(shown, 1 + int((row > row[mine]).sum()), len(distinct)))
    return found
