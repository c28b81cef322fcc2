"""n-grams of many sentences as numbers: what BLEU and both forms of CIDEr count."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain

import numpy as np

from core.model import IntArray

LONGEST = 4
"""Words of the longest n-grams."""


@dataclass(frozen=True, slots=True, eq=False)
class Ragged:
    """Rows of numbers one after the other: row i is `values[starts[i] : starts[i + 1]]`."""

    values: IntArray
    starts: IntArray

    @property
    def owners(self) -> IntArray:
        """The row of each value."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    @property
    def lengths(self) -> IntArray:
        """The number of values in each row."""
        return np.diff(self.starts)


def ragged(rows: Sequence[Sequence[str]], numbers: Mapping[str, int]) -> Ragged:
    """Return the numbers of the texts in each row."""
    starts = np.concatenate([[0], np.cumsum([len(row) for row in rows], dtype=np.int64)])
    found = map(numbers.__getitem__, chain.from_iterable(rows))
    return Ragged(np.fromiter(found, np.int64, int(starts[-1])), starts)


@dataclass(frozen=True, slots=True, eq=False)
class Occurrences:
    """Every n-gram of one length: the sentence it is in, where it begins, and its number.

    `sentence`, `position` (among all words) and `number` are (occurrences,); there are `width`
    different n-grams, which `spelled` gives in the order of their numbers.
    """

    sentence: IntArray
    position: IntArray
    number: IntArray
    width: int
    spelled: Callable[[], Sequence[str]]


def occurrences(sentences: Sequence[Sequence[str]]) -> Iterator[Occurrences]:
    """Yield the n-grams of all sentences, for n = 1 to `LONGEST`."""
    vocabulary = tuple(dict.fromkeys(chain.from_iterable(sentences)))
    words = ragged(sentences, {word: number for number, word in enumerate(vocabulary)})
    del sentences  # the caller may have let go of so many texts
    ends, owners = words.starts[1:], words.owners
    position, number, width = np.arange(len(words.values)), words.values, len(vocabulary)
    spell: Callable[[], Sequence[str]] = partial(tuple, vocabulary)
    for n in range(1, LONGEST + 1):
        if n > 1:
            fits = position + n - 1 < ends[owners[position]]
            position, before = position[fits], number[fits]
            joined = before * len(vocabulary) + words.values[position + n - 1]
            distinct, number = np.unique(joined, return_inverse=True)
            spell, width = partial(_joined, spell, vocabulary, distinct), len(distinct)
        yield Occurrences(owners[position], position, number, width, spell)


def _joined(
    heads: Callable[[], Sequence[str]], words: Sequence[str], numbers: IntArray
) -> Sequence[str]:
    """Return the n-grams of these numbers: a shorter one, and a word behind it."""
    head, last = np.divmod(numbers, max(len(words), 1))
    shorter = heads()
    pairs = zip(head.tolist(), last.tolist(), strict=True)
    return [f"{shorter[h]} {words[w]}" for h, w in pairs]
