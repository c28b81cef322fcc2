"""Compiled engine: `_beam` as an `Aligner`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from jurydesk.core.metrics.meteor.alignment.engine_python import PythonAligner
from jurydesk.core.metrics.meteor.alignment.matchers import RawMatch
from jurydesk.core.metrics.meteor.alignment.word_keys import WordNumbers
from jurydesk.core.metrics.meteor.batch import AlignedPairs
from jurydesk.core.metrics.meteor.config import Config
from jurydesk.core.metrics.meteor.language_data.index_file import Index
from jurydesk.core.model.evaluation import IntArray

try:
    from jurydesk.core.metrics.meteor.alignment._beam import Kernel
    from jurydesk.core.metrics.meteor.alignment._words import FactTable as FactTable
    from jurydesk.core.metrics.meteor.alignment._words import Pieces as Pieces
except ImportError:  # no compiler was at hand when the program was installed
    AVAILABLE = False
else:
    AVAILABLE = True
_WORD_BYTES = 4


class CompiledAligner:
    """Aligner without the interpreter lock, with one kernel per thread.

    Lines of some ten thousand words exceed its limits and are left to the Python engine, as are
    modules in an unusual order.
    """

    def __init__(self, index: Index, words: WordNumbers) -> None:
        self._index = index
        self._words = words
        self._python = PythonAligner(words)
        self._idle: list[Any] = []

    def _take_kernel(self) -> Any:
        try:
            return self._idle.pop()
        except IndexError:
            return Kernel(self._index.arrays, self._index.synset_count)

    def align(
        self, hypothesis: bytes, reference: bytes, config: Config
    ) -> tuple[Sequence[RawMatch], Sequence[int]]:
        """See `Aligner`."""
        if not config.weights.has_usual_order:
            return self._python.align(hypothesis, reference, config)
        kernel = self._take_kernel()
        try:
            found: tuple[Sequence[RawMatch], Sequence[int]] = kernel.align(
                self._words.table(),
                memoryview(hypothesis).cast("i"),
                memoryview(reference).cast("i"),
                config.weights.stages,
                config.beam,
                config.characters,
            )
        except OverflowError:
            found = self._python.align(hypothesis, reference, config)
        self._idle.append(kernel)
        return found

    def align_many(
        self,
        sentences: Sequence[bytes],
        hypotheses: IntArray,
        references: IntArray,
        config: Config,
        check: Callable[[], None],
    ) -> AlignedPairs:
        """See `Aligner`; cancellation is checked once per slice."""
        if not config.weights.has_usual_order:
            return self._python.align_many(sentences, hypotheses, references, config, check)
        check()
        try:
            return self._align_many(sentences, hypotheses, references, config)
        except OverflowError:
            pairs = zip(hypotheses, references, strict=True)
            return AlignedPairs.of(
                [self.align(sentences[one], sentences[two], config) for one, two in pairs]
            )

    def _align_many(
        self,
        sentences: Sequence[bytes],
        hypotheses: IntArray,
        references: IntArray,
        config: Config,
    ) -> AlignedPairs:
        lengths = np.fromiter(map(len, sentences), np.int64, len(sentences)) // _WORD_BYTES
        kernel = self._take_kernel()
        found = kernel.align_many(
            self._words.table(),
            np.frombuffer(b"".join(sentences), np.int32),
            np.append(0, np.cumsum(lengths)),
            hypotheses.astype(np.int32),
            references.astype(np.int32),
            config.weights.stages,
            config.beam,
            config.characters,
        )
        self._idle.append(kernel)
        return AlignedPairs(*found)
