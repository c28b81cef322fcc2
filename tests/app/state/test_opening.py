"""Opening of a desk in a job: it can be cancelled, and a later command replaces it."""

from __future__ import annotations

import sqlite3
import threading

import pytest
from PySide6.QtCore import Qt

from jurydesk.core.desk import Desk
from jurydesk.core.workflow import take_in
from support.windows import toy_competition
from support.windows.waiting import until_checked, until_open

PATIENCE_SECONDS = 30


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


def press_number(qtbot, window) -> None:
    """Go to Items with its key."""
    qtbot.keyClick(window, Qt.Key.Key_4, Qt.KeyboardModifier.ControlModifier)


def choose_in_sidebar(qtbot, window) -> None:
    """Go from Home to Items with the arrow keys."""
    for _ in range(3):
        qtbot.keyClick(window.sidebar, Qt.Key.Key_Down)


def choose_in_list(qtbot, window) -> None:
    """Go from Home to Items in the list of pages of a small window."""
    window.resize(512, 350)
    for _ in range(3):
        qtbot.keyClick(window.top.pages, Qt.Key.Key_Down)


def test_escape_cancels_opening_and_the_window_answers_meanwhile(qtbot, scored, kept, endless):
    scored.files.open(kept)
    qtbot.waitUntil(endless.is_set)
    assert scored.strip.text.text() == "Opening kept.jurydesk"
    assert scored.strip.cancel.isVisible()
    scored.show_page("check")
    qtbot.keyClick(scored, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: scored.jobs.idle)
    assert not scored.session.has_desk
    assert scored.toast.text.text() == "The desk was not opened."
    assert not scored.notice.isVisible()


def test_the_button_cancels_opening(qtbot, scored, kept, endless):
    scored.files.open(kept)
    qtbot.waitUntil(endless.is_set)
    qtbot.mouseClick(scored.strip.cancel, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: scored.jobs.idle)
    assert not scored.session.has_desk


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
    assert not scored.session.has_desk
    told = scored.notice.text.text()
    assert told.startswith("kept.jurydesk is damaged: table evaluation, row 2"), told


class TestPage:
    """The page that is in front after an opening."""

    @pytest.fixture
    def held(self, kept, monkeypatch):
        """An opening that waits until it is set."""
        go_on, open_desk = threading.Event(), Desk.open

        def open_late(path, *others, **settings):
            assert path != kept or go_on.wait(PATIENCE_SECONDS)
            return open_desk(path, *others, **settings)

        monkeypatch.setattr(Desk, "open", open_late)
        yield go_on
        go_on.set()

    def open(self, qtbot, window, kept, held) -> None:
        held.set()
        qtbot.waitUntil(lambda: window.session.has_desk)
        assert window.session.desk.path == kept

    @pytest.mark.parametrize(
        "choose", [press_number, choose_in_sidebar, choose_in_list], ids=["key", "sidebar", "list"]
    )
    def test_a_page_that_the_user_chose_meanwhile_stays(self, qtbot, scored, kept, held, choose):
        scored.show_page("home")
        scored.files.open(kept)
        choose(qtbot, scored)
        assert scored.page.id == "items"
        self.open(qtbot, scored, kept, held)
        assert scored.page.id == "items"

    def test_the_board_is_shown_if_a_page_was_chosen_before_the_opening(
        self, qtbot, scored, kept, held
    ):
        press_number(qtbot, scored)
        scored.files.open(kept)
        self.open(qtbot, scored, kept, held)
        assert scored.page.id == "board"


class TestPageOfAddedFiles:
    """The page that is in front after files were added."""

    @pytest.fixture
    def add(self, qtbot, window, files, monkeypatch):
        """Return a function that adds files, and calls another while they are read."""
        go_on, read = threading.Event(), take_in.take_in

        def read_late(*others, **settings):
            assert go_on.wait(PATIENCE_SECONDS)
            return read(*others, **settings)

        monkeypatch.setattr(take_in, "take_in", read_late)

        def add(meanwhile) -> None:
            window.files.open_paths(files)
            meanwhile(qtbot, window)
            go_on.set()
            until_checked(qtbot, window)

        yield add
        go_on.set()

    def test_a_page_that_the_user_chose_meanwhile_stays(self, window, add):
        add(press_number)
        assert window.page.id == "items"

    def test_check_is_shown_if_a_page_was_chosen_before(self, qtbot, window, add):
        press_number(qtbot, window)
        add(lambda *_: None)
        assert window.page.id == "check"

    def test_an_example_shows_check_whatever_was_chosen_before(self, qtbot, window, files):
        press_number(qtbot, window)
        window.files.open_example(toy_competition.TASK, files[0].parent)
        assert window.page.id == "check"


def test_file_dialogs_open_where_the_inputs_of_an_opened_desk_are(qtbot, scored, kept, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    scored.settings.keep_folder("open", elsewhere)
    until_open(qtbot, scored, kept)
    assert scored.settings.folder("open") == scored.session.files[0].path.parent
