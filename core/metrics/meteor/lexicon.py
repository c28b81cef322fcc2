"""Looking words up in the index."""

from __future__ import annotations

from bisect import bisect_left
from typing import NamedTuple

from core.metrics.meteor.index import Arrays


class WordRecord(NamedTuple):
    """What the index knows of one word; synonym sets are ranges of `Arrays.sets`."""

    paraphrase: int
    sets_start: int
    sets_own: int
    sets_stop: int


class Lexicon:
    """Finds words by bisection, so that opening an index costs nothing."""

    def __init__(self, arrays: Arrays) -> None:
        self._keys = arrays.key.data
        self._text = arrays.text.data
        self._text_start = arrays.text_start.data
        self._paraphrase = arrays.word_paraphrase.data
        self._sets_start = arrays.sets_start.data
        self._sets_own = arrays.sets_own.data

    def find(self, word: str, key: int) -> WordRecord | None:
        """What is known of a word with that Java key, or None."""
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
