"""The compiled engine, `_beam`, behind the interface of `aligner`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt

from core.metrics.meteor.index import Index
from core.metrics.meteor.interpreted import PythonAligner
from core.metrics.meteor.matching import RawMatch
from core.metrics.meteor.settings import Settings
from core.metrics.meteor.words import Words

try:
    from core.metrics.meteor._beam import Kernel
except ImportError:  # no compiler was at hand when the program was installed
    Kernel = None

Int32Array = npt.NDArray[np.int32]

AVAILABLE = Kernel is not None
_WORD_BYTES = 4


class CompiledAligner:
    """Aligns without the interpreter lock; every thread at work has a kernel of its own.

    Lines of some ten thousand words are beyond it and go the Python engine's long way.
    """

    def __init__(self, index: Index, words: Words) -> None:
        self._index = index
        self._words = words
        self._idle: list[Any] = []

    @contextmanager
    def _kernel(self) -> Iterator[Any]:
        try:
            kernel = self._idle.pop()
        except IndexError:
            kernel = Kernel(self._index.arrays, self._index.synset_count)
        yield kernel
        self._idle.append(kernel)

    def align(
        self, hypothesis: bytes, reference: bytes, settings: Settings
    ) -> tuple[Sequence[RawMatch], Sequence[int]]:
        """See `Aligner`."""
        found: tuple[Sequence[RawMatch], Sequence[int]]
        try:
            with self._kernel() as kernel:
                found = kernel.align(
                    self._words.table(),
                    memoryview(hypothesis).cast("i"),
                    memoryview(reference).cast("i"),
                    settings.stages,
                    settings.beam,
                    settings.characters,
                )
        except OverflowError:
            return PythonAligner(self._index, self._words).align(hypothesis, reference, settings)
        return found

    def count(
        self,
        sentences: Sequence[bytes],
        hypotheses: Sequence[int],
        references: Sequence[int],
        settings: Settings,
        check: Callable[[], None],
    ) -> Int32Array:
        """See `Aligner`; a slice is short enough to be checked before it only."""
        check()
        try:
            return self._count(sentences, hypotheses, references, settings)
        except OverflowError:
            pairs = zip(hypotheses, references, strict=True)
            rows = [self.align(sentences[one], sentences[two], settings)[1] for one, two in pairs]
            return np.array(rows, np.int32)

    def _count(
        self,
        sentences: Sequence[bytes],
        hypotheses: Sequence[int],
        references: Sequence[int],
        settings: Settings,
    ) -> Int32Array:
        lengths = (len(sentence) // _WORD_BYTES for sentence in sentences)
        with self._kernel() as kernel:
            rows: Int32Array = kernel.count(
                self._words.table(),
                np.frombuffer(b"".join(sentences), np.int32),
                np.fromiter(accumulate(lengths, initial=0), np.int64),
                np.array(hypotheses, np.int32),
                np.array(references, np.int32),
                settings.stages,
                settings.beam,
                settings.characters,
            )
        return rows
