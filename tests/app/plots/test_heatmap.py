"""Heat map: numbers in cells, a lead column, mouse and keys."""

from __future__ import annotations

import csv
import io
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from jurydesk.app.pages.items.figure_card import FigureCard
from jurydesk.app.plots.heatmap import (
    HeatmapLayout,
    HeatmapView,
    contrasting_color,
    shown_label,
    viridis_color,
)
from jurydesk.app.plots.plot_export import svg_bytes
from jurydesk.app.style.theme import theme
from jurydesk.core.export.tables.figure_tables import figure_table
from jurydesk.core.model.evaluation import Axis, Evaluation, Heatmap
from jurydesk.core.tables.table_file import table_file
from support.language import shown_in
from support.windows.evaluations import retrieval

VALUES = np.array([[12.1, 9.6, 3.3], [1.7, np.nan, 0.9]])
HEATMAP = Heatmap(
    "ap",
    "Average precision by threshold",
    Axis("METEOR", labels=("> 0", "> .05", "> .10")),
    Axis("IoU", labels=(".3", ".7")),
    VALUES,
    lead=np.array([26.4, 5.8]),
    lead_label="any",
)


@pytest.fixture
def view(qtbot: QtBot) -> HeatmapView:
    view = HeatmapView(HEATMAP)
    qtbot.addWidget(view)
    view.resize(480, 320)
    view.show()
    return view


def middle(view: HeatmapView, row: int, column: int):
    return HeatmapLayout(HEATMAP, view.size()).rect((row, column)).center().toPoint()


def test_a_click_chooses_a_cell(qtbot: QtBot, view: HeatmapView) -> None:
    with qtbot.waitSignal(view.cell_chosen) as chosen:
        qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=middle(view, 1, 2))
    assert chosen.args == [1, 2]
    with qtbot.waitSignal(view.cell_chosen) as chosen:
        qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=middle(view, 0, -1))
    assert chosen.args == [0, -1]


def test_nothing_is_between_the_lead_column_and_the_cells(view: HeatmapView) -> None:
    layout = HeatmapLayout(HEATMAP, view.size())
    gap = (layout.rect((0, -1)).topRight() + layout.rect((0, 0)).topLeft()) / 2
    assert layout.cell_at(gap) is None


@pytest.mark.parametrize(
    ("keys", "cell"),
    [
        ((Qt.Key.Key_Right,), (0, -1)),
        ((Qt.Key.Key_Down,), (0, -1)),
        ((Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Down), (1, 0)),
        ((Qt.Key.Key_Left, Qt.Key.Key_Left, Qt.Key.Key_Up), (0, -1)),
        ((Qt.Key.Key_Right,) * 9 + (Qt.Key.Key_Down,) * 9, (1, 2)),
    ],
)
def test_arrow_keys_choose_cells(
    qtbot: QtBot, view: HeatmapView, keys: tuple[Qt.Key, ...], cell: tuple[int, int]
) -> None:
    for key in keys:
        qtbot.keyClick(view, key)
    assert view.current_cell == cell


def test_the_cell_under_the_mouse_is_described_in_words(qtbot: QtBot, view: HeatmapView) -> None:
    qtbot.mouseMove(view, middle(view, 1, 0))
    assert view.toolTip() == "<div>IoU .7, METEOR &gt; 0: 1.7</div>"
    qtbot.mouseMove(view, middle(view, 0, -1))
    assert view.toolTip() == "<div>IoU .3, any: 26.4</div>"


def test_colours_follow_a_square_root_of_viridis() -> None:
    assert viridis_color(0.0).name() == "#440154"
    assert viridis_color(1.0).name() == "#fde725"
    assert viridis_color(0.25).name() == viridis_color(0.25).name() != viridis_color(0.5).name()
    quarter, colour = viridis_color(0.25), QColor("#21918c")
    assert abs(quarter.green() - colour.green()) <= 3


def test_enter_opens_the_chosen_cell_and_nothing_before_one_is_chosen(
    qtbot: QtBot, view: HeatmapView
) -> None:
    with qtbot.assertNotEmitted(view.cell_opened):
        qtbot.keyClick(view, Qt.Key.Key_Return)
    qtbot.keyClick(view, Qt.Key.Key_Right)
    with qtbot.waitSignal(view.cell_opened):
        qtbot.keyClick(view, Qt.Key.Key_Return)


def test_the_number_is_dark_on_light_cells_and_light_on_dark_ones() -> None:
    assert contrasting_color(viridis_color(1.0)).name() == "#111111"
    assert contrasting_color(viridis_color(0.0)).name() == "#ffffff"


def test_a_heat_map_of_undefined_numbers_can_be_drawn(qtbot: QtBot) -> None:
    empty = Heatmap("e", "E", Axis("x"), Axis("y"), np.full((2, 2), np.nan))
    view = HeatmapView(empty)
    qtbot.addWidget(view)
    view.resize(200, 100)
    assert not view.grab().isNull()
    theme().set_mode("dark")
    assert not view.grab().isNull()


def test_the_drawing_of_a_heat_map_contains_every_number_as_text(view: HeatmapView) -> None:
    root = ElementTree.fromstring(svg_bytes(view, HEATMAP.title))
    texts = {"".join(e.itertext()).strip() for e in root.iter("{http://www.w3.org/2000/svg}text")}
    assert texts >= {"26.4", "12.1", "–", ".3", "> .05", "any", "METEOR across, IoU down"}


def test_with_little_room_numbers_have_fewer_decimals_instead_of_vanishing(
    view: HeatmapView,
) -> None:
    def numbers_at(width: int) -> set[str]:
        view.setMinimumSize(1, 1)
        view.resize(width, 320)
        root = ElementTree.fromstring(svg_bytes(view, HEATMAP.title))
        texts = root.iter("{http://www.w3.org/2000/svg}text")
        return {"".join(one.itertext()).strip() for one in texts}

    assert numbers_at(480) >= {"26.4", "12.1", "0.9", "–"}
    narrow = next(width for width in range(480, 0, -4) if "26.4" not in numbers_at(width))
    assert numbers_at(narrow) >= {"26", "12", "1", "–"}
    assert not numbers_at(60) & {"26.4", "26"}


def test_labels_of_columns_do_not_run_into_each_other(view: HeatmapView) -> None:
    def labels_at(width: int) -> set[str]:
        view.setMinimumSize(1, 1)
        view.resize(width, 320)
        root = ElementTree.fromstring(svg_bytes(view, HEATMAP.title))
        texts = root.iter("{http://www.w3.org/2000/svg}text")
        return {"".join(one.itertext()).strip() for one in texts} & {"any", *HEATMAP.x_axis.labels}

    assert labels_at(480) == {"any", "> 0", "> .05", "> .10"}
    assert labels_at(90) < {"any", "> 0", "> .05", "> .10"}
    assert "any" in labels_at(90)


def test_the_numbers_of_a_heat_map_can_be_copied_as_a_table(view: HeatmapView) -> None:
    evaluation = retrieval(3)
    rows = list(
        csv.reader(io.StringIO(table_file("csv", figure_table(HEATMAP, evaluation)).decode()))
    )
    assert rows == [
        ["IoU", "any", "METEOR > 0", "METEOR > .05", "METEOR > .10"],
        [".3", "26.4", "12.1", "9.6", "3.3"],
        [".7", "5.8", "1.7", "", "0.9"],
    ]


def test_a_card_shows_the_heat_map_and_forwards_the_chosen_cell(qtbot: QtBot) -> None:
    base = retrieval(3)
    evaluation = Evaluation("t", "s", "published", (), base.items, (HEATMAP,))
    card = FigureCard()
    qtbot.addWidget(card)
    card.resize(600, 400)
    card.show_evaluation(evaluation, [], ("image", "images"))
    card.show()
    card.set_current(1)
    assert isinstance(card.view, HeatmapView)
    with qtbot.waitSignal(card.cell_chosen) as chosen:
        qtbot.keyClick(card.view, Qt.Key.Key_Right)
    assert chosen.args == [0, -1]


def test_the_least_size_of_a_heat_map_follows_the_zoom(view: HeatmapView) -> None:
    before = view.minimumSize()
    theme().set_zoom(2.0)
    assert view.minimumSize() == 2 * before


@pytest.mark.parametrize(
    ("axis", "shown"),
    [
        (Axis("IoU", ticks=(0.0, 0.05), labels=("> 0", "> .05")), ["> 0", "> 0,05"]),
        (Axis("System", ticks=(0, 1), labels=("team.v2", "3.5")), ["team.v2", "3.5"]),
        (Axis("Answer", labels=("a.b", "> .05")), ["a.b", "> .05"]),
    ],
)
def test_labels_that_are_numbers_are_russian_and_names_stay(axis: Axis, shown: list[str]) -> None:
    with shown_in("ru"):
        assert [shown_label(axis, number) for number in range(2)] == shown
