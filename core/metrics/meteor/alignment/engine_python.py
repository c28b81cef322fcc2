"""Python engine: matching, beam search and counts as an `Aligner`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jurydesk.core.metrics.meteor import formula as counts
from jurydesk.core.metrics.meteor.alignment import beam_search, matchers
from jurydesk.core.metrics.meteor.alignment.matchers import RawMatch
from jurydesk.core.metrics.meteor.alignment.word_keys import WordNumbers
from jurydesk.core.metrics.meteor.batch import AlignedPairs
from jurydesk.core.metrics.meteor.config import Config
from jurydesk.core.model.evaluation import IntArray


class PythonAligner:
    """Aligner in Python: the numbers of the compiled engine, about ten times slower."""

    def __init__(self, words: WordNumbers) -> None:
        self._words = words

    def align(
        self, hypothesis: bytes, reference: bytes, config: Config
    ) -> tuple[Sequence[RawMatch], Sequence[int]]:
        """See `Aligner`."""
        return self._align(self._line(hypothesis), self._line(reference), config)

    def align_many(
        self,
        sentences: Sequence[bytes],
        hypotheses: IntArray,
        references: IntArray,
        config: Config,
        check: Callable[[], None],
    ) -> AlignedPairs:
        """See `Aligner`."""
        lines = [self._line(sentence) for sentence in sentences]
        found = []
        for hypothesis, reference in zip(hypotheses, references, strict=True):
            check()
            found.append(self._align(lines[hypothesis], lines[reference], config))
        return AlignedPairs.of(found)

    def _line(self, sentence: bytes) -> matchers.MatcherSentence:
        return matchers.MatcherSentence(self._words, memoryview(sentence).cast("i").tolist())

    def _align(
        self,
        hypothesis: matchers.MatcherSentence,
        reference: matchers.MatcherSentence,
        config: Config,
    ) -> tuple[Sequence[RawMatch], Sequence[int]]:
        matches = matchers.find_matches(hypothesis, reference, config.weights.stages)
        chosen = beam_search.best_alignment(matches, config.beam)
        characters = config.characters
        return chosen, counts.alignment_counts(hypothesis, reference, chosen, characters=characters)
