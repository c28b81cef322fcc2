"""Stretches of words that a caption and its references share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

LONGEST = 4


@dataclass(frozen=True, slots=True)
class Span:
    """A shared n-gram: where it begins, and how many words it has."""

    start: int
    words: int

    def covers(self, place: int) -> bool:
        """Return whether a word belongs to it."""
        return self.start <= place < self.start + self.words


def grams(words: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    """Count the n-grams of a text."""
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def shared_spans(
    words: Sequence[str], others: Iterable[Sequence[str]], length: int = 0
) -> tuple[Span, ...]:
    """Return the n-grams of `words` that another text has, none overlapping, in their order.

    Longer ones come first; `length` asks for those of one length alone. An n-gram counts as often
    as the text that has it most often: further repetitions are not shared, as in BLEU.
    """
    texts = [list(other) for other in others]
    taken = [False] * len(words)
    found = []
    for n in (length,) if length else range(LONGEST, 0, -1):
        left: Counter[tuple[str, ...]] = Counter()
        for text in texts:
            left |= grams(text, n)
        for span in found:
            for start in range(span.start, span.start + span.words - n + 1):
                left[tuple(words[start : start + n])] -= 1
        for start in range(len(words) - n + 1):
            gram = tuple(words[start : start + n])
            if left[gram] > 0 and not any(taken[start : start + n]):
                left[gram] -= 1
                taken[start : start + n] = [True] * n
                found.append(Span(start, n))
    return tuple(sorted(found, key=lambda span: span.start))


def occurrences(words: Sequence[str], gram: str) -> tuple[Span, ...]:
    """Return every place of an n-gram, its words joined by blanks."""
    wanted = gram.split()
    n = len(wanted)
    places = range(len(words) - n + 1) if n else range(0)
    return tuple(Span(i, n) for i in places if list(words[i : i + n]) == wanted)
