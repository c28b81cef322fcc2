"""Comparisons, best-worst choices and comments in the page."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from support.rating import random_answers, studies

Key = Qt.Key


@pytest.fixture
def make(open_rater):
    def rater(questionnaire):
        """Comparisons, best-worst choices and comments in the page."""
        study = studies.study(raters=3, ratings=2, questionnaire=questionnaire)
        found = open_rater(studies.contents(study)[0])
        found.begin()
        return found

    return rater


def test_a_digit_chooses_the_better_of_two_stories(make):
    rater = make(random_answers.PAIR)
    assert rater.run("document.querySelectorAll('.story').length") == 2
    rater.keys(Key.Key_3, saved=False)
    rater.keys(Key.Key_2)
    assert rater.session.events[-1].value == 2
    rater.keys(Key.Key_Return)
    assert rater.session.state.place == 1


def test_best_and_worst_are_chosen_by_two_digits(make):
    rater = make(random_answers.FOUR_KINDS)
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


def test_the_best_cannot_also_be_the_worst(make):
    rater = make(random_answers.FOUR_KINDS)
    rater.keys(Key.Key_2, Key.Key_2, saved=False)
    rater.qtbot.wait(200)
    assert rater.session.events == []
    rater.keys(Key.Key_1)
    assert rater.session.events[-1].value in ([1, 2], [2, 1])


def test_a_comment_is_saved_when_its_field_loses_the_focus_and_its_letters_are_no_shortcuts(make):
    rater = make(random_answers.PAIR)
    rater.run("document.querySelector('textarea').focus()")
    rater.qtbot.wait(50)
    QTest.keyClicks(rater.view.focusProxy(), "us 5? s")
    assert rater.session.events == []
    rater.keys(Key.Key_Escape)
    (event,) = rater.session.events
    assert (event.question, event.value) == ("why", "us 5? s")


@pytest.fixture
def answers(open_rater, content):
    """Return the page of a rater of answers, each with its own pictures."""
    photos = tuple(photo for photo in content.items[0].photos if photo.name)
    items = tuple(
        replace(
            item,
            photos=photos[:1],
            context=(("Question", "<img src=x> what is it?"),),
            stories=("a <b>dog</b>",),
            pictures=(photos[1:3],),
        )
        for item in content.items[:2]
    )
    found = open_rater(
        replace(content, items=items, entry=("answer", "answers"), picture=("picture", "pictures"))
    )
    found.begin()
    return found


def test_context_and_pictures_of_an_entry_are_shown_and_texts_are_never_markup(answers):
    assert answers.text("context") == "Question<img src=x> what is it?"
    assert answers.text("stories").endswith("a <b>dog</b>")
    assert answers.run("document.querySelectorAll('#context img, #stories b').length") == 0
    assert answers.run("document.querySelectorAll('#photos img').length") == 1
    assert answers.run("document.querySelectorAll('#stories img').length") == 2
    labels = answers.run(
        "[...document.querySelectorAll('.pictures button')].map((one) => one.ariaLabel)"
    )
    assert labels == [f"Picture {number} of 3, enlarge" for number in (1, 2, 3)]
    assert answers.run("document.querySelector('#stories article').ariaLabel") == "Answer"
    assert answers.text("missing") == "Cannot judge, pictures missing"


def test_the_review_uses_the_noun_of_the_entries(answers):
    for _ in range(2):
        answers.keys(*[Key.Key_4] * 6, Key.Key_Return)
    assert answers.text("review-text").startswith("All 2 answers are answered.")
    assert (
        answers.run("document.querySelector('#items button').textContent") == "Answer 1: answered"
    )


def test_an_answer_before_the_pictures_are_shown_does_not_count(answers):
    answers.keys(*[Key.Key_4] * 6)
    answers.run("(HTMLImageElement.prototype.decode = () => new Promise(() => {}), 1)")
    answers.keys(Key.Key_Return, saved=False)
    answers.until("document.getElementById('place').textContent === '2 of 2'")
    answers.keys(Key.Key_4, saved=False)
    answers.until("document.getElementById('message').textContent !== ''")
    assert answers.text("message") == "Wait until the pictures are shown."
    assert answers.session.state.number == 7


def test_the_digit_0_says_that_neither_is_better_where_that_is_an_answer(make):
    (better, *rest) = random_answers.PAIR.questions
    with_tie = replace(better, tie="Both are equally good")
    rater = make(replace(random_answers.PAIR, questions=(with_tie, *rest)))
    rater.keys(Key.Key_0)
    assert rater.session.events[-1].value == 0
    pressed = "document.querySelector('.scale button[aria-pressed=true]').ariaLabel"
    assert rater.run(pressed) == "0, Both are equally good"
    rater.keys(Key.Key_Return)
    assert rater.session.state.place == 1


def test_the_digit_0_is_no_answer_without_ties(make):
    rater = make(random_answers.PAIR)
    rater.keys(Key.Key_0, saved=False)
    rater.keys(Key.Key_1)
    assert [event.value for event in rater.session.events] == [1]
