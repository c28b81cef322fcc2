"""What METEOR compares words by: their keys, stems and synonym sets, found once for each word."""

from __future__ import annotations

import threading
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from core.metrics.meteor import java
from core.metrics.meteor.index import Index
from core.metrics.meteor.lexicon import Lexicon
from core.metrics.meteor.morphology import base_form
from core.metrics.meteor.paraphrases import Paraphrases

COLUMNS = 7
FIRST_ROOM = 4096
Int32Array = npt.NDArray[np.int32]


class Words(dict[str, int]):
    """Numbers for words, given on first sight: `words["dog"]`, with the facts of word `n`.

    The facts stand in seven columns: `exact` and `stem` (equal numbers mean equal Java keys of
    the words, of the stems), `paraphrase` (number in the paraphrase table or -1), `function` (0 or
    1), `length` (UTF-16 units), and `sets_start`, `sets_stop` (range of `Arrays.sets`). Safe to
    use from several threads.
    """

    def __init__(self, index: Index) -> None:
        super().__init__()
        self.index = index
        self._lexicon = Lexicon(index.arrays)
        self._vocabulary_stem = index.arrays.vocabulary_stem.data
        self.texts: list[str] = []
        self._keys: dict[int, int] = {}
        self._stem_keys: dict[int, int] = {}
        self._sets_of: dict[int, list[int]] = {}
        self._lock = threading.Lock()
        self._table = np.zeros((FIRST_ROOM, COLUMNS), np.int32)

    def __missing__(self, word: str) -> int:
        with self._lock:
            number = self.get(word)
            if number is None:
                number = len(self.texts)
                self._add(word)
                self[word] = number
        return number

    def table(self) -> Int32Array:
        """The facts of all words so far, (words, 7) int32; what it shows never changes."""
        with self._lock:
            return self._table[: len(self.texts)]

    def sets(self, number: int) -> list[int]:
        """The synonym sets of word `number`."""
        sets = self._sets_of.get(number)
        if sets is None:
            start, stop = self._table[number, 5:].tolist()
            sets = self._sets_of[number] = self.index.arrays.sets[start:stop].tolist()
        return sets

    @cached_property
    def paraphrases(self) -> Paraphrases:
        """The paraphrase table, for the Python aligner."""
        return Paraphrases(self.index)

    def _add(self, word: str) -> None:
        key = java.key(word)
        record = self._lexicon.find(word, key)
        if record is not None and record.paraphrase >= 0:
            stem_key = self._vocabulary_stem[record.paraphrase]
        else:
            stem_key = java.key(self._stemmer.stemWord(word))
        start, stop = (
            self._sets_of_base(word) if record is None else (record.sets_start, record.sets_stop)
        )
        facts = (
            self._keys.setdefault(key, len(self._keys)),
            self._stem_keys.setdefault(stem_key, len(self._stem_keys)),
            -1 if record is None else record.paraphrase,
            int(word.lower() in self.index.function_words),
            java.length(word),
            start,
            stop,
        )
        self._write(len(self.texts), facts)
        self.texts.append(word)

    def _write(self, number: int, facts: tuple[int, ...]) -> None:
        if number == len(self._table):
            # The old table stays as it is for whoever reads it at the moment.
            self._table = np.concatenate((self._table, np.zeros_like(self._table)))
        self._table[number] = facts

    def _sets_of_base(self, word: str) -> tuple[int, int]:
        """The synonym sets of a word that the lexicon does not list: those of its base form."""
        base = base_form(word, self._has_sets)
        record = self._lexicon.find(base, java.key(base))
        return (0, 0) if record is None else (record.sets_start, record.sets_own)

    def _has_sets(self, word: str) -> bool:
        record = self._lexicon.find(word, java.key(word))
        return record is not None and record.sets_own > record.sets_start

    @cached_property
    def _stemmer(self) -> Any:
        # The package's own entry would take PyStemmer where that is installed, of any version.
        from snowballstemmer.english_stemmer import EnglishStemmer

        return EnglishStemmer()
