"""The two engines, the compiled and the Python one, behind one interface."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

from core.metrics.meteor import beam, compiled, counts, matching
from core.metrics.meteor.index import Index
from core.metrics.meteor.matching import RawMatch
from core.metrics.meteor.paraphrases import Paraphrases
from core.metrics.meteor.settings import Settings
from core.metrics.meteor.words import Words

Engine = Literal["compiled", "python"]
Int32Array = npt.NDArray[np.int32]

ENGINE_VARIABLE = "JURYDESK_METEOR_ENGINE"
"""Set to `python`, it makes the Python aligner run where the compiled one could."""


def engine() -> Engine:
    """Which aligner runs: `compiled`, or `python` (the same numbers, some ten times slower)."""
    if not compiled.AVAILABLE or os.environ.get(ENGINE_VARIABLE) == "python":
        return "python"
    return "compiled"


class Aligner(Protocol):
    """Aligns sentences given as bytes of int32 word numbers (of one `Words`)."""

    def align(
        self, hypothesis: bytes, reference: bytes, settings: Settings
    ) -> tuple[Sequence[RawMatch], Sequence[int]]:
        """The matches of one pair, sorted by start, and its 23 counts."""

    def count(
        self,
        sentences: Sequence[bytes],
        hypotheses: Sequence[int],
        references: Sequence[int],
        settings: Settings,
        check: Callable[[], None],
    ) -> Int32Array:
        """The counts (n, 23) of n pairs, given as places in `sentences`.

        `check` is called now and then and may raise to stop.
        """


def make(index: Index, words: Words, wanted: Engine | None = None) -> Aligner:
    """The aligner of the wanted engine, or of the one that runs here."""
    if (wanted or engine()) == "compiled":
        return compiled.CompiledAligner(index, words)
    return PythonAligner(index, words)


class PythonAligner:
    """The readable engine."""

    def __init__(self, index: Index, words: Words) -> None:
        self._words = words
        self._paraphrases = Paraphrases(index)

    def align(
        self, hypothesis: bytes, reference: bytes, settings: Settings
    ) -> tuple[Sequence[RawMatch], Sequence[int]]:
        """See `Aligner`."""
        return self._align(self._line(hypothesis), self._line(reference), settings)

    def count(
        self,
        sentences: Sequence[bytes],
        hypotheses: Sequence[int],
        references: Sequence[int],
        settings: Settings,
        check: Callable[[], None],
    ) -> Int32Array:
        """See `Aligner`."""
        lines = [self._line(sentence) for sentence in sentences]

        def rows() -> Iterable[Sequence[int]]:
            for hypothesis, reference in zip(hypotheses, references, strict=True):
                check()
                yield self._align(lines[hypothesis], lines[reference], settings)[1]

        return np.array(list(rows()), np.int32).reshape(-1, counts.NUMBER)

    def _line(self, sentence: bytes) -> matching.Line:
        return matching.Line(self._words, memoryview(sentence).cast("i").tolist())

    def _align(
        self, hypothesis: matching.Line, reference: matching.Line, settings: Settings
    ) -> tuple[Sequence[RawMatch], Sequence[int]]:
        matches = matching.find(hypothesis, reference, self._paraphrases, settings.stages)
        chosen = beam.best_alignment(matches, settings.beam)
        characters = settings.characters
        return chosen, counts.count(hypothesis, reference, chosen, characters=characters)
