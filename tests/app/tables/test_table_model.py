"""Qt's item model of tables."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from jurydesk.app.jobs.job import view_jobs
from jurydesk.app.tables.table_model import TableModel
from jurydesk.core.tables.columns import NumberColumn, TextColumn
from jurydesk.core.tables.sort_order import sorted_rows

Role = Qt.ItemDataRole


@pytest.fixture
def model(qapp: object) -> TableModel:
    return TableModel(
        (
            TextColumn("query", "Query", ["q10", "q2", "<b>q1</b>"], paint=lambda row: "good"),
            NumberColumn("ap", "AP", np.array([0.5, 0.25, np.nan]), tooltip="Average precision."),
            NumberColumn("group", "Group", np.array([1, 2, 1])),
        )
    )


def cells(model: TableModel, column: int) -> list[str]:
    return [model.index(place, column).data() for place in range(model.rowCount())]


def test_the_model_passes_qt_s_model_tester(model: TableModel) -> None:
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    model.sort_by(1)
    model.filter(np.array([True, False, True]))
    model.show(())


def test_a_header_sorts_descending_then_ascending_then_not_at_all(
    model: TableModel,
) -> None:
    seen = []
    for _ in range(4):
        model.sort_next(1)
        seen.append(cells(model, 1))
    assert seen == [
        ["0.5000", "0.2500", "–"],
        ["0.2500", "0.5000", "–"],
        ["0.5000", "0.2500", "–"],
        ["0.5000", "0.2500", "–"],
    ]
    assert model.sorting == (1, True)


def test_texts_are_sorted_ascending_first_and_naturally(model: TableModel) -> None:
    model.sort_next(0)
    assert cells(model, 0) == ["<b>q1</b>", "q2", "q10"]


def test_a_second_sort_column_breaks_the_ties_of_the_first(model: TableModel) -> None:
    model.sort_by(1)
    model.sort_by(2)
    assert model.rows.tolist() == [0, 2, 1]


def test_a_filter_keeps_the_order_and_remains_after_sorting(model: TableModel) -> None:
    model.filter(np.array([True, True, False]))
    model.sort_by(1)
    assert cells(model, 0) == ["q2", "q10"]
    assert model.place(2) is None
    assert model.place(1) == 0
    model.filter(None)
    assert cells(model, 0) == ["q2", "q10", "<b>q1</b>"]


def test_a_tooltip_has_all_digits_the_definition_and_no_markup(model: TableModel) -> None:
    tip = model.index(1, 1).data(Role.ToolTipRole)
    assert tip == "<div>AP<br>0.25<br>Average precision.</div>"
    assert "&lt;b&gt;q1&lt;/b&gt;" in model.index(2, 0).data(Role.ToolTipRole)


def test_numbers_are_right_aligned_and_texts_left_aligned(model: TableModel) -> None:
    right = model.index(0, 1).data(Role.TextAlignmentRole)
    left = model.headerData(0, Qt.Orientation.Horizontal, Role.TextAlignmentRole)
    assert right & Qt.AlignmentFlag.AlignRight
    assert left & Qt.AlignmentFlag.AlignLeft


def test_a_cell_may_have_a_colour_of_its_own(model: TableModel) -> None:
    column, row = model.cell(model.index(0, 0))
    assert column.paint(row) == "good"


def test_an_empty_table_can_be_sorted_and_filtered(qapp: object) -> None:
    model = TableModel((TextColumn("query", "Query", []),))
    model.sort_next(0)
    model.filter(np.zeros(0, dtype=bool))
    assert model.rowCount() == 0


def test_sorting_keeps_the_current_cell(model: TableModel) -> None:
    before = [column.values for column in model.columns]
    model.sort_next(1)
    assert all(a is b for a, b in zip(before, (c.values for c in model.columns), strict=True))
    assert model.rows.dtype == np.int64


def test_sort_keys_of_many_texts_are_computed_in_a_thread(
    model: TableModel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jurydesk.app.tables.table_model.PREPARED_ROWS", 3)
    names, few = TextColumn("n", "N", ["b", "a", "c"]), TextColumn("n", "N", ["b", "a"])
    model.show((names,))
    model.show((few,))
    model.show((names,))
    qtbot.waitUntil(lambda: view_jobs().idle)
    assert vars(names)["_ranks"].tolist() == [1, 0, 2]
    assert "_ranks" not in vars(few)


def test_new_columns_are_sorted_by_their_known_numbers(model: TableModel, monkeypatch) -> None:
    sorted_ = []

    def sorting(key, rows, *, descending):
        sorted_.append(key)
        return sorted_rows(key, rows, descending=descending)

    monkeypatch.setattr("jurydesk.app.tables.table_model.sorted_rows", sorting)
    columns = model.columns
    for _ in range(2):
        model.show(columns)
        model.sort_by(1, descending=True)
        assert cells(model, 0) == ["q10", "q2", "<b>q1</b>"]
    assert len(sorted_) == 1
    model.show(columns)
    model.sort_by(1)
    assert cells(model, 0) == ["q2", "q10", "<b>q1</b>"]
    model.show((columns[0], NumberColumn("ap", "AP", np.array([0.1, 0.2, 0.3]))))
    model.sort_by(1, descending=True)
    assert cells(model, 0) == ["<b>q1</b>", "q2", "q10"]
    assert len(sorted_) == 3


def test_a_second_sort_keeps_the_order_of_the_first(model: TableModel) -> None:
    model.sort_by(1, descending=True)
    model.sort_by(2)
    assert cells(model, 0) == ["q10", "<b>q1</b>", "q2"]
    model.sort_by(1, descending=True)
    assert cells(model, 0) == ["q10", "q2", "<b>q1</b>"]


def test_pinned_rows_stay_at_the_top_in_their_order(model: TableModel) -> None:
    model.show(model.columns, pinned=[2, 0])
    assert model.rows.tolist() == [2, 0, 1]
    model.sort_by(1, descending=True)
    assert model.rows.tolist() == [2, 0, 1]
    model.filter(np.array([True, True, False]))
    assert model.rows.tolist() == [0, 1]


def test_other_columns_are_sorted_like_those_before_them_on_request(model: TableModel) -> None:
    model.sort_by(1, descending=True)
    model.sort_by(2)
    columns = model.columns
    model.keeps_sorting = True
    model.show([columns[0], columns[2], columns[1]])
    assert model.sorting == (1, False)
    assert cells(model, 0) == ["q10", "<b>q1</b>", "q2"]
    model.show(columns[:1])
    assert model.sorting is None
    model.keeps_sorting = False
    model.sort_by(0)
    model.show(columns)
    assert model.sorting is None


def test_a_column_may_have_an_alignment_of_its_own(model: TableModel) -> None:
    model.alignments = {"ap": Qt.AlignmentFlag.AlignCenter}
    assert model.index(0, 1).data(Role.TextAlignmentRole) == Qt.AlignmentFlag.AlignCenter
    assert model.index(0, 2).data(Role.TextAlignmentRole) & Qt.AlignmentFlag.AlignRight
