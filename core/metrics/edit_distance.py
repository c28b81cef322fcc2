"""Recognised text: 1 - the normalised edit distance, and the edits behind it.

Code points are compared as they are: case, punctuation and composed letters count.
Source: FusionBrain Challenge 2.0 (AI Journey 2022), text recognition in the wild.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from jurydesk.core.model.evaluation import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Edit:
    """A stretch of the recognised text and what should stand there.

    `kind` is `equal`, `replace`, `delete` (too much was recognised: `accepted` is empty) or
    `insert` (something was missed: `recognised` is empty).
    """

    kind: str
    recognised: str
    accepted: str


def edit_distances(recognised: Sequence[str], accepted: Sequence[str]) -> IntArray:
    """Levenshtein distance of every pair (pairs,): all edits cost 1, nothing is transposed."""
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cpdist

    if not recognised:
        return np.zeros(0, np.int64)
    found = cpdist(recognised, accepted, scorer=Levenshtein.distance, dtype=np.int64, workers=1)
    return np.asarray(found, np.int64)


def recognition_scores(
    recognised: Sequence[str], accepted: Sequence[str]
) -> tuple[FloatArray, IntArray, IntArray]:
    """1 - distance / longer length of every pair, the distances and the lengths, all (pairs,).

    Where one text is empty the score is 0, even where both are.
    """
    distances = edit_distances(recognised, accepted)
    lengths = np.array([list(map(len, recognised)), list(map(len, accepted))], np.int64)
    longest, shortest = lengths.max(axis=0, initial=0), lengths.min(axis=0, initial=2**31)
    scores = np.where(shortest > 0, 1 - distances / np.maximum(longest, 1), 0.0)
    return scores, distances, longest


def edits(recognised: str, accepted: str) -> Iterator[Edit]:
    """How the recognised text becomes the accepted one, from left to right."""
    from rapidfuzz.distance import Levenshtein

    for step in Levenshtein.opcodes(recognised, accepted):
        yield Edit(
            step.tag,
            recognised[step.src_start : step.src_end],
            accepted[step.dest_start : step.dest_end],
        )
