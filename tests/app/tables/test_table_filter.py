"""The filter line above a table: shown for long tables, where there is room for both."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from jurydesk.app.style.theme import px, theme
from jurydesk.app.tables.table_filter import MANY_ROWS, FilteredTable
from jurydesk.core.tables.columns import NumberColumn


@pytest.fixture
def ranks(qtbot):
    """Yield a shown table of twice as many rows as need a filter line."""
    window = QWidget()
    qtbot.addWidget(window)
    filtered = FilteredTable("Ranked list")
    filtered.setParent(window)
    values = np.arange(2 * MANY_ROWS, dtype=np.float64)
    filtered.table.table_model.show([NumberColumn("rank", "Rank", values, decimals=0)])
    filtered.resize(400, 400)
    window.show()
    qtbot.waitUntil(filtered.isVisible)
    yield filtered
    window.close()


def lowest(filtered):
    return filtered.minimumSizeHint().height()


def test_the_line_has_the_margins_of_the_zoom(qtbot, ranks):
    theme().set_zoom(2.0)
    ranks.resize(800, 800)
    qtbot.waitUntil(lambda: ranks.line.x() == px(9))


def test_the_line_leaves_its_room_to_the_table_where_both_do_not_fit(ranks):
    assert ranks.line.isVisible()
    ranks.resize(400, lowest(ranks))
    assert not ranks.line.isVisible()
    ranks.resize(400, 400)
    assert ranks.line.isVisible()


def test_the_line_adds_nothing_to_the_height_that_the_table_needs(ranks):
    with_line = lowest(ranks)
    ranks.line.hide()
    assert with_line == lowest(ranks) == ranks.table.minimumSizeHint().height()


def test_a_line_with_a_query_stays_where_there_is_no_room(qtbot, ranks):
    ranks.line.field.setFocus()
    qtbot.keyClicks(ranks.line.field, "rank < 3")
    qtbot.keyClick(ranks.line.field, Qt.Key.Key_Return)
    ranks.resize(400, lowest(ranks))
    assert ranks.line.isVisible()
    assert ranks.table.table_model.rowCount() == 3


def test_a_short_table_has_no_line(ranks):
    values = np.arange(MANY_ROWS - 1, dtype=np.float64)
    ranks.table.table_model.show([NumberColumn("rank", "Rank", values, decimals=0)])
    assert not ranks.line.isVisible()
