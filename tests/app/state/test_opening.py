"""Opening of a desk in a job: it can be cancelled, and a later command replaces it."""

from __future__ import annotations

import sqlite3
import threading

import pytest
from PySide6.QtCore import Qt

from jurydesk.core.desk import Desk
from support.windows.waiting import until_open


@pytest.fixture
def kept(scored, tmp_path):
    """The path of a saved desk, which is closed."""
    path = tmp_path / "kept.jurydesk"
    scored.files.save_to(path)
    scored.desks.close()  # Home would read the desk
    return path


@pytest.fixture
def endless(kept, monkeypatch):
    """An opening that lasts until it is cancelled; set once it has begun."""
    begun, open_desk = threading.Event(), Desk.open

    def open_endlessly(path, read_only=False, check=lambda: None):
        if path != kept:
            return open_desk(path, read_only)
        begun.set()
        while True:
            check()
            threading.Event().wait(0.001)

    monkeypatch.setattr(Desk, "open", open_endlessly)
    return begun


def test_escape_cancels_opening_and_the_window_answers_meanwhile(qtbot, scored, kept, endless):
    scored.files.open(kept)
    qtbot.waitUntil(endless.is_set)
    assert scored.strip.text.text() == "Opening kept.jurydesk"
    assert scored.strip.cancel.isVisible()
    scored.show_page("check")
    qtbot.keyClick(scored, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: scored.jobs.idle)
    assert scored.session.desk is None
    assert scored.toast.text.text() == "The desk was not opened."
    assert not scored.notice.isVisible()


def test_the_button_cancels_opening(qtbot, scored, kept, endless):
    scored.files.open(kept)
    qtbot.waitUntil(endless.is_set)
    qtbot.mouseClick(scored.strip.cancel, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: scored.jobs.idle)
    assert scored.session.desk is None


def test_the_desk_in_use_stays_until_the_other_is_open(qtbot, scored, kept, endless):
    scored.desks.new()
    before = scored.session.desk
    scored.files.open(kept)
    qtbot.waitUntil(endless.is_set)
    assert scored.session.desk is before
    qtbot.keyClick(scored, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: scored.jobs.idle)
    assert scored.session.desk is before


def test_a_later_command_replaces_the_opening(qtbot, scored, kept):
    scored.files.open(kept)
    scored.desks.new()
    empty = scored.session.desk
    qtbot.waitUntil(lambda: scored.jobs.idle)
    assert scored.session.desk is empty
    scored.files.open(kept)
    until_open(qtbot, scored, kept)
    assert scored.session.desk.path == kept
    assert len(scored.session.systems) == 3


def test_closing_the_jobs_does_not_end_later_queries(qtbot, scored, kept):
    job = scored.files.open(kept)
    qtbot.waitUntil(lambda: scored.jobs.idle)
    job.cancel()
    assert len(scored.session.desk.evaluations()) == 3


def test_damage_is_reported_with_table_and_row(qtbot, scored, kept):
    with sqlite3.connect(kept) as connection:
        connection.execute("UPDATE evaluation SET scores = '[1, 2' WHERE id = 2")
    connection.close()
    until_open(qtbot, scored, kept)
    assert scored.session.desk is None
    told = scored.notice.text.text()
    assert told.startswith("kept.jurydesk is damaged: table evaluation, row 2"), told
