"""The paraphrase table as the Python aligner looks phrases up in it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

from core.metrics.meteor.index import NONE, Index

KEPT_NODES = 50_000

PhraseMatch = tuple[int, int, int, int]
"""start and length in the one line, start and length in the other."""


class Paraphrases:
    """Walks the trie of phrases; what a phrase may become is unpacked once and kept a while."""

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

    def between(
        self, walked: Sequence[int], sought: Sequence[int], places: Mapping[int, Sequence[int]]
    ) -> Iterator[PhraseMatch]:
        """Phrases of `walked` whose paraphrases stand in `sought`, both lists of table words.

        `places` says where each word stands in `sought`. By ascending start, phrase length, order
        of the table and place.
        """
        for start in range(len(walked)):
            for length, node in self._phrases(walked, start):
                by_first = self._entries_by_first_word(node)
                common = places.keys() & by_first.keys()
                if not common:
                    continue
                for entry in sorted([entry for word in common for entry in by_first[word]]):
                    paraphrase = self._words(entry)
                    size = len(paraphrase)
                    for place in places[paraphrase[0]]:
                        if size == 1 or sought[place : place + size] == paraphrase:
                            yield start, length, place, size

    def _phrases(self, words: Sequence[int], start: int) -> Iterator[tuple[int, int]]:
        """Length and node of every phrase of the trie that begins at `start`."""
        word = words[start]
        node = self._root[word] if word >= 0 else -1
        end = start + 1
        while node >= 0:
            yield end - start, node
            if end == len(words) or words[end] < 0:
                return
            node = self._child(node, words[end])
            end += 1

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

    def _words(self, entry: int) -> list[int]:
        second = self._second[entry]
        if second == NONE:
            return [self._first[entry]]
        rest = self._rest[self._rest_start[entry] : self._rest_start[entry + 1]]
        return [self._first[entry], second, *rest]
