"""Setting words in lines, and finding the stretches of matched words in them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from app.plain import reads_leftwards


@dataclass(frozen=True, slots=True)
class Word:
    """Where a word stands: its line, its left edge and its width."""

    line: int
    left: float
    width: float

    @property
    def right(self) -> float:
        """The word's right edge."""
        return self.left + self.width


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of one line: from a left to a right edge."""

    line: int
    left: float
    right: float

    @property
    def middle(self) -> float:
        """Halfway between the edges."""
        return (self.left + self.right) / 2


@dataclass(frozen=True, slots=True)
class Flow:
    """Words in lines of one width, from the left or, where the text reads so, from the right."""

    words: tuple[Word, ...]

    @property
    def lines(self) -> int:
        """The number of lines; at least one."""
        return self.words[-1].line + 1 if self.words else 1

    def stretches(self, start: int, length: int) -> tuple[Stretch, ...]:
        """What neighbouring words take up, one stretch for each line that they reach."""
        found: list[Stretch] = []
        for word in self.words[start : start + length]:
            if found and found[-1].line == word.line:
                last = found[-1]
                left, right = min(last.left, word.left), max(last.right, word.right)
                found[-1] = Stretch(word.line, left, right)
            else:
                found.append(Stretch(word.line, word.left, word.right))
        return tuple(found)

    def word_at(self, line: int, x: float) -> int | None:
        """The word at a point of a line."""
        first = bisect_right(self.words, line - 1, key=lambda word: word.line)
        last = bisect_right(self.words, line, key=lambda word: word.line)
        for index in range(first, last):
            if self.words[index].left <= x < self.words[index].right:
                return index
        return None


def flow(texts: Sequence[str], widths: Sequence[float], available: float, gap: float) -> Flow:
    """Set words of these widths one after the other; a line breaks where `available` ends."""
    words: list[Word] = []
    line, left = 0, 0.0
    for width in widths:
        if left > 0 and left + width > available:
            line, left = line + 1, 0.0
        words.append(Word(line, left, min(width, available)))
        left += width + gap
    if reads_leftwards(texts):
        words = [Word(word.line, available - word.right, word.width) for word in words]
    return Flow(tuple(words))
