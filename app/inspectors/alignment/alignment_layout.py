"""Layout of an alignment: positions of words, lines and brackets, without painting."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from jurydesk.app.style.theme import px
from jurydesk.app.style.visible_text import display_text, is_right_to_left
from jurydesk.core.metrics.meteor.alignment.alignment import Alignment, AlignmentMatch


@dataclass(frozen=True, slots=True)
class Word:
    """Position of a word: line, left edge and width in pixels."""

    line: int
    left: float
    width: float

    @property
    def right(self) -> float:
        return self.left + self.width


@dataclass(frozen=True, slots=True)
class Stretch:
    """Part of one line between two edges."""

    line: int
    left: float
    right: float

    @property
    def middle(self) -> float:
        """Midpoint of the edges."""
        return (self.left + self.right) / 2


@dataclass(frozen=True, slots=True)
class WordFlow:
    """Words broken into lines of one width, left to right or right to left."""

    words: tuple[Word, ...]

    @property
    def lines(self) -> int:
        """Number of lines; at least one."""
        return self.words[-1].line + 1 if self.words else 1

    def stretches(self, start: int, length: int) -> tuple[Stretch, ...]:
        """Return the extent of consecutive words, one stretch for each line."""
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
        first = bisect_right(self.words, line - 1, key=lambda word: word.line)
        last = bisect_right(self.words, line, key=lambda word: word.line)
        for index in range(first, last):
            if self.words[index].left <= x < self.words[index].right:
                return index
        return None


def flow(texts: Sequence[str], widths: Sequence[float], available: float, gap: float) -> WordFlow:
    """Place words of these widths into lines of the width `available`."""
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
"""Maximum number of words drawn of a sentence; the legend states how many are omitted."""

PADDING, GAP = 5, 2
TITLE, LINE, BLOCK_GAP = 26, 42, 16
LEGEND_LINE, LEGEND_GAP = 34, 6


@dataclass(frozen=True, slots=True)
class Sentence:
    """Sentence of an alignment: its words as drawn, and the match of each word."""

    words: tuple[str, ...]
    match_of: tuple[int, ...]
    cut: int
    """Number of words that are not drawn."""


@dataclass(frozen=True, slots=True)
class WordSpan:
    """Consecutive words of a sentence that belong to a match or chunk."""

    start: int
    length: int


@dataclass(frozen=True, slots=True)
class AlignmentDrawing:
    """Alignment as drawn: two sentences with the spans of matches and chunks."""

    hypothesis: Sentence
    reference: Sentence
    matches: tuple[AlignmentMatch, ...]
    chunk_of: tuple[int, ...]

    def span(self, match: int, *, reference: bool) -> WordSpan:
        """Return the words of a match in one sentence."""
        found = self.matches[match]
        if reference:
            return WordSpan(found.start, found.length)
        return WordSpan(found.match_start, found.match_length)

    def chunk_spans(self, *, reference: bool) -> tuple[WordSpan, ...]:
        """Return the words of each chunk in one sentence; a chunk's matches are consecutive."""
        firsts = [
            i for i, chunk in enumerate(self.chunk_of) if i == 0 or chunk != self.chunk_of[i - 1]
        ]
        spans = []
        for first, after in pairwise([*firsts, len(self.matches)]):
            head = self.span(first, reference=reference)
            tail = self.span(after - 1, reference=reference)
            spans.append(WordSpan(head.start, tail.start + tail.length - head.start))
        return tuple(spans)


def unaligned_drawing(hypothesis: Sequence[str], reference: Sequence[str]) -> AlignmentDrawing:
    """Return two sentences without an alignment."""
    return AlignmentDrawing(_sentence(hypothesis, ()), _sentence(reference, ()), (), ())


def drawing_of(alignment: Alignment) -> AlignmentDrawing:
    """Return the drawable part of an alignment: the first words, and the matches in them."""
    kept = tuple(
        match
        for match in alignment.matches
        if match.start + match.length <= SHOWN_WORDS
        and match.match_start + match.match_length <= SHOWN_WORDS
    )
    chunks = dict(zip(alignment.matches, alignment.chunk_of_matches(), strict=True))
    spans_1 = [WordSpan(match.match_start, match.match_length) for match in kept]
    spans_2 = [WordSpan(match.start, match.length) for match in kept]
    return AlignmentDrawing(
        _sentence(alignment.hypothesis, spans_1),
        _sentence(alignment.reference, spans_2),
        kept,
        tuple(chunks[match] for match in kept),
    )


def _sentence(words: Sequence[str], spans: Sequence[WordSpan]) -> Sentence:
    visible = tuple(display_text(word) for word in words[:SHOWN_WORDS])
    match_of = [-1] * len(visible)
    for number, span in enumerate(spans):
        match_of[span.start : span.start + span.length] = [number] * span.length
    return Sentence(visible, tuple(match_of), max(0, len(words) - SHOWN_WORDS))


@dataclass(frozen=True, slots=True)
class SentenceBlock:
    """Sentence broken into lines, below its title at `top`."""

    top: int
    flow: WordFlow

    @property
    def bottom(self) -> int:
        return self.line_top(self.flow.lines)

    def line_top(self, line: int) -> int:
        """Return the upper edge of a line."""
        return self.top + px(TITLE) + line * px(LINE)

    def stretches(self, span: WordSpan) -> tuple[Stretch, ...]:
        """Return the extent of the words of a span, one stretch for each line."""
        return self.flow.stretches(span.start, span.length)

    def word_at(self, x: float, y: float) -> int | None:
        """Return the word at a point of the widget."""
        line = int((y - self.line_top(0)) // px(LINE))
        return self.flow.word_at(line, x) if 0 <= line < self.flow.lines else None


@dataclass(frozen=True, slots=True)
class AlignmentLayout:
    """Both sentences, one below the other, and the legend below them."""

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
    def has_single_lines(self) -> bool:
        """True if lines between the sentences would cross no text."""
        return self.hypothesis.flow.lines == self.reference.flow.lines == 1


def layout(
    picture: AlignmentDrawing,
    width: int,
    measure: Callable[[str], float],
    labels: Sequence[float] = (),
) -> AlignmentLayout:
    """Break both sentences, and a legend with labels of these widths, into lines of a width.

    `measure` returns the width of a text in pixels.
    """
    hypothesis = SentenceBlock(0, _flow(picture.hypothesis, width, measure))
    below = hypothesis.bottom + px(BLOCK_GAP)
    reference = SentenceBlock(below, _flow(picture.reference, width, measure))
    legend = flow((), [label + 2 * px(PADDING) for label in labels], width, px(LEGEND_GAP))
    return AlignmentLayout(width, hypothesis, reference, legend)


def _flow(sentence: Sentence, width: int, measure: Callable[[str], float]) -> WordFlow:
    widths = [measure(word) + 2 * px(PADDING) for word in sentence.words]
    return flow(sentence.words, widths, width, px(GAP))
