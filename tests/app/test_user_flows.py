"""Workflows of an organiser and an analyst, with real keys, a real drop and a real mouse."""

from __future__ import annotations

import csv
import hashlib
import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication

from jurydesk.app.window.main_window import Window
from support.windows import toy_competition
from support.windows.waiting import until_checked, use_desk

Key = Qt.Key
CONTROL, PLAIN = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.NoModifier
TEAMS = 12


def drop(window: Window, paths: list[Path]) -> None:
    """Drop files onto the window."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    left = Qt.MouseButton.LeftButton
    event = QDropEvent(QPointF(300, 300), Qt.DropAction.CopyAction, data, left, PLAIN)
    window.dropEvent(event)


def press(qtbot, window: Window, *keys: Key, modifier=PLAIN) -> None:
    """Press keys where the focus is."""
    for key in keys:
        qtbot.keyClick(window.focusWidget() or window, key, modifier)


@pytest.fixture
def answers(monkeypatch) -> list[str]:
    """Return the list of paths with which the dialogs for files are answered."""
    given: list[str] = []
    name = "PySide6.QtWidgets.QFileDialog.getSaveFileName"
    monkeypatch.setattr(name, lambda *_: (given.pop(0), ""))
    return given


@pytest.fixture
def teams(tmp_path: Path) -> list[Path]:
    """Return a truth file and the files of twelve teams; the last one has a wrong line."""
    found = toy_competition.files(tmp_path / "files", systems=TEAMS)
    with found[-1].open("a", encoding="utf-8") as file:
        file.write("n1 nought\n")
    return found


def test_an_organiser_with_twelve_teams_gets_from_files_to_a_written_board(
    qtbot, window, teams, answers, tmp_path
):
    drop(window, teams)
    until_checked(qtbot, window)
    assert window.page.id == "check"
    assert "With errors: s11." in window.page.finding
    press(qtbot, window, Key.Key_2, modifier=CONTROL)
    files = window.page.files
    files.setFocus()
    press(qtbot, window, Key.Key_End, modifier=CONTROL)
    for _ in teams:
        if files.current_file().path != teams[-1]:
            press(qtbot, window, Key.Key_Up)
    assert files.current_file().path == teams[-1]
    team = window.page.team
    qtbot.waitUntil(team.copy.isVisible)
    qtbot.mouseClick(team.copy, Qt.MouseButton.LeftButton)
    message = QGuiApplication.clipboard().text()
    assert "nought" in message
    assert teams[-2].name not in message

    press(qtbot, window, Key.Key_R, modifier=CONTROL)
    qtbot.waitUntil(lambda: window.evaluator.scoring is None and window.page.id == "board")
    board = window.page.view
    assert board.board_model.rowCount() == TEAMS - 1
    qtbot.waitUntil(lambda: window.jobs.idle)
    press(qtbot, window, Key.Key_Home, modifier=CONTROL)
    press(qtbot, window, Key.Key_Down, Key.Key_Down, Key.Key_Return)
    qtbot.waitUntil(lambda: window.page.id == "items")
    assert window.session.selection.system == "system C"

    desk, table = tmp_path / "spring.jurydesk", tmp_path / "board.csv"
    answers += [str(desk)]
    press(qtbot, window, Key.Key_S, modifier=CONTROL)
    qtbot.waitUntil(lambda: desk.exists() and window.jobs.idle)
    press(qtbot, window, Key.Key_3, modifier=CONTROL)
    answers += [str(table)]
    window.files.ask_export(next(one for one in window.page.exports() if "*.csv" in one.pattern))
    qtbot.waitUntil(table.exists)
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert [row for row in rows if "system A" in row]
    assert not [row for row in rows if "system L" in row]


def test_an_inspector_reads_a_desk_from_elsewhere_and_changes_nothing(
    qtbot, scored, teams, tmp_path, answers
):
    there = tmp_path / "there" / "spring.jurydesk"
    there.parent.mkdir()
    answers += [str(there)]
    press(qtbot, scored, Key.Key_S, modifier=CONTROL)
    qtbot.waitUntil(lambda: there.exists() and scored.jobs.idle)
    press(qtbot, scored, Key.Key_W, modifier=CONTROL)
    shutil.rmtree(tmp_path / "files")
    there.chmod(0o444)
    before = hashlib.sha256(there.read_bytes()).hexdigest()

    use_desk(scored, there, read_only=True)
    scored.files.opened.emit()
    qtbot.waitUntil(lambda: scored.jobs.idle)
    assert scored.session.read_only
    assert not scored.actions_["run.score"].isEnabled()
    press(qtbot, scored, Key.Key_3, modifier=CONTROL)
    press(qtbot, scored, Key.Key_Home, modifier=CONTROL)
    press(qtbot, scored, Key.Key_Down, Key.Key_Return)
    qtbot.waitUntil(lambda: scored.page.id == "items")
    qtbot.waitUntil(lambda: scored.page.evaluation is not None)
    assert scored.page.evaluation.system == "system B"
    first = scored.session.selection.item
    press(qtbot, scored, Key.Key_J)
    assert scored.session.selection.item != first
    press(qtbot, scored, Key.Key_Return)
    qtbot.waitUntil(lambda: scored.page.view.item.opened)
    press(qtbot, scored, Key.Key_Escape)
    assert not scored.page.view.item.opened
    press(qtbot, scored, Key.Key_5, modifier=CONTROL)
    qtbot.waitUntil(lambda: scored.page.id == "compare" and scored.page.items is not None)
    qtbot.waitUntil(lambda: scored.jobs.idle)
    press(qtbot, scored, Key.Key_W, modifier=CONTROL)
    assert hashlib.sha256(there.read_bytes()).hexdigest() == before
    assert [path.name for path in there.parent.iterdir()] == [there.name]
