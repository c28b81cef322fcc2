"""The two engines, the compiled and the Python one, behind one interface."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Literal, Protocol

from jurydesk.core.metrics.meteor.alignment import engine_compiled
from jurydesk.core.metrics.meteor.alignment.engine_python import PythonAligner
from jurydesk.core.metrics.meteor.alignment.matchers import RawMatch
from jurydesk.core.metrics.meteor.alignment.word_keys import WordNumbers
from jurydesk.core.metrics.meteor.batch import AlignedPairs
from jurydesk.core.metrics.meteor.config import Config
from jurydesk.core.metrics.meteor.language_data.index_file import Index

Engine = Literal["compiled", "python"]

ENGINE_VARIABLE = "JURYDESK_METEOR_ENGINE"
"""Set to `python`, it makes the Python aligner run where the compiled one could."""


def engine() -> Engine:
    """Which aligner runs: `compiled`, or `python` (the same numbers, some ten times slower)."""
    if not engine_compiled.AVAILABLE or os.environ.get(ENGINE_VARIABLE) == "python":
        return "python"
    return "compiled"


class Aligner(Protocol):
    """Aligns sentences given as bytes of int32 word numbers (of one `WordNumbers`)."""

    def align(
        self, hypothesis: bytes, reference: bytes, config: Config
    ) -> tuple[Sequence[RawMatch], Sequence[int]]:
        """The matches of one pair, sorted by start, and its 23 counts."""

    def align_many(
        self,
        sentences: Sequence[bytes],
        hypotheses: Sequence[int],
        references: Sequence[int],
        config: Config,
        check: Callable[[], None],
    ) -> AlignedPairs:
        """The alignments of n pairs, given as places in `sentences`.

        `check` is called now and then and may raise to stop.
        """


def make_aligner(index: Index, words: WordNumbers, wanted: Engine) -> Aligner:
    """Return the aligner of the wanted engine."""
    if wanted == "compiled":
        return engine_compiled.CompiledAligner(index, words)
    return PythonAligner(words)
