"""Columns of a dropped table of results are shown and changed before anything is scored."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from support.windows.accessible_names import nameless_controls

Key = Qt.Key
ROWS = "".join(
    f"{system},q{item},{album},{(item + add) % 2},{item * 0.5 + add},{item}\n"
    for add, system in enumerate("ab")
    for item, album in enumerate(["x", "x", "y", "y"])
)


@pytest.fixture
def only_the_toy() -> None:
    """Register every competition: a table must be recognized among them."""


@pytest.fixture
def drop(qtbot, window, tmp_path):
    """Return a function that drops a table and returns the sheet over the page."""

    def drop(content):
        path = tmp_path / "results.csv"
        path.write_text(content, "utf-8")
        window.dropped.emit([path])
        qtbot.waitUntil(lambda: sheet_of(window) is not None and window.jobs.idle)
        return sheet_of(window)

    return drop


def sheet_of(window):
    offer = getattr(window.page, "tables", None)
    return offer.sheet if offer is not None else None


def pick(qtbot, window, box, text):
    """Choose an entry of a box by its keys."""
    box.setFocus()
    QTest.keyClick(box, Key.Key_Home)
    while box.currentText() != text:
        before = box.currentIndex()
        QTest.keyClick(box, Key.Key_Down)
        assert box.currentIndex() != before, f"{text} is not offered"
    settle(qtbot, window)


def settle(qtbot, window):
    previews = window.page.tables._previews
    qtbot.waitUntil(lambda: window.jobs.idle and not previews.is_pending)


def test_the_columns_of_a_dropped_table_are_shown_before_anything_is_scored(qtbot, drop, window):
    sheet = drop("model,id,album,acc,seconds,tokens\n" + ROWS)
    assert sheet.isVisible()
    shown = {role: box.currentText() for role, box in sheet.roles.items()}
    assert shown == {
        "system": "model", "item": "id", "group": "album", "metric": "—", "weight": "—",
        "picture": "—", "reference": "—", "text": "—",
    }  # fmt: skip
    assert {name: row.is_taken for name, row in sheet.scores.items()} == {
        "acc": True, "seconds": True, "tokens": False,
    }  # fmt: skip
    assert sheet.scores["acc"].shown == ("higher", "0/1", "0:1")
    columns = sheet.table.table_model.columns
    assert [one.text(0) for one in columns] == ["a", "q0", "x", "0", "0.0", "0"]
    assert not nameless_controls(sheet)
    assert not window.session.scored_systems


def test_what_was_changed_by_keys_is_scored_so(qtbot, drop, window):
    sheet = drop("model,id,album,acc,seconds,tokens\n" + ROWS)
    pick(qtbot, window, sheet.first, "seconds")
    pick(qtbot, window, sheet.scores["acc"].direction, "less is better")
    pick(qtbot, window, sheet.scores["seconds"].kind, "real number")
    line = sheet.scores["seconds"].range
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, "-1:20")
    QTest.keyClick(line, Key.Key_Tab)
    settle(qtbot, window)
    pick(qtbot, window, sheet.settings["missing"], "count as 0")
    QTest.keyClick(sheet.scores["tokens"].tick, Key.Key_Space)
    settle(qtbot, window)
    assert sheet.scores["tokens"].is_taken
    sheet.keep.setFocus()
    QTest.keyClick(sheet.keep, Key.Key_Return)
    qtbot.waitUntil(lambda: window.jobs.idle)
    options = window.session.options
    assert options.score == ("seconds", "acc", "tokens")
    assert (options.lower, options.missing) == (("acc",), "zero")
    QTest.keyClick(window, Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: len(window.session.scored_systems) == 2 and window.jobs.idle)
    acc, seconds = (window.session.task.metric(name) for name in ("acc", "seconds"))
    assert (acc.better, seconds.range) == ("lower", (-1.0, 20.0))


def test_a_column_that_was_recognized_wrongly_gets_another_role(qtbot, drop, window):
    sheet = drop("model,id,album,acc\n" + "".join(
        f"{system},q{item},g{item},{item % 2}\n" for system in "ab" for item in range(3)
    ))  # fmt: skip
    pick(qtbot, window, sheet.roles["item"], "album")
    assert sheet.roles["item"].currentText() == "album"
    assert sheet.roles["group"].currentText() == "—"


def test_escape_changes_nothing_and_the_sheet_opens_again(qtbot, drop, window):
    sheet = drop("model,id,acc,seconds\na,1,0,2\na,2,1,3\nb,1,1,2\nb,2,1,4\n")
    before = window.session.options
    pick(qtbot, window, sheet.first, "seconds")
    QTest.keyClick(sheet.keep, Key.Key_Escape)
    assert sheet_of(window) is None
    assert window.session.options == before
    button = window.page.columns
    QTest.keyClick(button, Key.Key_Space)
    qtbot.waitUntil(lambda: sheet_of(window) is not None)
    assert sheet_of(window).first.currentText() == "acc"
    QTest.keyClick(sheet_of(window).keep, Key.Key_Escape)
    qtbot.waitUntil(lambda: window.jobs.idle)


def test_the_sheet_says_why_columns_give_no_scores(qtbot, drop, window):
    sheet = drop("model,id,acc\na,q1,0\na,q1,1\nb,q1,1\nb,q2,1\n")
    assert 'The item "q1" has 2 rows.' in sheet.remark.text()
    pick(qtbot, window, sheet.settings["repeats"], "their mean")
    assert not sheet.remark.isVisible()
    assert list(sheet.scores) == ["acc"]


def test_a_range_that_cannot_be_read_is_named_and_not_taken(qtbot, drop, window):
    sheet = drop("model,id,album,acc,seconds,tokens\n" + ROWS)
    for text, is_named in (("0 to 9", True), ("5:1", True), ("", False), ("0:9", False)):
        line = sheet.scores["seconds"].range
        line.setFocus()
        line.selectAll()
        QTest.keyClick(line, Key.Key_Delete)
        QTest.keyClicks(line, text)
        QTest.keyClick(line, Key.Key_Tab)
        settle(qtbot, window)
        assert (f'The range "{text}" of seconds cannot be read' in sheet.remark.text()) is is_named
        assert sheet.remark.isVisible() is is_named
    assert sheet._options.range == ("seconds=0.0:9.0",)
