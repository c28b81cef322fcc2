"""Desks that were never saved are kept, offered at the next start, and deleted on request."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from jurydesk.app.state.desks import (
    delete_discarded,
    discard_unsaved,
    discarded_folder,
    unsaved_desks,
    unsaved_folder,
)
from jurydesk.app.window.recovery_notice import sentence
from jurydesk.core.workflow.desk_contents import DeskContents
from support import toy
from support.windows.waiting import until_checked, until_open, use_desk


def paths():
    return sorted(path.name for path in unsaved_folder().glob("*.jurydesk"))


def test_the_first_file_starts_a_desk(window, files, qtbot):
    assert not window.session.has_desk
    window.files.open_paths(files)
    until_checked(qtbot, window)
    assert window.session.desk.path.parent == unsaved_folder()
    assert "not saved yet" in [chip.text() for chip in window.top.findChildren(QLabel)]


def test_an_unsaved_desk_is_offered_again_at_the_next_start(qtbot, scored, make_window):
    before = [summary.system for summary in scored.session.systems]
    assert unsaved_desks() == []  # it is in use
    scored.close()
    again = make_window()
    again.offer_recovered()
    assert again.notice.text.text().startswith("There is an unsaved desk (today ")
    again.notice.buttons[0].click()
    qtbot.waitUntil(lambda: again.session.has_desk)
    assert [summary.system for summary in again.session.systems] == before
    assert again.page.id == "board"
    assert not again.notice.isVisible()


def test_the_offer_describes_the_desk(qtbot, scored, make_window):
    scored.close()
    again = make_window()
    again.offer_recovered()
    buttons = [*again.notice.buttons]
    reported = again.notice.text
    qtbot.waitUntil(lambda: reported.text().startswith("“Toy” was not saved (today "))
    assert reported.text().endswith("): 3 systems (system A, system B, system C).")
    assert again.notice.accessibleName() == reported.text()
    assert again.notice.buttons == buttons  # a click that has begun ends


def test_a_later_message_is_not_replaced_by_the_offer(qtbot, scored, make_window):
    scored.close()
    again = make_window()
    again.offer_recovered()
    again.refuse("The disk is full.")
    qtbot.waitUntil(lambda: again.jobs.idle)
    assert again.notice.text.text() == "The disk is full."


def test_an_unreadable_desk_is_offered_by_its_time(qtbot, scored, make_window):
    scored.close()
    (unsaved_folder() / paths()[0]).write_bytes(b"cut off")
    again = make_window()
    again.offer_recovered()
    qtbot.waitUntil(lambda: again.jobs.idle)
    assert again.notice.text.text().startswith("There is an unsaved desk (today ")


@pytest.mark.parametrize(
    ("contents", "held"),
    [
        (
            DeskContents("Forty", "Toy", ("a", "b"), scored=True),
            "“Forty” was not saved (today 14:02): Toy · 2 systems (a, b).",
        ),
        (
            DeskContents("Toy", "Toy", ("a", "b", "c", "d", "e")),
            "“Toy” was not saved (today 14:02): 5 systems, not scored (a, b, c and 2 more).",
        ),
        (
            DeskContents("", "Toy"),
            "There is an unsaved desk (today 14:02): Toy · no systems yet.",
        ),
        (
            DeskContents("n" * 99, "Toy"),
            f"“{'n' * 27}…” was not saved (today 14:02): Toy · no systems yet.",
        ),
        (DeskContents(), "There is an unsaved desk (today 14:02)."),
        (DeskContents(problem="Broken."), "There is an unsaved desk (today 14:02)."),
    ],
    ids=["scored", "not scored", "without a title", "a long title", "empty", "broken"],
)
def test_an_offer_lists_the_known_contents(contents, held):
    assert sentence(contents, "today 14:02") == held


def test_a_discarded_desk_is_put_back_by_undo(qtbot, scored, make_window):
    scored.close()
    again = make_window()
    again.offer_recovered()
    again.notice.buttons[1].click()
    assert paths() == []
    assert not again.notice.isVisible()
    assert again.toast.text.text() == "The desk was discarded."
    qtbot.mouseClick(again.toast.button, Qt.MouseButton.LeftButton)
    (kept,) = unsaved_desks()
    until_open(qtbot, again, kept.path)
    assert len(again.session.systems) == 3


def test_desks_discarded_more_than_a_day_ago_are_deleted(scored, monkeypatch):
    path = scored.session.desk.path
    scored.files.close()
    discard_unsaved(path)
    later = time.time() + 86_401
    delete_discarded()
    assert (discarded_folder() / path.name).is_file()
    monkeypatch.setattr("jurydesk.app.state.desks.time.time", lambda: later)
    delete_discarded()
    assert not any(discarded_folder().iterdir())


def test_the_offer_disappears_when_the_desk_is_opened_elsewhere(qtbot, scored, make_window):
    scored.close()
    again = make_window()
    again.offer_recovered()
    (kept,) = unsaved_desks()
    until_open(qtbot, again, kept.path)
    assert not again.notice.isVisible()


def test_an_open_desk_is_never_discarded(scored):
    path = scored.session.desk.path
    scored.files.discard(path)
    assert scored.notice.text.text() == "The desk is open, so it was not deleted. Close it first."
    assert path.is_file()
    scored.session.refresh()
    assert len(scored.session.systems) == 3


def test_an_empty_desk_leaves_no_file(window):
    window.desks.new()
    assert len(paths()) == 1
    window.desks.close()
    assert paths() == []


def test_saving_moves_the_desk_and_deletes_the_unsaved_file(qtbot, scored, tmp_path):
    target = tmp_path / "results.jurydesk"
    scored.files.save_to(target)
    assert scored.session.desk.path == target
    assert paths() == []
    assert len(scored.session.systems) == 3
    assert not scored.desks.is_unsaved
    scored.files.close()
    until_open(qtbot, scored, target)
    assert [summary.stale for summary in scored.session.systems] == [False] * 3
    assert [file.state for file in scored.session.files] == ["current"] * 4


def test_a_read_only_desk_refuses_files_and_explains_why(scored, tmp_path, monkeypatch):
    target = tmp_path / "inspected.jurydesk"
    scored.files.save_to(target)
    use_desk(scored, target, read_only=True)
    assert scored.session.read_only
    assert not scored.actions_["run.score"].isEnabled()
    scored.files.open_paths([tmp_path / "anything.txt"])
    assert scored.toast.text.text() == (
        "This desk is open for reading only: files cannot be added. Save a copy elsewhere, and add "
        "them there."
    )
    assert len(scored.session.profile_systems()) == 3


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"no desk at all, only some text that is long enough", "is not a desk"),
        (None, "broken.jurydesk"),
    ],
)
def test_a_file_that_is_not_a_desk_is_refused_in_a_persistent_bar(
    qtbot, window, tmp_path, content, sentence
):
    path = tmp_path / "broken.jurydesk"
    if content is not None:
        path.write_bytes(content)
    until_open(qtbot, window, path)
    assert sentence in window.notice.text.text()
    assert window.notice.isVisible()


class TestStaleResults:
    def test_a_changed_file_marks_the_results(self, qtbot, scored):
        file = scored.session.files[1]
        toy.write(file.path, {"n0": 0.5, "n1": 0.25}, "system A")
        scored.file_list.look_again()
        scored.session.refresh()
        assert scored.session.files[1].state == "changed"
        stale = {summary.system: summary.stale for summary in scored.session.profile_systems()}
        assert stale == {"system A": True, "system B": False, "system C": False}
        assert "out of date" in scored.page.finding
        scored.evaluator.score()
        qtbot.waitUntil(lambda: scored.evaluator.scoring is None)
        assert not any(summary.stale for summary in scored.session.profile_systems())

    def test_a_changed_option_marks_the_results(self, qtbot, scored):
        scored.session.set_options({"missing": "zero"})
        assert all(summary.stale for summary in scored.session.profile_systems())
        scored.session.set_options({"missing": "skip"})
        assert not any(summary.stale for summary in scored.session.profile_systems())

    def test_another_profile_does_not_show_the_first_profile_s_numbers(self, scored):
        scored.session.set_options({"profile": "corrected"})
        assert scored.page.board is None
        assert scored.page.finding == (
            "Nothing was scored with the profile corrected yet: press Ctrl+R."
        )

    def test_changed_reference_data_is_reported_on_the_board(self, qtbot, scored, tmp_path):
        truth = scored.session.files[0]
        other = tmp_path / "other" / "truth.txt"
        other.parent.mkdir()
        other.write_bytes(truth.path.read_bytes())
        scored.file_list.remove(truth)
        scored.files.open_paths([other])
        qtbot.waitUntil(lambda: len(scored.session.files) == 4)
        scored.show_page("board")
        assert scored.page.finding.endswith(
            "The reference files differ from those scored: press Ctrl+R to score again."
        )


KILLED = """
import os, signal
from jurydesk.app.state.desks import Desks
from jurydesk.app.state.session import Session
from jurydesk.app.state.settings import Settings
from jurydesk.core.competition.task_registry import registry
session = Session()
desks = Desks(session, Settings())
desks.new()
session.set_task(next(iter(registry().tasks.values())), "Before the crash")
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_desk_of_a_killed_program_is_offered_again(qtbot, make_window):
    done = subprocess.run([sys.executable, "-c", KILLED], check=False, timeout=60)
    assert done.returncode == -signal.SIGKILL
    again = make_window()
    again.offer_recovered()
    again.notice.buttons[0].click()
    qtbot.waitUntil(lambda: again.session.has_desk)
    assert again.session.title == "Before the crash"
