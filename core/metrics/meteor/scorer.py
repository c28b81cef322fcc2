"""METEOR scorer of single pairs and of batches."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass
from functools import cache
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from jurydesk.core.language import translatable
from jurydesk.core.metrics.meteor.alignment import engine as aligner
from jurydesk.core.metrics.meteor.alignment import engine_compiled
from jurydesk.core.metrics.meteor.alignment.alignment import Alignment, AlignmentMatch
from jurydesk.core.metrics.meteor.alignment.matchers import RawMatch
from jurydesk.core.metrics.meteor.alignment.word_keys import WordNumbers
from jurydesk.core.metrics.meteor.batch import (
    CHARACTERS,
    NO_REFERENCE,
    AlignedPairs,
    Batch,
    BatchSlice,
    Pair,
    Sentences,
    best_alignments,
    best_alignments_with_matches,
    concatenate_batches,
    split_into_slices,
)
from jurydesk.core.metrics.meteor.config import Config, MeteorParameters
from jurydesk.core.metrics.meteor.formula import NUMBER, ScoreParts, score_parts
from jurydesk.core.metrics.meteor.java_semantics import split_tokens
from jurydesk.core.metrics.meteor.language_data.index_file import Index
from jurydesk.core.metrics.meteor.language_data.index_location import open_or_build_index
from jurydesk.core.metrics.meteor.language_data.source_files import LanguageData
from jurydesk.core.metrics.meteor.tokens import InterpretedPieces, Preparation
from jurydesk.core.model.chunk_codec import content_digest
from jurydesk.core.model.evaluation import ResourceMissing

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run
    from jurydesk.core.model.chunk import Check

T = TypeVar("T")


class Meteor:
    """METEOR with one index. Safe to use from several threads."""

    def __init__(self, index: Index, engine: aligner.Engine | None = None) -> None:
        self.index = index
        engine = engine or aligner.engine()
        is_compiled = engine == "compiled"
        self.words = WordNumbers(index, engine_compiled.FactTable(index) if is_compiled else None)
        self._pieces = engine_compiled.Pieces if is_compiled else InterpretedPieces
        self._preparations: dict[tuple[bool, bool, bool], Preparation] = {}
        self._sentences: dict[Preparation, Sentences] = {}
        self._aligner = aligner.make_aligner(index, self.words, engine)

    def preparation(self, config: Config) -> Preparation:
        """Return the tokenizer of a configuration."""
        way = (config.normalise, config.keep_punctuation, config.lowercase)
        found = self._preparations.get(way)
        if found is None:
            found = Preparation(self.words, self.index.prefixes, config, self._pieces)
            self._preparations[way] = found
        return found

    def tokens(self, text: str, config: Config) -> list[str]:
        """Return the words of a text under a configuration."""
        return self.preparation(config).tokens(text)

    def align(self, hypothesis: str, reference: str, config: Config) -> Alignment:
        """Return the alignment of one pair, with its counts and the parts of its score."""
        return self.score(hypothesis, (reference,), config)

    def score(self, hypothesis: str, references: Sequence[str], config: Config) -> Alignment:
        """Return the alignment with the best reference, the first of equals.

        Without references the score is -1, the counts are 0 and `reference_index` is -1.
        """
        numbers = self.preparation(config).numbers
        prepared = [numbers(text) for text in references]
        best = self._choose_best(numbers(hypothesis), prepared, config)
        return make_alignment(
            self._texts(numbers(hypothesis)),
            self._texts(prepared[best.place]) if references else (),
            best,
            config.weights,
        )

    def _choose_best(
        self, hypothesis: bytes, references: Sequence[bytes], config: Config
    ) -> BestAlignment:
        best = BestAlignment(NO_REFERENCE_PARTS, (), (0,) * NUMBER, -1)
        for place, reference in enumerate(references):
            matches, counts = self._aligner.align(hypothesis, reference, config)
            found = score_parts(counts, config.weights)
            if found.score > best.parts.score:
                best = BestAlignment(found, matches, tuple(counts), place)
        return best

    def _texts(self, sentence: bytes) -> tuple[str, ...]:
        return tuple([self.words.texts[number] for number in memoryview(sentence).cast("i")])

    def score_many(
        self,
        pairs: Iterable[Pair],
        config: Config,
        run: Run | None = None,
        *,
        check: Check | None = None,
        matches: bool = False,
    ) -> Batch:
        """Score many hypotheses, each against its best reference, with its `matches` on request.

        A text that was seen lately is not tokenized again. With a `run`, its threads score slices,
        with progress and cancellation; without one, the caller's thread does, which `check` may
        stop.
        """
        best = best_alignments_with_matches if matches else best_alignments
        return concatenate_batches(list(self._map(best, pairs, config, run, check)))

    def align_many(
        self, pairs: Iterable[Pair], config: Config, run: Run | None = None
    ) -> Iterator[Batch]:
        """Yield the scored slices of many hypotheses, with the matches."""
        return self._map(best_alignments_with_matches, pairs, config, run)

    def _map(
        self,
        best: Callable[[BatchSlice, AlignedPairs, MeteorParameters], T],
        pairs: Iterable[Pair],
        config: Config,
        run: Run | None,
        check: Check | None = None,
    ) -> Iterator[T]:
        check = check or (run.check if run is not None else _do_nothing)

        def work(part: BatchSlice) -> T:
            found = self._aligner.align_many(
                part.sentences, part.hypotheses, part.references, config, check
            )
            return best(part, found, config.weights)

        preparation = self.preparation(config)
        sentences = self._sentences.setdefault(preparation, Sentences(preparation.numbers))
        if run is None:
            return map(work, split_into_slices(pairs, sentences, check, CHARACTERS))
        slices = split_into_slices(pairs, sentences, check)
        total = len(pairs) if isinstance(pairs, Sized) else 0
        return run.map(work, slices, total=total, text=translatable("Scoring METEOR"), size=len)


NO_REFERENCE_PARTS = ScoreParts(nan, nan, nan, nan, nan, NO_REFERENCE)


@dataclass(frozen=True, slots=True)
class BestAlignment:
    """Best alignment of a hypothesis: the parts of its score, its matches and counts.

    A match is (start, length, match_start, match_length, module), as in `AlignmentMatch`.
    `place` is the index of the reference, -1 without any.
    """

    parts: ScoreParts
    matches: Sequence[RawMatch]
    counts: tuple[int, ...]
    place: int


def make_alignment(
    hypothesis: tuple[str, ...],
    reference: tuple[str, ...],
    best: BestAlignment,
    weights: MeteorParameters,
) -> Alignment:
    """Return the alignment of two lines of words from their matches and counts."""
    return Alignment(
        hypothesis=hypothesis,
        reference=reference,
        matches=tuple([AlignmentMatch(*match) for match in best.matches]),
        counts=best.counts,
        precision=best.parts.precision,
        recall=best.parts.recall,
        fmean=best.parts.fmean,
        fragmentation=best.parts.fragmentation,
        penalty=best.parts.penalty,
        score=best.parts.score,
        alpha=weights.alpha,
        beta=weights.beta,
        gamma=weights.gamma,
        delta=weights.delta,
        weights=weights.stage_weights,
        modules=weights.modules,
        reference_index=best.place,
    )


def recall_alignment(
    hypothesis: str,
    reference: str,
    matches: Sequence[RawMatch],
    counts: Sequence[int],
    config: Config,
) -> Alignment:
    """Return the alignment of a pair from its stored matches and counts, without an index.

    Raises:
        ValueError: The configuration normalizes, which requires the index.
    """
    if config.normalise:
        raise ValueError("normalizing a text requires METEOR's index")
    one, other = (
        tuple(split_tokens(text.lower() if config.lowercase else text))
        for text in (hypothesis, reference)
    )
    found = BestAlignment(score_parts(counts, config.weights), matches, tuple(counts), 0)
    return make_alignment(one, other, found, config.weights)


def _do_nothing() -> None:
    return


_open: dict[Path | None, Meteor] = {}
_opening = threading.Lock()


def shared_meteor(run: Run | None = None, folder: Path | None = None) -> Meteor:
    """Return the process's METEOR, opened on first use; a missing index is built."""
    with _opening:
        if folder not in _open:
            _open[folder] = Meteor(open_or_build_index(run, folder))
        return _open[folder]


def meteor_of(data: LanguageData | None, run: Run) -> Meteor:
    """Return METEOR with these language data; without any, the process's English one."""
    return shared_meteor(run) if data is None else Meteor(open_or_build_index(run, data=data))


def meteor_with_digest(language: str) -> Meteor:
    """Return this process's METEOR; ResourceMissing if its language data differ."""
    if _language_digest() != language:
        raise ResourceMissing(
            "METEOR's language data differ between the machines: install the same version of "
            "pycocoevalcap on all of them."
        )
    return shared_meteor()


@cache
def _language_digest() -> str:
    return language_digest(shared_meteor().index.sources)


def language_digest(sources: Mapping[str, str]) -> str:
    """Return one digest for all files of the language data."""
    return content_digest(json.dumps(dict(sources), sort_keys=True))
