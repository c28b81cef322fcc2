"""Many hypotheses at once: cut into slices of distinct sentences, and joined to one table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

import numpy as np
import numpy.typing as npt

from core.metrics.meteor.config import Weights
from core.metrics.meteor.matching import RawMatch
from core.metrics.meteor.scoring import NUMBER, scores
from core.model import FloatArray, IntArray

MATCH_NUMBERS = 5
Int32Array = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class AlignedPairs:
    """The counts (n, 23) of n pairs, and their matches (m, 5), those of one pair after another.

    A match is as in `RawMatch`; `lengths` (n,) says how many each pair has.
    """

    counts: Int32Array
    matches: Int32Array
    lengths: Int32Array

    @classmethod
    def of(cls, found: Sequence[tuple[Sequence[RawMatch], Sequence[int]]]) -> AlignedPairs:
        """From the matches and the counts of every pair."""
        matches = [match for matches, _ in found for match in matches]
        return cls(
            np.array([counts for _, counts in found], np.int32).reshape(-1, NUMBER),
            np.array(matches, np.int32).reshape(-1, MATCH_NUMBERS),
            np.array([len(matches) for matches, _ in found], np.int32),
        )


SLICE = 500
"""Hypotheses that one thread scores at a time."""

NO_REFERENCE = -1.0
"""The score of a hypothesis that has no reference at all, as the jar's interface gives it."""

Pair = tuple[str, Sequence[str]]
"""A hypothesis and its references."""


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """The scores of n hypotheses, each against its best reference.

    `rows` (n, 23) are the counts, `scores` (n,) their scores, `references` (n,) the place of the
    reference that gave them (the first of equals), -1 with a score of -1 where there was none.
    """

    rows: FloatArray
    scores: FloatArray
    references: IntArray

    def __post_init__(self) -> None:
        number = len(self.scores)
        shapes = (self.rows.shape, self.scores.shape, self.references.shape)
        if shapes != ((number, NUMBER), (number,), (number,)):
            raise ValueError(f"counts, scores and references have the shapes {shapes}")

    def __len__(self) -> int:
        return len(self.scores)


@dataclass(frozen=True, slots=True, eq=False)
class AlignedBatch:
    """A batch with the matches of every hypothesis, each match five numbers as in `RawMatch`."""

    batch: Batch
    matches: Sequence[Sequence[Sequence[int]]]

    def __len__(self) -> int:
        return len(self.batch)


class Sentences(dict[str, bytes]):
    """Every distinct text as bytes of int32 word numbers, prepared on first sight.

    `check` is called before each and may raise to stop.
    """

    def __init__(self, prepare: Callable[[str], bytes], check: Callable[[], None]) -> None:
        super().__init__()
        self._prepare = prepare
        self._check = check

    def __missing__(self, text: str) -> bytes:
        self._check()
        prepared = self[text] = self._prepare(text)
        return prepared


@dataclass(frozen=True, slots=True, eq=False)
class Slice:
    """Some hypotheses with their references, as places in the distinct `sentences`.

    Each has as many pairs as references; the pairs of hypothesis i are `starts[i]` to
    `starts[i + 1]`.
    """

    sentences: list[bytes]
    hypotheses: list[int]
    references: list[int]
    starts: list[int]

    def __len__(self) -> int:
        return len(self.starts) - 1


def cut(pairs: Sequence[Pair], sentences: Sentences) -> Iterator[Slice]:
    """The pairs in slices, their sentences prepared."""
    for begin in range(0, len(pairs), SLICE):
        yield _slice(pairs[begin : begin + SLICE], sentences)


def _slice(pairs: Sequence[Pair], sentences: Sentences) -> Slice:
    places: dict[str, int] = {}
    hypotheses: list[int] = []
    references: list[int] = []
    starts = [0]
    for hypothesis, texts in pairs:
        place = places.setdefault(hypothesis, len(places))
        hypotheses.extend([place] * len(texts))
        references.extend(places.setdefault(text, len(places)) for text in texts)
        starts.append(len(references))
    return Slice([sentences[text] for text in places], hypotheses, references, starts)


def best_of(part: Slice, found: AlignedPairs, weights: Weights) -> Batch:
    """The best alignment of every hypothesis of a slice."""
    return _best(part, found, weights)[0]


def best_aligned(part: Slice, found: AlignedPairs, weights: Weights) -> AlignedBatch:
    """The best alignment of every hypothesis of a slice, with its matches."""
    batch, chosen = _best(part, found, weights)
    matches = found.matches.tolist()
    stops = [*accumulate(found.lengths.tolist(), initial=0), len(matches)]
    return AlignedBatch(batch, [matches[stops[row] : stops[row + 1]] for row in chosen.tolist()])


def _best(part: Slice, found: AlignedPairs, weights: Weights) -> tuple[Batch, IntArray]:
    """The batch, and which pair was chosen for each hypothesis; the number of pairs for none."""
    none = len(found.counts)
    rows = np.zeros((none + 1, NUMBER))
    rows[:none] = found.counts
    values = [*scores(rows[:none], weights).tolist(), NO_REFERENCE]
    chosen = np.array(
        [
            max(range(start, stop), key=values.__getitem__, default=none)
            for start, stop in pairwise(part.starts)
        ],
        np.int64,
    )
    places = np.where(chosen == none, -1, chosen - np.array(part.starts[:-1], np.int64))
    return Batch(rows[chosen], np.array(values)[chosen], places), chosen


def joined(parts: Sequence[Batch]) -> Batch:
    """The batches as one."""
    if not parts:
        return Batch(np.zeros((0, NUMBER)), np.zeros(0), np.zeros(0, np.int64))
    return Batch(
        np.concatenate([part.rows for part in parts]),
        np.concatenate([part.scores for part in parts]),
        np.concatenate([part.references for part in parts]),
    )
