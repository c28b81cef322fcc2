"""Interface of the compiled and the Python engine."""

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
from jurydesk.core.model.evaluation import IntArray

Engine = Literal["compiled", "python"]

ENGINE_VARIABLE = "JURYDESK_METEOR_ENGINE"
"""Environment variable that selects the Python engine by the value `python`."""


def engine() -> Engine:
    """Return the engine in use: `compiled`, or `python` (same numbers, about ten times slower)."""
    if not engine_compiled.AVAILABLE or os.environ.get(ENGINE_VARIABLE) == "python":
        return "python"
    return "compiled"


class Aligner(Protocol):
    """Aligner of sentences as bytes of int32 word numbers (of one `WordNumbers`)."""

    def align(
        self, hypothesis: bytes, reference: bytes, config: Config
    ) -> tuple[Sequence[RawMatch], Sequence[int]]:
        """Return the matches of a pair, sorted by start, and its 23 counts."""

    def align_many(
        self,
        sentences: Sequence[bytes],
        hypotheses: IntArray,
        references: IntArray,
        config: Config,
        check: Callable[[], None],
    ) -> AlignedPairs:
        """Return the alignments of n pairs, given as indices into `sentences`.

        `check` is called regularly and may raise to stop.
        """


def make_aligner(index: Index, words: WordNumbers, wanted: Engine) -> Aligner:
    """Return the aligner of the wanted engine."""
    if wanted == "compiled":
        return engine_compiled.CompiledAligner(index, words)
    return PythonAligner(words)
