"""Table view, used with keyboard and mouse."""

from __future__ import annotations

import fnmatch

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QHeaderView
from pytestqt.qtbot import QtBot

from jurydesk.app.style.theme import theme
from jurydesk.app.style.visible_text import elide
from jurydesk.app.tables.table_view import PADDING, Table
from jurydesk.core.execution.progress import Progress
from jurydesk.core.execution.run import Cancelled, CancelToken, Run
from jurydesk.core.tables.columns import NumberColumn, TextColumn
from jurydesk.core.tables.table_file import tab_separated

Key = Qt.Key
COLUMNS = (
    TextColumn("query", "Query", [f"q{row}" for row in range(50)]),
    NumberColumn("ap", "AP", np.arange(50) / 50),
    NumberColumn("n", "Listed", np.full(50, 5000)),
)


@pytest.fixture
def table(qtbot: QtBot) -> Table:
    table = Table("Queries")
    qtbot.addWidget(table)
    table.resize(400, 300)
    table.table_model.show(COLUMNS)
    table.fit_columns()
    table.show()
    table.setFocus()
    return table


def visible_cells(table: Table, column: int = 0, places: int = 3) -> list[str]:
    return [table.table_model.index(place, column).data() for place in range(places)]


def click_header(qtbot: QtBot, table: Table, column: int) -> None:
    header = table.horizontalHeader()
    x = header.sectionViewportPosition(column) + 12
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(x, 10))


def test_a_click_on_a_header_sorts(qtbot: QtBot, table: Table) -> None:
    click_header(qtbot, table, 1)
    assert visible_cells(table) == ["q49", "q48", "q47"]
    click_header(qtbot, table, 1)
    assert visible_cells(table) == ["q0", "q1", "q2"]


def test_texts_as_long_as_the_widest_one_are_not_cut(qtbot: QtBot, table: Table) -> None:
    kinds = ["illicit till filling", "wow mammoth emmmmmmm"]
    column = TextColumn("kind", "Kind", [*kinds, *reversed(kinds)])
    table.table_model.show([TextColumn("key", "Key", list("abcd")), column])
    table.fit_columns()
    widest = max(table.fontMetrics().horizontalAdvance(kind) for kind in kinds)
    assert table.columnWidth(1) >= widest + 2 * PADDING


def test_s_sorts_by_the_current_column(qtbot: QtBot, table: Table) -> None:
    table.set_current_row(5)
    qtbot.keyClick(table, Key.Key_Right)
    qtbot.keyClick(table, Key.Key_S)
    assert table.table_model.sorting == (1, True)
    assert visible_cells(table) == ["q49", "q48", "q47"]
    qtbot.keyClick(table, Key.Key_S)
    assert table.table_model.sorting == (1, False)


def test_sorting_keeps_the_current_item_and_column(qtbot: QtBot, table: Table) -> None:
    table.set_current_row(5)
    qtbot.keyClick(table, Key.Key_Right)
    with qtbot.assertNotEmitted(table.current_row_changed):
        qtbot.keyClick(table, Key.Key_S)
    assert table.current_row == 5
    here = table.currentIndex()
    assert (here.row(), here.column()) == (44, 1)
    assert table.selected_rows().tolist() == [5]


def test_an_item_hidden_by_a_filter_is_current_again_after_it(table: Table) -> None:
    table.set_current_row(5)
    table.table_model.filter(np.arange(50) > 10)
    assert not table.currentIndex().isValid()
    table.table_model.filter(None)
    assert table.currentIndex().row() == 5


def test_down_moves_to_the_next_row_and_signals_it(qtbot: QtBot, table: Table) -> None:
    table.set_current_row(0)
    with qtbot.waitSignal(table.current_row_changed) as changed:
        qtbot.keyClick(table, Key.Key_Down)
    assert changed.args == [1]


def test_steps_stop_at_the_ends(table: Table) -> None:
    table.step(-1)
    assert table.current_row == 0
    table.step(1000)
    assert table.current_row == 49


def test_the_selected_row_becomes_current(table: Table) -> None:
    assert table.current_row == 0
    assert table.selected_rows().tolist() == [0]


def test_enter_and_a_double_click_open_a_row(qtbot: QtBot, table: Table) -> None:
    table.set_current_row(3)
    with qtbot.waitSignal(table.opened) as opened:
        qtbot.keyClick(table, Key.Key_Return)
    assert opened.args == [3]
    centre = table.visualRect(table.table_model.index(1, 0)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=centre)
    with qtbot.waitSignal(table.opened) as opened:
        qtbot.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=centre)
    assert opened.args == [1]


def test_the_row_under_the_mouse_is_signalled(qtbot: QtBot, table: Table) -> None:
    centre = table.visualRect(table.table_model.index(2, 0)).center()
    with qtbot.waitSignal(table.row_hovered) as hovered:
        qtbot.mouseMove(table.viewport(), centre)
    assert hovered.args == [2]


def test_selected_rows_are_copied_in_the_order_of_the_table(qtbot: QtBot, table: Table) -> None:
    table.table_model.sort_by(1, descending=True)
    table.set_current_row(48)
    qtbot.keyClick(table, Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert (
        table.selection_text(headers=True) == "Query\tAP\tListed\nq48\t0.96\t5000\nq47\t0.94\t5000"
    )


def test_a_copy_has_the_visible_columns_in_their_order(table: Table) -> None:
    table.show_columns(frozenset({"ap"}))
    table.horizontalHeader().moveSection(1, 0)
    table.set_current_row(25)
    assert table.selection_text(headers=True) == "AP\tQuery\n0.5\tq25"
    assert table.selection_text(headers=False) == "0.5\tq25"


def test_columns_that_replace_others_are_fitted_once(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    fitted = []

    def fit(fitting: Table) -> None:
        fitted.append([column.name for column in fitting.table_model.columns])
        fit_columns(fitting)

    fit_columns = Table.fit_columns
    monkeypatch.setattr(Table, "fit_columns", fit)
    images = TextColumn("image", "Image", [f"photo {row}" for row in range(50)])
    table.show_columns(frozenset({"n"}), (images, *COLUMNS[1:]))
    assert fitted == [["image", "ap", "n"]]
    assert [table.isColumnHidden(section) for section in range(3)] == [False, True, False]


def test_copying_many_rows_is_left_to_a_job(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jurydesk.app.tables.table_view.COPIED_AT_ONCE", 10)
    monkeypatch.setattr("jurydesk.app.tables.large_copy.PIECE_ROWS", 7)
    table.selectAll()
    many = table.selection_text(headers=True)
    reported: list[Progress] = []
    text = many.text(Run(progress=reported.append), reported.append)
    assert text == tab_separated(COLUMNS, np.arange(50), headers=True)
    assert reported[0].total == 50
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        many.text(Run(cancel=cancel), reported.append)


def test_nothing_selected_copies_nothing(table: Table) -> None:
    table.clearSelection()
    assert table.selection_text(headers=True) == ""


def test_all_of_a_million_rows_are_selected_as_one_range(qtbot: QtBot) -> None:
    table = Table("Many")
    qtbot.addWidget(table)
    table.table_model.show((NumberColumn("n", "N", np.arange(1_000_000)),))
    table.selectAll()
    assert len(table.selectionModel().selection()) == 1
    assert len(table.selected_rows()) == 1_000_000


def test_rows_have_one_fixed_height(table: Table) -> None:
    header = table.verticalHeader()
    assert header.sectionResizeMode(0) is QHeaderView.ResizeMode.Fixed
    assert header.defaultSectionSize() == 30
    theme().set_zoom(2.0)
    assert header.defaultSectionSize() == 60


def test_letter_keys_are_left_to_the_page(qtbot: QtBot, table: Table) -> None:
    table.set_current_row(0)
    qtbot.keyClick(table, Key.Key_Q)
    assert table.current_row == 0


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_a_selection_and_a_sorted_column_are_painted(table: Table, mode: str) -> None:
    theme().set_mode(mode)  # type: ignore[arg-type]
    table.set_current_row(3)
    table.table_model.sort_by(1)
    assert not table.grab().isNull()


def test_long_titles_are_cut_where_all_columns_then_fit(qtbot: QtBot, table: Table) -> None:
    names = [f"the number of system {n} of the board" for n in range(3)]
    numbers = [NumberColumn(name, name, np.arange(50) / 50) for name in names]
    table.resize(340, 300)
    table.table_model.show([COLUMNS[0], *numbers])
    table.fit_columns()
    shown_width = sum(table.columnWidth(n) for n in range(4))
    assert shown_width <= table.viewport().width() < table.needed_width()
    table.resize(900, 300)
    qtbot.waitUntil(lambda: table.columnWidth(1) == table._needed_width(1))


def test_titles_have_two_lines_where_all_columns_then_fit(
    qtbot: QtBot, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    titles = ("Average precision", "Precision at 5", "Precision at 10")
    numbers = [NumberColumn(title, title, np.arange(50) / 50) for title in titles]
    table.table_model.show([COLUMNS[0], *numbers])
    table.resize(900, 300)
    table.most_rows = 4
    table.fit_columns()
    table.keep_height()
    one_line, row = table.horizontalHeader().height(), table.visualRect(table.model().index(0, 0))
    table.resize(table.needed_width() - 50, table.height())
    table.fit_columns()
    painted: list[str] = []

    def record(metrics: object, text: str, mode: object, width: int) -> str:
        painted.append(text)
        return elide(metrics, text, mode, width)  # type: ignore[arg-type]

    monkeypatch.setattr("jurydesk.app.tables.table_view.elide", record)
    table.horizontalHeader().grab()
    assert painted == ["Query", "Average", "precision", "Precision", "at 5", "Precision", "at 10"]
    assert table.horizontalHeader().height() > one_line
    assert table.viewport().height() >= 4 * row.height()
    table.resize(900, table.height())
    qtbot.waitUntil(lambda: table.horizontalHeader().height() == one_line)


def test_a_number_of_rows_is_kept_at_another_zoom(table: Table):
    table.most_rows = 4
    theme().set_zoom(2.0)
    height = table.height()
    table.keep_height()
    assert table.height() == height


def test_rows_of_another_zoom_leave_no_scroll_bar_behind(table: Table):
    table.table_model.show([TextColumn("query", "Query", [f"q{row}" for row in range(8)])])
    theme().set_zoom(2.0)
    table.setFixedSize(400, 300)
    bar, rows = table.verticalScrollBar(), table.verticalHeader()
    assert bar.maximum() == rows.length() - table.viewport().height() > 0
    table.hide()
    theme().set_zoom(1.0)
    table.show()
    assert rows.length() < table.viewport().height()
    assert bar.maximum() == 0


def test_columns_without_room_are_hidden_the_first_ones_first(table: Table) -> None:
    numbers = [NumberColumn(name, name, np.arange(50) / 50) for name in "abc"]
    table.dropped = ("b", "a")
    table.table_model.show([COLUMNS[0], *numbers])
    table.resize(900, 300)
    table.fit_columns()
    whole = table.needed_width()
    hidden = []
    less = whole - 60  # the room of three triangles of sorting is not needed
    for width in (whole + 10, less, less - table.columnWidth(1)):
        table.resize(width + table.width() - table.viewport().width(), 300)
        hidden.append([table.isColumnHidden(section) for section in range(4)])
    assert hidden == [[False] * 4, [False, False, True, False], [False, True, True, False]]


def test_a_column_gives_way_to_the_growing_one_down_to_its_least_width(table: Table) -> None:
    texts = [TextColumn(name, name, [name * 40] * 50) for name in ("name", "state")]
    table.growing, table.least = ("state",), {"name": 130, "state": 110}
    table.table_model.show(texts)
    seen = []
    for width in (1000, 400, 200):
        table.resize(width + table.width() - table.viewport().width(), 300)
        seen.append(tuple(table.columnWidth(section) for section in range(2)))
    assert seen == [(302, 698), (200, 200), (130, 110)]


def test_a_height_is_limited_to_numbers_of_rows(table: Table) -> None:
    table.most_rows, table.least_rows = 8, 2
    table.keep_height()
    assert table.maximumHeight() - table.minimumHeight() == 6 * 30
    assert table.sizeHint().height() == table.maximumHeight()


def shown_heads(table: Table, titles: tuple[str, ...], width: int) -> list[str]:
    """Return the heads of columns of these titles as they are painted."""
    values = np.arange(50) / 50
    columns = [NumberColumn(f"m{n}", title, values) for n, title in enumerate(titles)]
    table.table_model.show([*COLUMNS[:1], *columns])
    sections = range(1, len(titles) + 1)
    for section in sections:
        table.setColumnWidth(section, width)
    return [" ".join(table._titles.shown_lines(section)) for section in sections]


def test_titles_full_of_ellipses_are_compared_at_once(table: Table) -> None:
    heads = shown_heads(table, ("…" * 300 + "a", "…" * 300 + "b", "…" * 300 + "ab"), 60)
    assert len(heads) == 3


@pytest.mark.parametrize(
    ("titles", "width"),
    [
        (("Average precision", "Average precision (map)"), 110),
        (("Average precision", "Average precision (map)"), 76),
        (("Recall at 5, of possible", "Recall at 50, of possible"), 70),
        (("Interpolated precision", "Interpolated recall", "Interpolated"), 60),
        (("Interpolation of ranks", "Interpolations of ranks"), 60),
    ],
)
def test_a_cut_head_can_be_that_of_one_column_only(
    table: Table, titles: tuple[str, ...], width: int
) -> None:
    shown = shown_heads(table, titles, width)
    assert any("…" in head or head.startswith("m") for head in shown)
    assert len(set(shown)) == len(titles)
    for own, head in zip(titles, shown, strict=True):
        assert set(fnmatch.filter(titles, head.replace("…", "*"))) <= {own}


def test_a_head_that_is_cut_to_a_text_of_its_own_keeps_its_beginning(table: Table) -> None:
    shown = shown_heads(table, ("Interpolation", "Discrimination"), 70)
    assert [head[:2] for head in shown] == ["In", "Di"]
    assert all(head.endswith("…") for head in shown)


def test_several_columns_that_may_be_cut_leave_the_last_one_in_sight(table: Table) -> None:
    long = ["a long name of a team or of its file"] * 50
    state = TextColumn("state", "State", ["ready"] * 50)
    table.growing, table.least = ("state",), {"team": 60, "file": 60, "state": 60}
    table.table_model.show([TextColumn("team", "T", long), TextColumn("file", "F", long), state])
    assert table.horizontalHeader().length() <= table.viewport().width()
