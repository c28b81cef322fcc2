"""Sentences of two texts and their reference, with the words that one of them alone matches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from jurydesk.app.inspectors.alignment.alignment_layout import (
    AlignmentDrawing,
    drawing_of,
    unaligned_drawing,
)
from jurydesk.core.metrics.meteor.alignment.alignment import Alignment

Mark = Literal["both", "left", "right", "neither"]
"""Whose alignment contains a word of the reference, or the reference's words for it."""
NO_MATCH = -1
MARKS = frozenset(".!?…。！？")
CLOSING = frozenset("\"'”’)]»」』")


@dataclass(frozen=True, slots=True)
class MarkedWord:
    """A word with its mark, and the numbers of its matches in both alignments."""

    text: str
    mark: Mark
    left: int = NO_MATCH
    right: int = NO_MATCH


MarkedSentence = tuple[MarkedWord, ...]


@dataclass(frozen=True, slots=True)
class ComparedTexts:
    """Sentences of the left text, the reference and the right text.

    `cut` counts words that are not drawn. `alignments` and `drawings` are those of both texts with
    the reference.
    """

    columns: tuple[tuple[MarkedSentence, ...], ...]
    cut: int
    alignments: tuple[Alignment | None, Alignment | None]
    drawings: tuple[AlignmentDrawing, AlignmentDrawing]

    @property
    def rows(self) -> int:
        """Number of sentences of the text with the most."""
        return max(map(len, self.columns))

    def only(self, mark: Mark) -> int:
        """Return how many words of a text have its own mark."""
        column = self.columns[0 if mark == "left" else 2]
        return sum(word.mark == mark for sentence in column for word in sentence)


def mark_sentences(
    texts: tuple[str, str], reference: str, alignments: tuple[Alignment | None, Alignment | None]
) -> ComparedTexts:
    """Mark the words of two texts and their reference.

    A text without alignment is shown as it is; so is the reference if neither is aligned.
    """
    left, right = (
        unaligned_drawing(text.split(), reference.split()) if found is None else drawing_of(found)
        for text, found in zip(texts, alignments, strict=True)
    )
    meant = right.reference if alignments[0] is None else left.reference
    same = left.reference.words == right.reference.words
    # Without the same words of the reference, the marks of one text say nothing of the other.
    in_left = left.reference.match_of if same or alignments[0] else (NO_MATCH,) * len(meant.words)
    in_right = right.reference.match_of if same else (NO_MATCH,) * len(meant.words)
    middle = [
        MarkedWord(word, mark_of(one != NO_MATCH, two != NO_MATCH), one, two)
        for word, one, two in zip(meant.words, in_left, in_right, strict=True)
    ]
    is_in_both = [word.mark == "both" for word in middle]
    sides = [
        [
            MarkedWord(
                word,
                _own_mark(drawing, number, own, is_in_both),
                **{own: number},
            )
            for word, number in zip(
                drawing.hypothesis.words, drawing.hypothesis.match_of, strict=True
            )
        ]
        for own, drawing in (("left", left), ("right", right))
    ]
    cut = left.hypothesis.cut + right.hypothesis.cut + meant.cut
    columns = (sides[0], middle, sides[1])
    return ComparedTexts(tuple(map(_sentences, columns)), cut, alignments, (left, right))


def mark_of(in_left: bool, in_right: bool) -> Mark:
    """Return the mark of a word by the texts that match it."""
    if in_left and in_right:
        return "both"
    return "left" if in_left else "right" if in_right else "neither"


def _own_mark(drawing: AlignmentDrawing, match: int, own: str, is_in_both: Sequence[bool]) -> Mark:
    """Return the mark of a word of one text: "both" if the other matches the same words."""
    if match == NO_MATCH:
        return "neither"
    span = drawing.span(match, reference=True)
    if all(is_in_both[span.start : span.start + span.length]):
        return "both"
    return "left" if own == "left" else "right"


def _sentences(words: Sequence[MarkedWord]) -> tuple[MarkedSentence, ...]:
    ends = sentence_ends([word.text for word in words])
    starts = [0, *ends]
    return tuple(tuple(words[start:end]) for start, end in zip(starts, ends, strict=False))


def sentence_ends(words: Sequence[str]) -> list[int]:
    """Return the index after the last word of each sentence.

    In a tokenized text a sentence ends after a mark of its own, so that "mr." ends none; in other
    texts after a word with a mark at its end. Further marks and closing quotes belong to it.
    """
    is_tokenized = any(_is_mark(word) for word in words)
    found: list[int] = []
    is_over = False
    for place, word in enumerate(words):
        if is_over and not _is_mark(word) and not _consists_of(word, CLOSING):
            found.append(place)
            is_over = False
        is_over = is_over or (_is_mark(word) if is_tokenized else _ends_sentence(word))
    return [*found, len(words)] if words else found


def _is_mark(word: str) -> bool:
    return _consists_of(word, MARKS)


def _ends_sentence(word: str) -> bool:
    return word.rstrip("".join(CLOSING))[-1:] in MARKS


def _consists_of(word: str, letters: Iterable[str]) -> bool:
    return bool(word) and set(word) <= set(letters)
