"""Sentences of two texts and their reference, and the words that one of them alone matches."""

from __future__ import annotations

import pytest

from jurydesk.app.inspectors.alignment.compared_sentences import (
    ComparedTexts,
    mark_sentences,
    sentence_ends,
)
from jurydesk.core.metrics.meteor.alignment.alignment import AlignmentMatch
from support.windows.alignments import alignment

LEFT, REFERENCE, RIGHT = "we saw dogs . fun", "we saw a dog . it was fun .", "a dog barked ."
IN_LEFT = (
    AlignmentMatch(0, 2, 0, 2, 0),
    AlignmentMatch(3, 1, 2, 1, 1),
    AlignmentMatch(4, 1, 3, 1, 0),
    AlignmentMatch(7, 1, 4, 1, 0),
)
IN_RIGHT = (
    AlignmentMatch(2, 1, 0, 1, 0),
    AlignmentMatch(3, 1, 1, 1, 0),
    AlignmentMatch(4, 1, 3, 1, 0),
)


def compared(*, right_is_aligned: bool = True) -> ComparedTexts:
    left = alignment(LEFT.split(), REFERENCE.split(), IN_LEFT)
    right = alignment(RIGHT.split(), REFERENCE.split(), IN_RIGHT)
    return mark_sentences((LEFT, RIGHT), REFERENCE, (left, right if right_is_aligned else None))


def marks(texts: ComparedTexts, column: int) -> list[list[str]]:
    return [[word.mark for word in sentence] for sentence in texts.columns[column]]


def test_a_word_is_marked_by_the_systems_that_match_its_words_of_the_reference():
    texts = compared()
    assert marks(texts, 0) == [["left", "left", "both", "both"], ["left"]]
    assert marks(texts, 1) == [
        ["left", "left", "right", "both", "both"],
        ["neither", "neither", "left", "neither"],
    ]
    assert marks(texts, 2) == [["right", "both", "neither", "both"]]
    assert (texts.rows, texts.only("left"), texts.only("right")) == (2, 3, 1)


def test_words_keep_the_numbers_of_their_matches():
    (first, *_), _, (third, *_) = compared().columns
    assert [word.left for word in first] == [0, 0, 1, 2]
    assert [word.right for word in third] == [0, 1, -1, 2]


def test_a_text_without_alignment_is_shown_as_it_is():
    texts = compared(right_is_aligned=False)
    assert [word.text for (sentence,) in [texts.columns[2]] for word in sentence] == RIGHT.split()
    assert {mark for row in marks(texts, 2) for mark in row} == {"neither"}
    assert {mark for row in marks(texts, 1) for mark in row} == {"left", "neither"}


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("", []),
        ("no mark at all", ["no mark at all"]),
        ("we met mr. smith . he left .", ["we met mr. smith .", "he left ."]),
        ("We ran. They won! Why?", ["We ran.", "They won!", "Why?"]),
        ("wow ! ! ! then '' we left .", ["wow ! ! !", "then '' we left ."]),
        ('he said " stop . " we left', ['he said " stop . "', "we left"]),
        ("我们 走 了 。 再见 。", ["我们 走 了 。", "再见 。"]),
        (". . .", [". . ."]),
    ],
)
def test_sentences_end_after_marks_and_closing_quotes(text, sentences):
    words = text.split()
    ends = sentence_ends(words)
    starts = [0, *ends[:-1]]
    assert [" ".join(words[a:b]) for a, b in zip(starts, ends, strict=bool(ends))] == sentences
