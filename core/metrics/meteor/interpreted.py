"""The readable engine: matching, search and counts in Python, behind the interface of `aligner`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from core.metrics.meteor import beam, counts, matching
from core.metrics.meteor.config import Config
from core.metrics.meteor.matching import RawMatch
from core.metrics.meteor.words import Words


class PythonAligner:
    """Aligns pair by pair; the same numbers as the compiled engine, some ten times slower."""

    def __init__(self, words: Words) -> None:
        self._words = words

    def align(
        self, hypothesis: bytes, reference: bytes, config: Config
    ) -> tuple[Sequence[RawMatch], Sequence[int]]:
        """See `Aligner`."""
        return self._align(self._line(hypothesis), self._line(reference), config)

    def count(
        self,
        sentences: Sequence[bytes],
        hypotheses: Sequence[int],
        references: Sequence[int],
        config: Config,
        check: Callable[[], None],
    ) -> npt.NDArray[np.int32]:
        """See `Aligner`."""
        lines = [self._line(sentence) for sentence in sentences]

        def rows() -> Iterator[Sequence[int]]:
            for hypothesis, reference in zip(hypotheses, references, strict=True):
                check()
                yield self._align(lines[hypothesis], lines[reference], config)[1]

        return np.array(list(rows()), np.int32).reshape(-1, counts.NUMBER)

    def _line(self, sentence: bytes) -> matching.Line:
        return matching.Line(self._words, memoryview(sentence).cast("i").tolist())

    def _align(
        self, hypothesis: matching.Line, reference: matching.Line, config: Config
    ) -> tuple[Sequence[RawMatch], Sequence[int]]:
        matches = matching.find(hypothesis, reference, config.weights.stages)
        chosen = beam.best_alignment(matches, config.beam)
        characters = config.characters
        return chosen, counts.count(hypothesis, reference, chosen, characters=characters)
