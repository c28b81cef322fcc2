"""Scoring sentences: one pair in full, or many hypotheses with all cores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import nan
from typing import TYPE_CHECKING

import numpy as np

from core.metrics.meteor import aligner
from core.metrics.meteor.alignment import Alignment, Match
from core.metrics.meteor.config import Config
from core.metrics.meteor.counts import NUMBER
from core.metrics.meteor.index import Index
from core.metrics.meteor.matching import RawMatch
from core.metrics.meteor.preparation import Preparation
from core.metrics.meteor.scoring import Parts, parts, scores
from core.metrics.meteor.words import Words
from core.model import FloatArray, IntArray

if TYPE_CHECKING:
    from core.run.run import Run

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

    def __len__(self) -> int:
        return len(self.scores)


class _Sentences(dict[str, bytes]):
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
class _Slice:
    sentences: list[bytes]
    hypotheses: list[int]
    references: list[int]
    starts: list[int]


class Meteor:
    """METEOR over one index. Safe to use from several threads."""

    def __init__(self, index: Index, engine: aligner.Engine | None = None) -> None:
        self.index = index
        self.words = Words(index)
        self._preparations: dict[tuple[bool, bool, bool], Preparation] = {}
        self._aligner = aligner.make(index, self.words, engine)

    def preparation(self, config: Config) -> Preparation:
        """What prepares texts as the configuration says."""
        way = (config.normalise, config.keep_punctuation, config.lowercase)
        found = self._preparations.get(way)
        if found is None:
            found = Preparation(self.words, self.index.prefixes, config)
            self._preparations[way] = found
        return found

    def tokens(self, text: str, config: Config) -> list[str]:
        """The words of a text as the configuration prepares it."""
        return self.preparation(config).tokens(text)

    def align(self, hypothesis: str, reference: str, config: Config) -> Alignment:
        """The alignment of one pair, with its counts and the parts of its score."""
        return self.score(hypothesis, (reference,), config)

    def score(self, hypothesis: str, references: Sequence[str], config: Config) -> Alignment:
        """The alignment with the reference that gives the best score, the first of equals.

        Without any reference the score is -1, the counts are 0 and `reference_index` is -1.
        """
        numbers = self.preparation(config).numbers
        prepared = [numbers(text) for text in references]
        best = self._best(numbers(hypothesis), prepared, config)
        return Alignment(
            hypothesis=self._texts(numbers(hypothesis)),
            reference=self._texts(prepared[best.place]) if references else (),
            matches=tuple([Match(*match) for match in best.matches]),
            counts=best.counts,
            precision=best.parts.precision,
            recall=best.parts.recall,
            fmean=best.parts.fmean,
            fragmentation=best.parts.fragmentation,
            penalty=best.parts.penalty,
            score=best.parts.score,
            alpha=config.weights.alpha,
            beta=config.weights.beta,
            gamma=config.weights.gamma,
            delta=config.weights.delta,
            weights=config.weights.stage_weights,
            modules=config.weights.modules,
            reference_index=best.place,
        )

    def _best(self, hypothesis: bytes, references: Sequence[bytes], config: Config) -> Best:
        best = Best(NO_REFERENCE_PARTS, (), (0,) * NUMBER, -1)
        for place, reference in enumerate(references):
            matches, counts = self._aligner.align(hypothesis, reference, config)
            found = parts(counts, config.weights)
            if found.score > best.parts.score:
                best = Best(found, matches, tuple(counts), place)
        return best

    def align_many(self, pairs: Sequence[Pair], config: Config, run: Run) -> Iterator[Best]:
        """The best alignment of every hypothesis, in order, by the threads of the run.

        It takes longer than `score_many`, which gives the same scores without the matches.
        """
        sentences = _Sentences(self.preparation(config).numbers, run.check)

        def work(part: Sequence[Pair]) -> list[Best]:
            return [
                self._best(sentences[hypothesis], [sentences[text] for text in references], config)
                for hypothesis, references in part
            ]

        parts_of = (pairs[begin : begin + SLICE] for begin in range(0, len(pairs), SLICE))
        for found in run.map(work, parts_of, total=len(pairs), text="Aligning", size=len):
            yield from found

    def _texts(self, sentence: bytes) -> tuple[str, ...]:
        return tuple([self.words.texts[number] for number in memoryview(sentence).cast("i")])

    def score_many(self, pairs: Sequence[Pair], config: Config, run: Run | None = None) -> Batch:
        """Score many hypotheses, each against its best reference.

        Every distinct text is prepared once. With a `run` the work is done by its threads, in
        slices, with progress, and stops when that is cancelled; without, by the caller's thread.
        """
        check = run.check if run is not None else _never

        def work(part: _Slice) -> Batch:
            rows = self._aligner.count(
                part.sentences, part.hypotheses, part.references, config, check
            ).astype(np.float64)
            return _best(rows, scores(rows, config.weights), part.starts)

        sentences = _Sentences(self.preparation(config).numbers, check)
        slices = (
            _slice(pairs[begin : begin + SLICE], sentences) for begin in range(0, len(pairs), SLICE)
        )
        results: Iterable[Batch]
        if run is None:
            results = map(work, slices)
        else:
            size = _hypotheses_in
            results = run.map(work, slices, total=len(pairs), text="Scoring METEOR", size=size)
        return _joined(list(results))


NO_REFERENCE_PARTS = Parts(nan, nan, nan, nan, nan, NO_REFERENCE)


@dataclass(frozen=True, slots=True)
class Best:
    """The best of a hypothesis's alignments: the parts of its score, its matches and counts.

    A match is (start, length, match_start, match_length, module), as in `Match`. `place` is that
    of the reference, -1 where there was none.
    """

    parts: Parts
    matches: Sequence[RawMatch]
    counts: tuple[int, ...]
    place: int


def _never() -> None:
    return


def _hypotheses_in(part: _Slice) -> int:
    return len(part.starts) - 1


def _slice(pairs: Sequence[Pair], sentences: _Sentences) -> _Slice:
    places: dict[str, int] = {}
    hypotheses: list[int] = []
    references: list[int] = []
    starts = [0]
    for hypothesis, texts in pairs:
        place = places.setdefault(hypothesis, len(places))
        hypotheses.extend([place] * len(texts))
        references.extend(places.setdefault(text, len(places)) for text in texts)
        starts.append(len(references))
    return _Slice([sentences[text] for text in places], hypotheses, references, starts)


def _best(rows: FloatArray, scores: FloatArray, starts: Sequence[int]) -> Batch:
    """The first best row of every hypothesis; its rows are `starts[i]:starts[i + 1]`."""
    values = [*scores.tolist(), NO_REFERENCE]
    none = len(scores)
    chosen = np.array(
        [
            max(range(start, stop), key=values.__getitem__, default=none)
            for start, stop in pairwise(starts)
        ],
        np.int64,
    )
    rows = np.concatenate((rows, np.zeros((1, NUMBER))))
    places = np.where(chosen == none, -1, chosen - np.array(starts[:-1], np.int64))
    return Batch(rows[chosen], np.array(values)[chosen], places)


def _joined(parts: Sequence[Batch]) -> Batch:
    if not parts:
        return Batch(np.zeros((0, NUMBER)), np.zeros(0), np.zeros(0, np.int64))
    return Batch(
        np.concatenate([part.rows for part in parts]),
        np.concatenate([part.scores for part in parts]),
        np.concatenate([part.references for part in parts]),
    )
