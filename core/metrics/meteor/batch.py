"""Batches of hypotheses: slices of tokenized sentences, and their results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

import numpy as np
import numpy.typing as npt

from jurydesk.core.metrics.meteor.alignment.matchers import RawMatch
from jurydesk.core.metrics.meteor.config import MeteorParameters
from jurydesk.core.metrics.meteor.formula import NUMBER, scores
from jurydesk.core.model.evaluation import FloatArray, IntArray

MATCH_NUMBERS = 5
Int32Array = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class AlignedPairs:
    """Counts (n, 23) of n pairs, and their matches (m, 5), pair by pair.

    A match is as in `RawMatch`; `lengths` (n,) is the number of matches of each pair.
    """

    counts: Int32Array
    matches: Int32Array
    lengths: Int32Array

    @classmethod
    def of(cls, found: Sequence[tuple[Sequence[RawMatch], Sequence[int]]]) -> AlignedPairs:
        """Return the table of the matches and counts of every pair."""
        matches = [match for matches, _ in found for match in matches]
        return cls(
            np.array([counts for _, counts in found], np.int32).reshape(-1, NUMBER),
            np.array(matches, np.int32).reshape(-1, MATCH_NUMBERS),
            np.array([len(matches) for matches, _ in found], np.int32),
        )


KEPT_BYTES = 1 << 22
"""Most bytes of word numbers that are kept for later lookups, a million words."""

FIRST_CHARACTERS, CHARACTERS = 100_000, 700_000
"""Size of the first slice and of the others: some 5 ms, so that all threads begin at once, and some
30 ms, so that they seldom wait for each other."""

BLOCK = 50
"""Hypotheses that are put into a slice at a time."""

NO_REFERENCE = -1.0
"""Score of a hypothesis without references, as in the jar's interface."""

NO_MATCHES: Int32Array = np.zeros((0, MATCH_NUMBERS), np.int32)
NO_LENGTHS: Int32Array = np.zeros(0, np.int32)

Pair = tuple[str, Sequence[str]]
"""A hypothesis and its references."""


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Scores of n hypotheses, each against its best reference.

    `rows` (n, 23) are the counts, `scores` (n,) their scores, `references` (n,) the index of the
    best reference (the first of equals), or -1 with a score of -1 without references.
    `pair_scores` (p,) are the scores against every reference, one hypothesis after another.
    On request, `matches` (m, 5) are those with the best reference, one hypothesis after another as
    in `RawMatch`, and `lengths` (n,) their number by hypothesis; else both are empty.
    """

    rows: FloatArray
    scores: FloatArray
    references: IntArray
    pair_scores: FloatArray
    matches: npt.NDArray[np.int32 | np.uint16] = field(default_factory=lambda: NO_MATCHES)
    lengths: Int32Array = field(default_factory=lambda: NO_LENGTHS)

    def __post_init__(self) -> None:
        number = len(self.scores)
        shapes = (self.rows.shape, self.scores.shape, self.references.shape)
        if shapes != ((number, NUMBER), (number,), (number,)):
            raise ValueError(f"counts, scores and references have the shapes {shapes}")
        if len(self.lengths) not in (0, number) or self.matches.shape != (
            int(self.lengths.sum()),
            MATCH_NUMBERS,
        ):
            raise ValueError("matches and lengths do not fit each other")

    def __len__(self) -> int:
        return len(self.scores)

    def matches_by_hypothesis(self) -> Iterator[list[list[int]]]:
        """Return the matches of every hypothesis as lists of five numbers."""
        rows = iter(self.matches.tolist())
        return (list(islice(rows, length)) for length in self.lengths.tolist())


class Sentences:
    """Texts as bytes of int32 word numbers, tokenized on first lookup.

    Some megabytes are kept: the systems of a competition share their references.
    """

    def __init__(self, prepare: Callable[[str], bytes]) -> None:
        self._prepare = prepare
        self._known: dict[str, bytes] = {}
        self._size = 0

    def numbers(self, texts: Iterable[str], check: Callable[[], None]) -> list[bytes]:
        """Return the word numbers of each text; `check` may raise to stop before a new one."""
        known, prepare, found, size = self._known, self._prepare, [], 0
        for text in texts:
            numbers = known.get(text)
            if numbers is None:
                check()
                numbers = known[text] = prepare(text)
                size += len(numbers)
            found.append(numbers)
        # Other threads may add at the same time: the size is approximate.
        self._size += size
        if self._size > KEPT_BYTES:
            known.clear()
            self._size = 0
        return found


@dataclass(frozen=True, slots=True, eq=False)
class BatchSlice:
    """Slice of hypotheses, each followed by its references in `sentences`.

    Each has as many pairs as references: pair k is of the sentences `hypotheses[k]` and
    `references[k]`, and the pairs of hypothesis i are `starts[i]` to `starts[i + 1]`.
    """

    sentences: list[bytes]
    hypotheses: IntArray
    references: IntArray
    starts: IntArray

    def __len__(self) -> int:
        return len(self.starts) - 1


def split_into_slices(
    pairs: Iterable[Pair],
    sentences: Sentences,
    check: Callable[[], None],
    first_characters: int = FIRST_CHARACTERS,
) -> Iterator[BatchSlice]:
    """Yield the pairs in slices with tokenized sentences; `check` may raise to stop.

    The first slice has some `first_characters`, and each further one `CHARACTERS`.
    """
    left, limit = iter(pairs), first_characters
    texts: list[str] = []
    counts: list[int] = []
    characters = 0
    while block := list(islice(left, BLOCK)):
        added = [text for hypothesis, references in block for text in (hypothesis, *references)]
        texts += added
        counts += [len(references) for _, references in block]
        characters += sum(map(len, added)) + len(added)
        if characters >= limit:
            yield _slice(sentences.numbers(texts, check), counts)
            texts, counts, characters, limit = [], [], 0, CHARACTERS
    if counts:
        yield _slice(sentences.numbers(texts, check), counts)


def _slice(sentences: list[bytes], counts: Sequence[int]) -> BatchSlice:
    """Return the slice of hypotheses with that many references each."""
    starts = np.append(0, np.cumsum(counts))
    owners = np.repeat(np.arange(len(counts)), counts)
    return BatchSlice(
        sentences,
        hypotheses=starts[owners] + owners,
        references=np.arange(starts[-1]) + owners + 1,
        starts=starts,
    )


def best_alignments(part: BatchSlice, found: AlignedPairs, weights: MeteorParameters) -> Batch:
    """Return the best alignment of every hypothesis of a slice."""
    return _choose_best(part, found, weights)[0]


def best_alignments_with_matches(
    part: BatchSlice, found: AlignedPairs, weights: MeteorParameters
) -> Batch:
    """Return the best alignment of every hypothesis of a slice, with its matches."""
    batch, chosen = _choose_best(part, found, weights)
    lengths = np.append(found.lengths, np.int32(0))
    starts = np.cumsum(lengths) - lengths
    own, first = lengths[chosen], starts[chosen]
    before = np.cumsum(own) - own
    places = np.arange(int(own.sum())) + np.repeat(first - before, own)
    matches = found.matches[places]
    narrow = matches.max(initial=0) < 1 << 16  # to transmit and cache less
    return replace(batch, matches=matches.astype(np.uint16) if narrow else matches, lengths=own)


def _choose_best(
    part: BatchSlice, found: AlignedPairs, weights: MeteorParameters
) -> tuple[Batch, IntArray]:
    """Return the batch and the pair of each hypothesis; the number of pairs means none."""
    none = len(found.counts)
    pair_scores = scores(found.counts, weights)
    chosen = _first_of_the_highest(pair_scores, part.starts)
    places = np.where(chosen == none, -1, chosen - part.starts[:-1])
    rows = np.append(found.counts, np.zeros((1, NUMBER), np.int32), axis=0)[chosen]
    values = np.append(pair_scores, NO_REFERENCE)[chosen]
    return Batch(rows.astype(np.float64), values, places, pair_scores), chosen


def _first_of_the_highest(values: FloatArray, starts: IntArray) -> IntArray:
    """Return the index of the highest value of every group (groups,), the first of equals.

    Group i is `values[starts[i] : starts[i + 1]]`; the result is `len(values)` if it is empty.
    """
    first, lengths = starts[:-1], np.diff(starts)
    # `reduceat` needs a value even where an empty group begins.
    highest = np.maximum.reduceat(np.append(values, -np.inf), first)
    found = np.flatnonzero(values == np.repeat(highest, lengths))
    places = np.append(found, len(values))[np.searchsorted(found, first)]
    return np.where(lengths, places, len(values))


def concatenate_batches(parts: Sequence[Batch]) -> Batch:
    """Return one batch of several."""
    if not parts:
        return Batch(np.zeros((0, NUMBER)), np.zeros(0), np.zeros(0, np.int64), np.zeros(0))
    return Batch(
        np.concatenate([part.rows for part in parts]),
        np.concatenate([part.scores for part in parts]),
        np.concatenate([part.references for part in parts]),
        np.concatenate([part.pair_scores for part in parts]),
        np.concatenate([part.matches for part in parts]),
        np.concatenate([part.lengths for part in parts]),
    )
