"""Byte-pair encoding by a text model of YouTokenToMe, as ruCLIP's `bpe.model` is one.

The file: `n_chars n_rules`; n_chars lines `codepoint id`; n_rules lines `left right new`; last
`unk pad bos eos`. A word begins with U+2581. Of all neighbours that have a rule, those of the
earliest rule are joined first, from the left. Source: youtokentome 1.0.6.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby, pairwise
from pathlib import Path

from core.model import ResourceMissing

WORD_START = "\u2581"
SPACE = re.compile(f"[ \t-\r{WORD_START}]+")
"""What C calls a space; others, such as U+00A0, are letters of a word."""

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Encoder:
    """The id of every letter, and for every pair of ids that is joined its rank and new id."""

    letters: Mapping[str, int]
    rules: Mapping[Pair, tuple[int, int]]
    unknown: int
    padding: int
    begin: int
    end: int

    @property
    def lowest(self) -> int:
        """The lowest id that comes out."""
        return min(self._ids())

    @property
    def highest(self) -> int:
        """The highest id that comes out."""
        return max(self._ids())

    def _ids(self) -> Iterator[int]:
        yield from self.letters.values()
        yield from (new for _, new in self.rules.values())
        yield from (self.unknown, self.padding, self.begin, self.end)

    def encode(self, text: str) -> list[int]:
        """The ids of a text, without begin and end."""
        words = filter(None, SPACE.split(text))
        return list(chain.from_iterable(self._word(WORD_START + word) for word in words))

    def framed(self, text: str, length: int) -> list[int]:
        """The ids of a text, cut to fit between begin and end, and padded to `length`."""
        ids = [self.begin, *self.encode(text)[: length - 2], self.end]
        return ids + [self.padding] * (length - len(ids))

    def _word(self, word: str) -> list[int]:
        ids = list(self._known(word))
        while True:
            _, pair = min(self._ranked(ids), default=(0, None))
            if pair is None:
                return ids
            ids = list(_joined(ids, pair, self.rules[pair][1]))

    def _known(self, word: str) -> Iterator[int]:
        """The ids of letters; letters in a row that are not known are one."""
        for id, group in groupby(self.letters.get(letter, self.unknown) for letter in word):
            yield from (id,) if id == self.unknown else group

    def _ranked(self, ids: Sequence[int]) -> Iterator[tuple[int, Pair]]:
        return ((self.rules[pair][0], pair) for pair in pairwise(ids) if pair in self.rules)


def _joined(ids: Sequence[int], pair: Pair, new: int) -> Iterator[int]:
    """The ids with every occurrence of a pair replaced, from the left."""
    place = 0
    while place < len(ids):
        if tuple(ids[place : place + 2]) == pair:
            yield new
            place += 2
        else:
            yield ids[place]
            place += 1


def read_encoder(path: Path) -> Encoder:
    """The encoder in a `bpe.model` file; ResourceMissing where it is no such file."""
    try:
        rows = [tuple(map(int, line.split())) for line in path.read_text("ascii").splitlines()]
        n_letters, n_rules = rows[0]
        letters = {chr(point): id for point, id in rows[1 : 1 + n_letters]}
        joins = rows[1 + n_letters : 1 + n_letters + n_rules]
        rules = {(left, right): (rank, new) for rank, (left, right, new) in enumerate(joins)}
        unknown, padding, begin, end = rows[1 + n_letters + n_rules]
    except OSError as fault:
        raise ResourceMissing(f"{path} cannot be read: {fault.strerror}.") from fault
    except (ValueError, IndexError, OverflowError) as fault:
        raise ResourceMissing(
            f"{path} is no model of YouTokenToMe: numbers in lines are expected ({fault})."
        ) from fault
    return Encoder(letters, rules, unknown, padding, begin, end)
