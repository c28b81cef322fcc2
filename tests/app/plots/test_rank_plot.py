"""Rank plot and significance map: what they paint, say and list."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from jurydesk.app.plots.heatmap import HeatmapLayout
from jurydesk.app.plots.rank_plot import RankPlot, SignificanceMap, rank_map_view
from jurydesk.app.sheets.numbers_sheet import NumbersSheet
from jurydesk.app.style.theme import current
from jurydesk.core.model.evaluation import Axis, Heatmap

SYSTEMS = ("first-system", "second", "third")
NAMES = Axis("System", labels=SYSTEMS)
RANKS = Axis("Rank", labels=("1", "2", "3"))
SHARES = np.array([[90.0, 10.0, 0.0], [10.0, 40.0, 50.0], [0.0, 50.0, 50.0]])
P = np.array([[np.nan, 0.0002, 0.049], [0.0002, np.nan, 0.4], [0.049, 0.4, np.nan]])
FAMILY = "p values: 3 pairs of 3 systems (Romano-Wolf)"


@pytest.fixture
def ranks(qtbot):
    return shown(qtbot, Heatmap("rank_plot", "Ranks", RANKS, NAMES, SHARES))


@pytest.fixture
def pairs(qtbot):
    found = shown(qtbot, Heatmap("significance_map", FAMILY, NAMES, NAMES, P, decimals=3))
    assert isinstance(found, SignificanceMap)
    return found


def shown(qtbot, heatmap):
    view = rank_map_view(heatmap, (1, 2, 3))
    view.resize(640, 200)
    qtbot.addWidget(view)
    view.show()
    return view


def coloured(view, cell):
    """Return how many pixels of a cell have the accent colour."""
    rect = HeatmapLayout(view.heatmap, view.size()).rect(cell).toRect()
    picture = view.grab(rect).toImage()
    accent = QColor(current().accent).rgb()
    return sum(
        picture.pixel(x, y) == accent
        for x in range(picture.width())
        for y in range(picture.height())
    )


def test_the_area_of_a_blob_is_the_share_of_the_samples(ranks):
    assert isinstance(ranks, RankPlot)
    half, most, none = (coloured(ranks, cell) for cell in ((2, 1), (0, 0), (0, 2)))
    assert most / half == pytest.approx(90 / 50, rel=0.12)
    assert none == 0


def test_a_blob_says_its_share_in_words(ranks):
    assert ranks.describe((1, 2)) == "second has rank 3 in 50.0 % of the samples"


def test_pairs_that_the_board_tells_apart_are_in_colour(pairs):
    apart = {cell for cell in np.ndindex(3, 3) if coloured(pairs, cell) > 100}
    assert apart == {(0, 1), (1, 0), (0, 2), (2, 0)}
    assert pairs.accessibleDescription() == "2 of 3 pairs differ significantly."


def test_a_small_p_is_never_shown_as_zero(pairs):
    assert [pairs.cell_text(0.0002, fewer) for fewer in range(3)] == ["< 0.001", "< 0.01", "< 0.1"]
    assert pairs.cell_text(0.049) == "0.049"
    assert pairs.describe((0, 1)) == f"first-system and second: p < 0.001 ({FAMILY})"
    assert pairs.describe((1, 1)) == f"second and second: not tested ({FAMILY})"


def test_the_table_of_a_map_has_the_names_of_all_systems(qtbot, pairs):
    qtbot.keyClick(pairs, Qt.Key.Key_T)
    (sheet,) = pairs.window().findChildren(NumbersSheet)
    columns = sheet.table.table_model.columns
    assert [one.title for one in columns] == ["System", *SYSTEMS]
    assert [one.text(0) for one in columns] == ["first-system", "–", "< 0.001", "0.049"]
