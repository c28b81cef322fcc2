"""Normalized edit similarity of recognized text, and the edits behind it.

Code points are compared unchanged: case, punctuation and composition count.
Source: FusionBrain Challenge 2.0 (AI Journey 2022), text recognition in the wild.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from jurydesk.core.model.evaluation import FloatArray, IntArray


class Edit(NamedTuple):
    """Edit of a span of the recognised text into the accepted text.

    `kind` is `equal`, `replace`, `delete` (`accepted` is empty) or `insert` (`recognised` is
    empty).
    """

    kind: str
    recognised: str
    accepted: str


def edit_distances(recognised: Sequence[str], accepted: Sequence[str]) -> IntArray:
    """Return the Levenshtein distance (pairs,) of every pair, without transpositions."""
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cpdist

    if not recognised:
        return np.zeros(0, np.int64)
    distances = cpdist(recognised, accepted, scorer=Levenshtein.distance, dtype=np.int64, workers=1)
    return np.asarray(distances, np.int64)


def recognition_scores(
    recognised: Sequence[str], accepted: Sequence[str]
) -> tuple[FloatArray, IntArray, IntArray]:
    """Return 1 - distance / longer length, the distances and the longer lengths, (pairs,) each.

    The score is 0 if either text is empty, or both.
    """
    distances = edit_distances(recognised, accepted)
    lengths = np.array([list(map(len, recognised)), list(map(len, accepted))], np.int64)
    longest, shortest = lengths.max(axis=0, initial=0), lengths.min(axis=0, initial=2**31)
    scores = np.where(shortest > 0, 1 - distances / np.maximum(longest, 1), 0.0)
    return scores, distances, longest


def edits(recognised: str, accepted: str) -> Iterator[Edit]:
    """Yield the edits from the recognised to the accepted text, from left to right."""
    from rapidfuzz.distance import Levenshtein

    for step in Levenshtein.opcodes(recognised, accepted):
        yield Edit(
            step.tag,
            recognised[step.src_start : step.src_end],
            accepted[step.dest_start : step.dest_end],
        )
