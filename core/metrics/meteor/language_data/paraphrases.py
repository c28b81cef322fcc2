"""Paraphrase table of the Python aligner."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

from jurydesk.core.metrics.meteor.bit_positions import Bits, set_positions
from jurydesk.core.metrics.meteor.language_data.index_file import NONE, Index

KEPT_NODES = 50_000

Phrase = tuple[int, int, Mapping[int, Sequence[int]]]
"""start and length of a phrase in a line, and its paraphrases by their first word."""

PhraseMatch = tuple[int, int, int, int]
"""start and length in the one line, start and length in the other."""


class Paraphrases:
    """Trie of phrases with their paraphrases, which are unpacked on demand and cached."""

    def __init__(self, index: Index) -> None:
        arrays = index.arrays
        self._root = arrays.root.data
        self._node_word = arrays.node_word.data
        self._child_start = arrays.child_start.data
        self._entry_start = arrays.entry_start.data
        self._entry_stop = arrays.entry_stop.data
        self._first = arrays.entry_first.data
        self._second = arrays.entry_second.data
        self._rest = arrays.rest.data
        self._rest_start = arrays.rest_start.data
        self._unpacked: dict[int, dict[int, list[int]]] = {}

    def phrases(self, words: Sequence[int]) -> list[Phrase]:
        """Return the phrases of the table in a line of words, by ascending start and length."""
        found: list[Phrase] = []
        for start, word in enumerate(words):
            node = self._root[word] if word >= 0 else -1
            end = start + 1
            while node >= 0:
                if self._entry_start[node] < self._entry_stop[node]:
                    found.append((start, end - start, self._entries_by_first_word(node)))
                if end == len(words) or words[end] < 0:
                    break
                node = self._child(node, words[end])
                end += 1
        return found

    def between(
        self, phrases: Sequence[Phrase], sought: Sequence[int], places: Bits
    ) -> Iterator[PhraseMatch]:
        """Yield the paraphrases of one line's phrases in `sought`, a line of table words.

        `places` has the positions of each of its words. The order is that of the phrases, the
        table and the positions.
        """
        known = places.keys()
        for start, length, by_first in phrases:
            if known.isdisjoint(by_first):
                continue
            common = known & by_first.keys()
            for entry in sorted([entry for word in common for entry in by_first[word]]):
                second = self._second[entry]
                for place in set_positions(places[self._first[entry]]):
                    if second == NONE:
                        yield start, length, place, 1
                    elif sought[place + 1 : place + 2] == [second]:
                        size = 2 + self._rest_start[entry + 1] - self._rest_start[entry]
                        if size == 2 or sought[place + 2 : place + size] == self._further_words(
                            entry
                        ):
                            yield start, length, place, size

    def _further_words(self, entry: int) -> list[int]:
        """Return the third and later words of a paraphrase."""
        return self._rest[self._rest_start[entry] : self._rest_start[entry + 1]].tolist()

    def _child(self, node: int, word: int) -> int:
        first, last = self._child_start[node], self._child_start[node + 1]
        child = bisect_left(self._node_word, word, first, last)
        return child if child < last and self._node_word[child] == word else -1

    def _entries_by_first_word(self, node: int) -> dict[int, list[int]]:
        by_first = self._unpacked.get(node)
        if by_first is None:
            by_first = {}
            start, stop = self._entry_start[node], self._entry_stop[node]
            for entry, word in enumerate(self._first[start:stop], start):
                by_first.setdefault(word, []).append(entry)
            if len(self._unpacked) >= KEPT_NODES:
                self._unpacked.clear()
            self._unpacked[node] = by_first
        return by_first
