"""The card of two neighbours of the board."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.models.against import Against
from app.widgets.against import AgainstCard


@pytest.fixture
def card(qtbot: QtBot) -> AgainstCard:
    card = AgainstCard()
    qtbot.addWidget(card)
    card.show_pair(Against("<b>one</b>", "two", "They cannot be told apart: difference +0.01"))
    return card


def test_it_says_who_and_what_and_shows_names_as_text(card: AgainstCard) -> None:
    assert card.isVisible()
    assert card.title.text() == "<b>one</b> against two"
    assert card.title.textFormat() is Qt.TextFormat.PlainText
    assert card.sentence.text().startswith("They cannot be told apart")


def test_its_button_asks_for_the_comparison(qtbot: QtBot, card: AgainstCard) -> None:
    with qtbot.waitSignal(card.wanted):
        qtbot.mouseClick(card.button, Qt.MouseButton.LeftButton)


def test_without_a_test_it_is_not_there(card: AgainstCard) -> None:
    card.show_pair(None)
    assert not card.isVisible()
