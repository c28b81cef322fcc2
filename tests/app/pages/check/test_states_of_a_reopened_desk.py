"""A desk that is closed and opened again says of every team what it said before."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from jurydesk.app.pages.check.published_check_row import PublishedCheckRow
from jurydesk.core.competition.examples import copy_example
from jurydesk.core.competition.task_registry import registry
from support.windows.waiting import until_checked, until_open, until_quiet, use_desk

MISREAD = "wrong-boxes.json"
"""Detections whose boxes overlap the objects far better if they are read in another format."""
AFTERWARDS = {
    "nothing changes": {},
    "the reference data are gone": {"people.json": "missing"},
    "the submission is gone": {MISREAD: "missing"},
    "the submission is another": {MISREAD: "changed since it was read"},
}
"""What happens while the desk is closed, and the states that follow from it alone."""


def states(window) -> dict[str, str]:
    """Return the state of every file on the page Check, by the file's name."""
    window.show_page("check")
    table = window.page.files
    if window.page.folded.isVisible() and not table.is_unfolded:
        QTest.mouseClick(window.page.folded, Qt.MouseButton.LeftButton)
    columns = {column.name: column for column in table.table_model.columns}
    return {file.path.name: columns["state"].text(row) for row, file in enumerate(table.files)}


@pytest.mark.parametrize("change", AFTERWARDS)
@pytest.mark.parametrize("read_only", [False, True])
def test_a_team_has_the_same_state_after_closing_and_opening_its_desk(
    qtbot, make_real_window, tmp_path, change, read_only
):
    window, task = make_real_window(), registry().tasks["densecap"]
    folder, desk = tmp_path / "files", tmp_path / "spring.jurydesk"
    window.files.open_example(task, copy_example(task, folder))
    until_checked(qtbot, window)
    window.evaluator.score()
    qtbot.waitUntil(lambda: window.evaluator.scoring is None and bool(window.session.systems))
    window.files.save_to(desk)
    until_quiet(qtbot, window)
    before = states(window)
    assert before[MISREAD] == "to decide"
    assert "ready" in before.values()
    QTest.keyClick(window, Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: not window.session.has_desk)
    for name, state in AFTERWARDS[change].items():
        if state == "missing":
            (folder / name).unlink()
        else:
            (folder / name).write_text(f"{(folder / name).read_text()}\n\n")
    written = desk.read_bytes()
    if read_only:
        use_desk(window, desk, read_only=True)
    else:
        until_open(qtbot, window, desk)
    until_quiet(qtbot, window)
    after = {**before, **AFTERWARDS[change]}
    if not read_only and change == "the submission is another":
        after[MISREAD] = "to decide"  # it was read again, and has the same boxes
    assert states(window) == after
    assert desk.read_bytes() == written


def test_earlier_published_checks_are_kept_and_open_by_their_time(
    qtbot, make_real_window, tmp_path
):
    window, task = make_real_window(), registry().tasks["vist"]
    folder = tmp_path / "files"
    window.files.open_example(task, copy_example(task, folder))
    until_checked(qtbot, window)
    window.show_page("check")
    until_quiet(qtbot, window)
    page, desk = window.page, window.session.desk
    assert not page.times.isEnabled()
    before = outcomes(page)
    assert any(one.startswith("failed") for one in before), before
    (folder / "careless.json").write_text((folder / "labels.json").read_text())
    window.actions_["run.check"].trigger()
    qtbot.waitUntil(lambda: outcomes(page) != before)
    until_quiet(qtbot, window)
    now, written = outcomes(page), desk.path.read_bytes()
    earlier = page.times.times.actions()
    assert len(earlier) == len(desk.check_times()) > 1
    earlier[1].trigger()
    qtbot.waitUntil(lambda: outcomes(page) == before)
    assert page.times.text().startswith("Earlier: ")
    page.times.chosen.emit(None)
    qtbot.waitUntil(lambda: outcomes(page) == now)
    assert desk.path.read_bytes() == written


def test_checks_of_a_stranger_s_desk_may_have_times_that_are_none(
    qtbot, make_real_window, tmp_path
):
    window, task = make_real_window(), registry().tasks["vist"]
    folder = tmp_path / "files"
    window.files.open_example(task, copy_example(task, folder))
    until_checked(qtbot, window)
    (folder / "careless.json").write_text((folder / "labels.json").read_text())
    window.actions_["run.check"].trigger()
    qtbot.waitUntil(lambda: len(window.session.desk.check_times()) > 1)
    until_quiet(qtbot, window)
    desk, spoiled = window.session.desk.path, tmp_path / "spoiled.jurydesk"
    shutil.copy(desk, spoiled)
    shutil.rmtree(folder)
    with closing(sqlite3.connect(spoiled)) as connection, connection:
        connection.execute("UPDATE check_record SET at = 'no time'")
        connection.execute("UPDATE check_file SET at = 'no time'")
    until_open(qtbot, window, spoiled)
    window.show_page("check")
    until_quiet(qtbot, window)
    earlier = window.page.times.times.actions()[1:]
    assert {one.text() for one in earlier} == {"at an unknown time"}


def outcomes(page) -> list[str]:
    """Return what the published checks in sight say."""
    rows = page.checklist.findChildren(PublishedCheckRow)
    return [one.accessibleName() for one in rows if one.isVisibleTo(page)]
