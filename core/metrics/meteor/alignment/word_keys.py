"""Word features of METEOR's matchers: keys, stems and synonym sets, looked up once per word."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from jurydesk.core.metrics.meteor import java_semantics
from jurydesk.core.metrics.meteor.language_data.index_file import Arrays, Index
from jurydesk.core.metrics.meteor.language_data.paraphrases import Paraphrases
from jurydesk.core.metrics.meteor.language_data.stemmers import stemmer_of
from jurydesk.core.metrics.meteor.language_data.wordnet import base_form
from jurydesk.core.metrics.meteor.languages import LANGUAGES


class WordRecord(NamedTuple):
    """Entry of a word in the index; synonym sets are ranges of `Arrays.sets`."""

    paraphrase: int
    sets_start: int
    sets_own: int
    sets_stop: int


class IndexLexicon:
    """Lexicon of an index, searched by bisection so that opening it takes no time."""

    def __init__(self, arrays: Arrays) -> None:
        self._keys = arrays.key.data
        self._text = arrays.text.data
        self._text_start = arrays.text_start.data
        self._paraphrase = arrays.word_paraphrase.data
        self._sets_start = arrays.sets_start.data
        self._sets_own = arrays.sets_own.data

    def find(self, word: str, key: int) -> WordRecord | None:
        """Return the entry of a word with that Java key, or None."""
        encoded = word.encode("utf-8", "surrogatepass")
        place = bisect_left(self._keys, key)
        while place < len(self._keys) and self._keys[place] == key:
            if self._text[self._text_start[place] : self._text_start[place + 1]] == encoded:
                return self._record(place)
            place += 1
        return None

    def _record(self, place: int) -> WordRecord:
        return WordRecord(
            self._paraphrase[place],
            self._sets_start[place],
            self._sets_own[place],
            self._sets_start[place + 1],
        )


COLUMNS = 11
FIRST_ROOM = 4096
Int32Array = npt.NDArray[np.int32]


class FactTable(Protocol):
    """Table of word features, one row per word, in eleven columns.

    `exact` and `stem` (equal numbers mean equal Java keys of the words, of the stems),
    `paraphrase` (number in the paraphrase table or -1), `function` (0 or 1), `length` (UTF-16
    units), `sets_start`, `sets_stop` (range of `Arrays.sets`), and of the node that the word leads
    to in the trie of phrases `entry_start`, `entry_stop`, `child_start`, `child_stop` (all 0 where
    there is none).
    """

    @property
    def rows(self) -> Int32Array:
        """Rows (capacity, 11), with space for more words at the end."""

    def add(self, word: str) -> None:
        """Append the row of a word."""


class WordNumbers(dict[str, int]):
    """Word numbers, assigned on first lookup: `words["dog"]`, with the features of each word.

    Safe to use from several threads.
    """

    def __init__(self, index: Index, facts: FactTable | None = None) -> None:
        super().__init__()
        self.index = index
        self.texts: list[str] = []
        self._facts = InterpretedFactTable(index) if facts is None else facts
        self._sets_of: dict[int, list[int]] = {}
        self._lock = threading.Lock()

    def __missing__(self, word: str) -> int:
        with self._lock:
            number = self.get(word)
            if number is None:
                number = len(self.texts)
                self._facts.add(word)
                self.texts.append(word)
                self[word] = number
        return number

    def table(self) -> Int32Array:
        """Return the features of all words so far, (words, 11) int32; rows never change."""
        with self._lock:
            return self._facts.rows[: len(self.texts)]

    def sets(self, number: int) -> list[int]:
        """Return the synonym sets of word `number`."""
        sets = self._sets_of.get(number)
        if sets is None:
            start, stop = self._facts.rows[number, 5:7].tolist()
            sets = self._sets_of[number] = self.index.arrays.sets[start:stop].tolist()
        return sets

    @cached_property
    def paraphrases(self) -> Paraphrases:
        """Paraphrase table for the Python aligner."""
        return Paraphrases(self.index)


class InterpretedFactTable:
    """`FactTable` in Python; the compiled version is in `_words.pyx`."""

    def __init__(self, index: Index) -> None:
        self.rows = np.zeros((FIRST_ROOM, COLUMNS), np.int32)
        self._count = 0
        self._language = LANGUAGES[index.language]
        self._function_words = index.function_words
        self._lexicon = IndexLexicon(index.arrays)
        self._vocabulary_stem = index.arrays.vocabulary_stem.data
        self._root = index.arrays.root.data
        self._entry_start = index.arrays.entry_start.data
        self._entry_stop = index.arrays.entry_stop.data
        self._child_start = index.arrays.child_start.data
        self._keys: dict[int, int] = {}
        self._stem_keys: dict[int, int] = {}

    def add(self, word: str) -> None:
        """See `FactTable`."""
        key = java_semantics.string_hash(word)
        record = self._lexicon.find(word, key)
        paraphrase = -1 if record is None else record.paraphrase
        stem_key = (
            self._vocabulary_stem[paraphrase]
            if paraphrase >= 0
            else java_semantics.string_hash(self._stem(word))
        )
        sets = self._sets_of_base(word) if record is None else (record.sets_start, record.sets_stop)
        self._append(
            (
                self._keys.setdefault(key, len(self._keys)),
                self._stem_keys.setdefault(stem_key, len(self._stem_keys)),
                paraphrase,
                int(word.lower() in self._function_words),
                java_semantics.string_length(word),
                *sets,
                *self._node(paraphrase),
            )
        )

    def _append(self, facts: tuple[int, ...]) -> None:
        if self._count == len(self.rows):
            # Other threads may still read the old table.
            self.rows = np.concatenate((self.rows, np.zeros_like(self.rows)))
        self.rows[self._count] = facts
        self._count += 1

    def _sets_of_base(self, word: str) -> tuple[int, int]:
        """Return the synonym sets of an unlisted word: those of its base form."""
        base = base_form(word, self._has_sets)
        record = self._lexicon.find(base, java_semantics.string_hash(base))
        return (0, 0) if record is None else (record.sets_start, record.sets_own)

    def _has_sets(self, word: str) -> bool:
        record = self._lexicon.find(word, java_semantics.string_hash(word))
        return record is not None and record.sets_own > record.sets_start

    def _node(self, paraphrase: int) -> tuple[int, int, int, int]:
        node = self._root[paraphrase] if paraphrase >= 0 else -1
        if node < 0:
            return 0, 0, 0, 0
        return (
            self._entry_start[node],
            self._entry_stop[node],
            self._child_start[node],
            self._child_start[node + 1],
        )

    @cached_property
    def _stem(self) -> Callable[[str], str]:
        return stemmer_of(self._language)
