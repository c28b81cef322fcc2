"""n-grams of many sentences as integer arrays, for BLEU, CIDEr and CIDEr-D."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, count

import numpy as np
import numpy.typing as npt

from jurydesk.core.model.evaluation import IntArray

MAX_N = 4
"""Maximum length of n-grams in words."""


@dataclass(frozen=True, slots=True, eq=False)
class RaggedArray:
    """Concatenated rows of integers: row i is `values[starts[i] : starts[i + 1]]`."""

    values: IntArray
    starts: IntArray

    @property
    def owners(self) -> IntArray:
        """Row of each value."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    @property
    def lengths(self) -> IntArray:
        """Number of values in each row."""
        return np.diff(self.starts)


def make_ragged(rows: Sequence[Sequence[str]], numbers: Mapping[str, int]) -> RaggedArray:
    """Return the numbers of the texts in each row."""
    starts = np.concatenate([[0], np.cumsum([len(row) for row in rows], dtype=np.int64)])
    found = map(numbers.__getitem__, chain.from_iterable(rows))
    return RaggedArray(np.fromiter(found, np.int64, int(starts[-1])), starts)


@dataclass(frozen=True, slots=True, eq=False)
class NgramOccurrences:
    """Occurrences of all n-grams of one length.

    `sentence`, `position` (of the first word, among all words) and `number` are (occurrences,).
    There are `width` distinct n-grams, whose texts `spelled` returns in order.
    """

    sentence: IntArray
    position: IntArray
    number: IntArray
    width: int
    spelled: Callable[[], Sequence[str]]


def ngram_occurrences(sentences: Iterable[Sequence[str]]) -> Iterator[NgramOccurrences]:
    """Yield the n-grams of all sentences, for n = 1 to `MAX_N`."""
    numbers = defaultdict[str, int](count().__next__)
    lengths = array("q", [0])

    def words_of(sentence: Sequence[str]) -> Sequence[str]:
        lengths.append(len(sentence))
        return sentence

    spoken = chain.from_iterable(map(words_of, sentences))
    found = np.fromiter(map(numbers.__getitem__, spoken), np.int64)
    vocabulary = tuple(numbers)
    words = RaggedArray(found, np.cumsum(np.array(lengths, np.int64)))
    del numbers, found
    ends, owners = words.starts[1:], words.owners
    position, number, width = np.arange(len(words.values)), words.values, len(vocabulary)
    spell: Callable[[], Sequence[str]] = partial(tuple, vocabulary)
    for n in range(1, MAX_N + 1):
        if n > 1:
            fits = position + n - 1 < ends[owners[position]]
            position, before = position[fits], number[fits]
            joined = before * len(vocabulary) + words.values[position + n - 1]
            distinct, number = _rank_values(joined)
            spell, width = partial(_join_ngrams, spell, vocabulary, distinct), len(distinct)
            del fits, before, joined  # the caller needs the memory
        yield NgramOccurrences(owners[position], position, number, width, spell)


def _rank_values(values: IntArray) -> tuple[IntArray, IntArray]:
    """Return the distinct values (non-negative), sorted, and the index of each value among them.

    Equivalent to `np.unique` with its inverse in half the time, by a radix sort of 16 bits each.
    """
    bits = int(values.max(initial=1)).bit_length()
    order = np.lexsort([(values >> shift).astype(np.uint16) for shift in range(0, bits, 16)])
    ordered = values[order]
    first = run_starts(ordered)
    ranks = np.empty_like(values)
    ranks[order] = np.cumsum(first) - 1
    return ordered[first], ranks


def run_starts(ordered: IntArray) -> npt.NDArray[np.bool_]:
    """Return a mask of the sorted values that differ from the previous one."""
    return np.concatenate([[True], ordered[1:] != ordered[:-1]])[: len(ordered)]


def _join_ngrams(
    heads: Callable[[], Sequence[str]], words: Sequence[str], numbers: IntArray
) -> Sequence[str]:
    """Return the texts of n-grams from their numbers, which encode a shorter n-gram and a word."""
    head, last = np.divmod(numbers, max(len(words), 1))
    shorter = heads()
    pairs = zip(head.tolist(), last.tolist(), strict=True)
    return [f"{shorter[h]} {words[w]}" for h, w in pairs]
