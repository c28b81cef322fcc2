"""Two inspectors side by side, whose texts have one scroll bar."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QScrollBar

from jurydesk.app.inspectors.card_column import fill_view
from jurydesk.app.inspectors.inspector import InspectedItem, Inspector
from jurydesk.app.pages.compare import compare_cards
from jurydesk.app.pages.compare.compare_cards import DifferencesPlot, InspectorPairCard
from jurydesk.app.style.theme import TINY, font
from jurydesk.app.widgets.scroll import VerticalScrollArea
from jurydesk.core.tasks.vist.vist_evidence import ScoredStory, StoryEvidence
from support.windows.alignments import alignment
from support.windows.wheel import turn_wheel

HEIGHTS = (2000, 1000)
"""A turn of the wheel down."""


class TallText(Inspector):
    """Inspector that scrolls a text of a height."""

    def __init__(self, height: int) -> None:
        super().__init__()
        self.text = QLabel("text")
        self.text.setMinimumHeight(height)
        fill_view(self, self.text)
        (self.area,) = self.findChildren(VerticalScrollArea)

    def show_item(self, item: InspectedItem) -> None:
        """Show nothing else."""


@pytest.fixture
def card(qtbot, monkeypatch) -> InspectorPairCard:
    """Return a card with a longer text at the left."""
    heights = iter(HEIGHTS)
    monkeypatch.setattr(compare_cards, "make_inspector", lambda view: (TallText(next(heights)), ""))
    made = InspectorPairCard()
    qtbot.addWidget(made)
    for place in (0, 1):
        made.make_side(place)
    made.resize(1200, 400)
    made.show()
    qtbot.waitUntil(lambda: limits(made)[0] > limits(made)[1] > 100)
    return made


def limits(card: InspectorPairCard) -> list[int]:
    return [side.area.verticalScrollBar().maximum() for side in card.inspectors]


def places(card: InspectorPairCard) -> list[int]:
    return [side.area.verticalScrollBar().value() for side in card.inspectors]


def test_the_two_texts_have_one_scroll_bar(card):
    assert [bar for bar in card.findChildren(QScrollBar) if bar.isVisible()] == [card.scroll_bar]


def test_the_bar_scrolls_both_texts_and_the_longer_one_to_its_end(card):
    card.scroll_bar.setValue(100)
    assert places(card) == [100, 100]
    card.scroll_bar.setValue(card.scroll_bar.maximum())
    assert places(card) == limits(card)
    card.scroll_bar.setValue(50)
    assert places(card) == [50, 50]


@pytest.mark.parametrize("side", [0, 1])
def test_the_wheel_over_either_text_scrolls_both(card, side):
    turn_wheel(card.inspectors[side].area.viewport())
    assert places(card)[0] == places(card)[1] > 0
    for _ in range(100):
        turn_wheel(card.inspectors[side].area.viewport())
    assert places(card) == limits(card)
    turn_wheel(card.inspectors[side].area.viewport(), -1)
    assert limits(card)[1] < places(card)[0] < limits(card)[0]


@pytest.mark.parametrize("side", [0, 1])
def test_page_down_in_either_text_scrolls_both(card, side):
    QTest.keyClick(card.inspectors[side].text, Qt.Key.Key_PageDown)
    assert places(card)[0] == places(card)[1] > 0
    for _ in range(10):
        QTest.keyClick(card.inspectors[side].text, Qt.Key.Key_PageDown)
    assert places(card) == limits(card)
    QTest.keyClick(card.inspectors[side].text, Qt.Key.Key_PageUp)
    assert limits(card)[1] < places(card)[0] < limits(card)[0]


def test_a_text_that_scrolls_to_its_focus_takes_the_other_along(card):
    card.scroll_bar.setValue(card.scroll_bar.maximum())
    card.inspectors[1].area.ensureVisible(0, 0)
    assert places(card) == [0, 0]


def test_a_text_that_becomes_longer_catches_up(qtbot, card):
    card.scroll_bar.setValue(card.scroll_bar.maximum())
    card.inspectors[1].text.setMinimumHeight(HEIGHTS[0])
    qtbot.waitUntil(lambda: places(card)[0] == places(card)[1] == card.scroll_bar.maximum())


def test_texts_that_fit_have_no_scroll_bar(qtbot, card):
    for side in card.inspectors:
        side.text.setFixedHeight(20)
    qtbot.waitUntil(lambda: not card.scroll_bar.isVisible())
    assert limits(card) == [0, 0]


def test_a_text_that_is_not_shown_does_not_count(qtbot, card):
    card.inspectors[1].text.setFixedHeight(20)
    qtbot.waitUntil(lambda: limits(card)[1] == 0)
    assert card.scroll_bar.isVisible()
    card.inspectors[0].area.hide()
    assert not card.scroll_bar.isVisible()
    card.inspectors[0].area.show()
    assert card.scroll_bar.isVisible()


def test_other_inspectors_have_the_bar_to_themselves(qtbot, monkeypatch, card):
    card.begin("another")
    assert not card.scroll_bar.isVisible()
    monkeypatch.setattr(compare_cards, "make_inspector", lambda view: (TallText(1500), ""))
    for place in (0, 1):
        card.make_side(place)
    qtbot.waitUntil(lambda: card.scroll_bar.maximum() == limits(card)[0] > 0)
    card.scroll_bar.setValue(70)
    assert places(card) == [70, 70]


def test_the_switch_of_the_systems_stands_beside_the_name_of_the_item(qtbot, card):
    card.show_names(("a name of an item", "id"), ("first", "second"))
    assert card.sides.switch.isHidden()
    card.resize(400, 400)
    qtbot.waitUntil(card.sides.switch.isVisible)
    switch, name = card.sides.switch, card.name
    qtbot.waitUntil(lambda: abs(switch.geometry().center().y() - name.geometry().center().y()) <= 1)
    assert switch.x() > name.geometry().right() > 0
    assert switch.width() <= card.sides.width() // 2


def test_one_of_two_systems_needs_less_width_than_both_whatever_their_names(qtbot, card):
    systems = ("the first of two systems with long names", "the second of them")
    card.show_names(("a name of an item", "id"), systems, "1.0000 against 0.0000")
    card.resize(card.full_width() - 20, 400)
    qtbot.waitUntil(card.sides.switch.isVisible)
    assert card.content_size().width() < card.full_width()
    assert card.values.isHidden()
    card.resize(1200, 400)
    qtbot.waitUntil(card.sides.switch.isHidden)
    assert card.values.isVisible()


def test_a_comparison_is_shown_with_the_items_of_both_systems_not_with_older_ones(qtbot):
    card = InspectorPairCard()
    qtbot.addWidget(card)
    card.begin("vist")
    card.make_side(0)
    assert card.comparison is not None
    story = ScoredStory("1", "we ran .", 0.5)
    found = alignment(["we", "ran"], ["we", "ran"], ())
    one = InspectedItem(
        "11",
        "narrators",
        StoryEvidence("7", ("11",), "we ran", "published", (story,), 0, found),
        {},
        {},
    )
    for _ in range(2):
        card.show_side(0, one)
        assert card.comparison.isHidden()
        card.show_side(1, one)
        assert not card.comparison.isHidden()
        card.clear()


def test_the_title_of_the_plot_has_two_names_that_differ(qtbot):
    plot = DifferencesPlot()
    qtbot.addWidget(plot)
    plot.show_gains("late, 3 of the runs", "late, 5 of the runs", np.array([0.1, -0.1]), "items")
    first, second = plot.elided_title(QFontMetricsF(font(TINY)), 220).split(" · ")
    names = first.removesuffix(" better on 1 ↑"), second.removesuffix(" on 1 ↓")
    assert "…" in names[0]
    assert len(set(names)) == 2
