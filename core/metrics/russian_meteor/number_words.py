"""Conversion of English number words to digits, as in the package wordtodigits 1.0.2.

Its peculiarities affect scores: `hundred` alone is 0, `and` before a number is always dropped, and
a full stop is separated even within `3.5`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
UNITS = {word: value for value, word in enumerate(_UNITS.split())}
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
TENS = {word: 10 * value for value, word in enumerate(_TENS.split(), start=2)}
SCALES = {"thousand": 1_000, "million": 1_000_000}
HUNDRED = "hundred"
NUMBER_WORDS = frozenset((*UNITS, *TENS, *SCALES, HUNDRED))

_TERMINATOR = re.compile(r"[.?!]")


def number_words_to_digits(text: str) -> str:
    """Return the text with its English numbers as digits, and runs of blanks as one blank."""
    words = [*_TERMINATOR.sub(lambda found: f" {found[0]} ", text).split(), ""]
    return "".join(_pieces(words))[1:-1]


def _pieces(words: list[str]) -> Iterator[str]:
    number = _Number()
    for position, written in enumerate(words):
        word = written.lower()
        before_number = position + 1 < len(words) and words[position + 1] in NUMBER_WORDS
        if word in NUMBER_WORDS and not number.has_point:
            number.add(word)
        elif word in UNITS and number.has_point:
            yield str(UNITS[word])
        elif written == "and" and before_number:
            continue
        elif word == "point" and before_number:
            yield f" {number.point()}."
        else:
            if number.begun:
                yield f" {number.value}"
            yield written if written in (".", "?", "!") else f" {written}"
            number = _Number()


class _Number:
    """Number that is read word by word."""

    def __init__(self) -> None:
        self.begun = False
        self.has_point = False
        self._total = 0
        self._group = 0

    @property
    def value(self) -> int:
        return self._total + self._group

    def add(self, word: str) -> None:
        """Add a word before the decimal point."""
        self.begun = True
        if word == HUNDRED:
            self._group *= 100
        elif word in SCALES:
            self._total += self._group * SCALES[word]
            self._group = 0
        else:
            self._group += UNITS.get(word, 0) or TENS.get(word, 0)

    def point(self) -> int:
        """Begin the decimals and return the integer part."""
        self._total += self._group  # the group stays, and counts again at a second point
        self.has_point, self.begun = True, False
        return self._total
