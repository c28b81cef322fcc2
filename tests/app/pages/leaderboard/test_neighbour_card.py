"""Card that compares two neighbours of the board."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from jurydesk.app.jobs.neighbour_differences import GainCurve
from jurydesk.app.pages.leaderboard.neighbour_card import NeighbourCard
from jurydesk.app.pages.leaderboard.neighbour_verdict import NeighbourComparison
from support import toy


@pytest.fixture
def card(qtbot: QtBot) -> NeighbourCard:
    card = NeighbourCard()
    qtbot.addWidget(card)
    sentence = "They do not differ significantly: difference +0.01"
    card.show_pair(NeighbourComparison("<b>one</b>", "two", sentence, toy.CLOSENESS))
    return card


def test_the_card_shows_names_and_sentence_as_plain_text(card: NeighbourCard) -> None:
    assert card.isVisible()
    assert (card.title.text(), card.against.text()) == ("<b>one</b>", "against two")
    for part in (card.title, card.against):
        assert part.textFormat() is Qt.TextFormat.PlainText
    assert card.sentence.text().startswith("They do not differ significantly")


def test_a_narrow_card_shortens_each_name_on_its_own_line(card: NeighbourCard) -> None:
    names = [f"{name}, an ensemble of twelve large models" for name in ("one", "another one")]
    card.show_pair(NeighbourComparison(*names, "They differ", toy.CLOSENESS))
    card.resize(260, 200)
    card.layout().activate()
    for part, start, name in zip(
        (card.title, card.against), ("one", "against another one"), names, strict=True
    ):
        shown = part.shown_text()
        assert shown.startswith(start[:9])
        assert "…" in shown
        assert part.fontMetrics().horizontalAdvance(shown) <= part.width()
        assert name in part.toolTip()


def test_a_narrow_card_keeps_the_ends_that_tell_two_long_names_apart(card: NeighbourCard) -> None:
    names = [f"Group of Visual Storytelling of a University (beam {n})" for n in (3, 5)]
    card.show_pair(NeighbourComparison(*names, "They differ", toy.CLOSENESS))
    card.resize(260, 200)
    assert card.title.shown_text().endswith("3)")
    assert card.against.shown_text().endswith("5)")


def test_the_button_of_the_card_requests_the_comparison(qtbot: QtBot, card: NeighbourCard) -> None:
    with qtbot.waitSignal(card.comparison_requested):
        qtbot.mouseClick(card.button, Qt.MouseButton.LeftButton)


def test_incomparable_systems_have_no_button(card: NeighbourCard) -> None:
    card.show_pair(
        NeighbourComparison("one", "two", "two has no number", toy.CLOSENESS, comparable=False)
    )
    assert card.isVisible()
    assert not card.button.isVisible()


def test_a_single_system_has_no_card(card: NeighbourCard) -> None:
    card.show_pair(None)
    assert not card.isVisible()


def test_the_card_shows_wins_losses_and_ties(card: NeighbourCard) -> None:
    card.show_gains(GainCurve(1981, 957, 3, (0.1, -0.1)), "stories", reading=False)
    assert card.counts.text() == "better on 1,981, worse on 957, the same on 3"
    assert card.curve.caption == "stories sorted by difference"


def test_units_are_named(card: NeighbourCard) -> None:
    card.show_gains(GainCurve(1, 0, 0, (0.1,), "images"), "detections", reading=False)
    assert card.curve.caption == "images sorted by difference"


def test_the_space_is_kept_while_reading_and_released_without_gains(
    card: NeighbourCard,
) -> None:
    card.show_gains(None, "stories", reading=True)
    assert card.curve.isVisible()
    assert card.counts.text() == " "
    card.show_gains(None, "stories", reading=False)
    assert not card.curve.isVisible()
