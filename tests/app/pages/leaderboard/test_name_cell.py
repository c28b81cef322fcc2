"""A remark leaves a system's name whole: it goes below the name, or is shortened first."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QFontMetrics

from jurydesk.app.pages.leaderboard.name_cell import (
    CHIP_HEIGHT,
    GAP,
    LEAST_CHIP,
    chips_width,
    lay_out_name,
)
from jurydesk.app.style.theme import TINY, font, px

NAME = "late-comers"
LATE = "late by 74 days 22 h"
COPY = "same as another-team-of-the-same-institute"


def cell(chips, height, width=None):
    """Lay out a name in a cell, by default of the name's width and the least of the remarks."""
    least = len(chips) * px(LEAST_CHIP + GAP)
    width = width or QFontMetrics(font()).horizontalAdvance(NAME) + least
    rect = QRect(300, 100, width, height)
    return rect, lay_out_name(NAME, chips, rect)


@pytest.mark.parametrize("chips", [[LATE], [LATE, COPY]])
@pytest.mark.parametrize("height", [28, 49])
def test_the_name_is_whole_and_no_remark_leaves_the_cell(chips, height):
    rect, laid = cell(chips, height)
    assert laid.text == NAME
    assert len(laid.chips) == len(chips)
    tiny = QFontMetrics(font(TINY))
    for chip in laid.chips:
        assert rect.contains(chip.rect)
        assert tiny.horizontalAdvance(chip.text) <= chip.rect.width()


def test_a_remark_without_room_beside_the_name_is_whole_below_it():
    _, laid = cell([LATE], 49, width=chips_width([LATE]))
    (chip,) = laid.chips
    assert chip.text == LATE
    assert chip.rect.top() > laid.rect.center().y() + QFontMetrics(font()).height() // 2


def test_a_remark_stays_beside_the_name_where_there_is_room():
    _, laid = cell([LATE], 49, width=400)
    (chip,) = laid.chips
    assert (laid.text, chip.text) == (NAME, LATE)
    assert chip.rect.center().y() == pytest.approx(laid.rect.center().y(), abs=px(1))
    assert chip.rect.left() >= 300 + QFontMetrics(font()).horizontalAdvance(NAME)


def test_a_shortened_name_without_remarks_stands_in_the_middle_of_its_row():
    rect, laid = cell([], 49, width=60)
    assert "…" in laid.text
    assert laid.rect == rect


def test_in_a_low_row_the_remark_is_shortened_before_the_name():
    _, laid = cell([LATE], px(CHIP_HEIGHT) + 4)
    assert laid.text == NAME
    assert laid.chips[0].text.startswith("late")
    assert laid.chips[0].text.endswith("…")


@pytest.mark.parametrize("width", [0, 5, 40, 300])
@pytest.mark.parametrize("chips", [[], ["late"], ["late by 3 days", "not scored"]])
@pytest.mark.parametrize("height", [30, 60])
def test_a_cell_of_any_size_is_laid_out(qapp, width, chips, height):
    made = lay_out_name("n" * 3000, chips, QRect(0, 0, width, height))
    assert [one.rect.width() >= 0 for one in made.chips] == [True] * len(chips)
