"""The card of two neighbours of the board."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from jurydesk.app.pages.leaderboard.gains import GainCurve
from jurydesk.app.pages.leaderboard.neighbour_card import AgainstCard
from jurydesk.app.pages.leaderboard.neighbour_verdict import Against
from support import toy


@pytest.fixture
def card(qtbot: QtBot) -> AgainstCard:
    card = AgainstCard()
    qtbot.addWidget(card)
    sentence = "They cannot be told apart: difference +0.01"
    card.show_pair(Against("<b>one</b>", "two", sentence, toy.CLOSENESS))
    return card


def test_it_says_who_and_what_and_shows_names_as_text(card: AgainstCard) -> None:
    assert card.isVisible()
    assert card.title.text() == "<b>one</b> against two"
    assert card.title.textFormat() is Qt.TextFormat.PlainText
    assert card.sentence.text().startswith("They cannot be told apart")


def test_its_button_asks_for_the_comparison(qtbot: QtBot, card: AgainstCard) -> None:
    with qtbot.waitSignal(card.wanted):
        qtbot.mouseClick(card.button, Qt.MouseButton.LeftButton)


def test_two_that_cannot_be_compared_have_no_button(card: AgainstCard) -> None:
    card.show_pair(Against("one", "two", "two has no number", toy.CLOSENESS, comparable=False))
    assert card.isVisible()
    assert not card.button.isVisible()


def test_a_system_alone_has_no_card(card: AgainstCard) -> None:
    card.show_pair(None)
    assert not card.isVisible()


def test_it_counts_what_each_is_better_on(card: AgainstCard) -> None:
    card.show_gains(GainCurve(1981, 957, 3, (0.1, -0.1)), "stories", reading=False)
    assert card.counts.text() == "better on 1,981, worse on 957, the same on 3"
    assert card.curve.caption == "stories sorted by difference"


def test_units_are_called_by_their_name(card: AgainstCard) -> None:
    card.show_gains(GainCurve(1, 0, 0, (0.1,), "images"), "detections", reading=False)
    assert card.curve.caption == "images sorted by difference"


def test_the_place_is_kept_while_it_is_read_and_given_up_where_there_is_nothing(
    card: AgainstCard,
) -> None:
    card.show_gains(None, "stories", reading=True)
    assert card.curve.isVisible()
    assert card.counts.text() == " "
    card.show_gains(None, "stories", reading=False)
    assert not card.curve.isVisible()
