"""Where the words, lines and brackets of an alignment stand; no painting."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from jurydesk.app.style.theme import px
from jurydesk.app.style.visible_text import is_right_to_left, shown
from jurydesk.core.metrics.meteor.alignment.alignment import Alignment, AlignmentMatch


@dataclass(frozen=True, slots=True)
class Word:
    """Where a word stands: its line, its left edge and its width."""

    line: int
    left: float
    width: float

    @property
    def right(self) -> float:
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
class WordFlow:
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


def flow(texts: Sequence[str], widths: Sequence[float], available: float, gap: float) -> WordFlow:
    """Set words of these widths one after the other; a line breaks where `available` ends."""
    words: list[Word] = []
    line, left = 0, 0.0
    for width in widths:
        if left > 0 and left + width > available:
            line, left = line + 1, 0.0
        words.append(Word(line, left, min(width, available)))
        left += width + gap
    if is_right_to_left(texts):
        words = [Word(word.line, available - word.right, word.width) for word in words]
    return WordFlow(tuple(words))


SHOWN_WORDS = 3000
"""Longer sentences are cut here, and the legend says so: drawing more takes too long."""

PADDING, GAP = 5, 2
TITLE, LINE, BLOCK_GAP = 26, 42, 16
LEGEND_LINE, LEGEND_GAP = 34, 6


@dataclass(frozen=True, slots=True)
class Sentence:
    """One of the two sentences: its words as they are drawn, and the match that each is in."""

    words: tuple[str, ...]
    match_of: tuple[int, ...]
    cut: int
    """How many words are not drawn."""


@dataclass(frozen=True, slots=True)
class WordSpan:
    """The words that a match or a chunk takes up in a sentence."""

    start: int
    length: int


@dataclass(frozen=True, slots=True)
class Drawn:
    """An alignment as it is drawn: two sentences, and the spans of matches and chunks in each."""

    hypothesis: Sentence
    reference: Sentence
    matches: tuple[AlignmentMatch, ...]
    chunk_of: tuple[int, ...]

    def span(self, match: int, *, reference: bool) -> WordSpan:
        """The words of a match in one sentence."""
        found = self.matches[match]
        if reference:
            return WordSpan(found.start, found.length)
        return WordSpan(found.match_start, found.match_length)

    def chunk_spans(self, *, reference: bool) -> tuple[WordSpan, ...]:
        """The words of every chunk in one sentence; the matches of a chunk are neighbours."""
        firsts = [
            i for i, chunk in enumerate(self.chunk_of) if i == 0 or chunk != self.chunk_of[i - 1]
        ]
        spans = []
        for first, after in pairwise([*firsts, len(self.matches)]):
            head = self.span(first, reference=reference)
            tail = self.span(after - 1, reference=reference)
            spans.append(WordSpan(head.start, tail.start + tail.length - head.start))
        return tuple(spans)


def unaligned(hypothesis: Sequence[str], reference: Sequence[str]) -> Drawn:
    """Two sentences of which no alignment is known."""
    return Drawn(_sentence(hypothesis, ()), _sentence(reference, ()), (), ())


def drawn(alignment: Alignment) -> Drawn:
    """What of an alignment is drawn: the first words of each sentence, and the matches in them."""
    kept = tuple(
        match
        for match in alignment.matches
        if match.start + match.length <= SHOWN_WORDS
        and match.match_start + match.match_length <= SHOWN_WORDS
    )
    chunks = dict(zip(alignment.matches, alignment.chunk_of_matches(), strict=True))
    spans_1 = [WordSpan(match.match_start, match.match_length) for match in kept]
    spans_2 = [WordSpan(match.start, match.length) for match in kept]
    return Drawn(
        _sentence(alignment.hypothesis, spans_1),
        _sentence(alignment.reference, spans_2),
        kept,
        tuple(chunks[match] for match in kept),
    )


def _sentence(words: Sequence[str], spans: Sequence[WordSpan]) -> Sentence:
    visible = tuple(shown(word) for word in words[:SHOWN_WORDS])
    match_of = [-1] * len(visible)
    for number, span in enumerate(spans):
        match_of[span.start : span.start + span.length] = [number] * span.length
    return Sentence(visible, tuple(match_of), max(0, len(words) - SHOWN_WORDS))


@dataclass(frozen=True, slots=True)
class SentenceBlock:
    """One sentence set in lines: its title stands at `top`, its first line below."""

    top: int
    flow: WordFlow

    @property
    def bottom(self) -> int:
        return self.line_top(self.flow.lines)

    def line_top(self, line: int) -> int:
        """The upper edge of a line."""
        return self.top + px(TITLE) + line * px(LINE)

    def stretches(self, span: WordSpan) -> tuple[Stretch, ...]:
        """Where the words of a span stand, one stretch for each line."""
        return self.flow.stretches(span.start, span.length)

    def word_at(self, x: float, y: float) -> int | None:
        """The word at a point of the widget."""
        line = int((y - self.line_top(0)) // px(LINE))
        return self.flow.word_at(line, x) if 0 <= line < self.flow.lines else None


@dataclass(frozen=True, slots=True)
class AlignmentLayout:
    """Both blocks below one another, and the labels of the legend below them."""

    width: int
    hypothesis: SentenceBlock
    reference: SentenceBlock
    legend: WordFlow

    @property
    def legend_top(self) -> int:
        return self.reference.bottom

    @property
    def height(self) -> int:
        return self.legend_top + self.legend.lines * px(LEGEND_LINE)

    @property
    def is_calm(self) -> bool:
        """Whether lines between the sentences would cross no text."""
        return self.hypothesis.flow.lines == self.reference.flow.lines == 1


def layout(
    picture: Drawn, width: int, measure: Callable[[str], float], labels: Sequence[float] = ()
) -> AlignmentLayout:
    """Set both sentences, and a legend of labels of these widths, in lines of a width.

    `measure` gives the width of a word's letters.
    """
    hypothesis = SentenceBlock(0, _flow(picture.hypothesis, width, measure))
    below = hypothesis.bottom + px(BLOCK_GAP)
    reference = SentenceBlock(below, _flow(picture.reference, width, measure))
    legend = flow((), [label + 2 * px(PADDING) for label in labels], width, px(LEGEND_GAP))
    return AlignmentLayout(width, hypothesis, reference, legend)


def _flow(sentence: Sentence, width: int, measure: Callable[[str], float]) -> WordFlow:
    widths = [measure(word) + 2 * px(PADDING) for word in sentence.words]
    return flow(sentence.words, widths, width, px(GAP))
