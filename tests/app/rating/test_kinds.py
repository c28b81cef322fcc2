"""Comparisons, best and worst, and comments in the page."""

from __future__ import annotations

import pytest
import sittings
import studies
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

Key = Qt.Key


@pytest.fixture
def make(open_rater):
    def rater(questionnaire):
        study = studies.study(raters=3, ratings=2, questionnaire=questionnaire)
        found = open_rater(studies.contents(study)[0])
        found.begin()
        return found

    return rater


def test_of_two_stories_a_digit_chooses_the_better(make):
    rater = make(sittings.PAIR)
    assert rater.run("document.querySelectorAll('.story').length") == 2
    rater.keys(Key.Key_3, saved=False)
    rater.keys(Key.Key_2)
    assert rater.session.events[-1].value == 2
    rater.keys(Key.Key_Return)
    assert rater.session.sitting.place == 1


def test_best_and_worst_take_two_digits(make):
    rater = make(sittings.FOUR_KINDS)
    assert rater.run("document.querySelectorAll('.story').length") == 3
    rater.keys(Key.Key_2, saved=False)
    rater.until("document.querySelectorAll('.scale button[aria-pressed=true]').length === 1")
    rater.keys(Key.Key_3)
    assert rater.session.events[-1].value == [2, 3]
    names = rater.run(
        "[...document.querySelectorAll('.scale button[aria-pressed=true]')]"
        ".map((b) => b.getAttribute('aria-label'))"
    )
    assert names == ["best: 2, Story 2", "worst: 3, Story 3"]


def test_the_best_is_not_also_the_worst(make):
    rater = make(sittings.FOUR_KINDS)
    rater.keys(Key.Key_2, Key.Key_2, saved=False)
    rater.qtbot.wait(200)
    assert rater.session.events == []
    rater.keys(Key.Key_1)
    assert rater.session.events[-1].value in ([1, 2], [2, 1])


def test_a_comment_is_kept_when_it_is_left_and_its_letters_are_no_keys(make):
    rater = make(sittings.PAIR)
    rater.run("document.querySelector('textarea').focus()")
    rater.qtbot.wait(50)
    QTest.keyClicks(rater.view.focusProxy(), "us 5? s")
    assert rater.session.events == []
    rater.keys(Key.Key_Escape)
    (event,) = rater.session.events
    assert (event.question, event.value) == ("why", "us 5? s")
