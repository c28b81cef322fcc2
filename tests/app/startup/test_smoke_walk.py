"""The smoke test of packages fails where something is wrong."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from jurydesk.app.pages import PAGES
from jurydesk.app.startup import smoke_walk
from jurydesk.app.startup.smoke_walk import SmokeWalk, WalkError, WindowWalk


@pytest.fixture
def codes(monkeypatch) -> list[int]:
    """Return the exit codes with which smoke tests ended."""
    found: list[int] = []
    monkeypatch.setattr(QApplication, "exit", found.append)
    return found


@pytest.fixture
def walked(qtbot, codes):
    """Return a function that runs a smoke test to its end and returns its exit code."""

    def walk(steps) -> int:
        closed: list[bool] = []
        parent = QObject()
        SmokeWalk(iter(steps), lambda: closed.append(True), parent).start()
        qtbot.waitUntil(lambda: bool(codes), timeout=60_000)
        assert closed == [True]
        return codes.pop()

    return walk


def test_the_walk_waits_for_each_step_and_ends_with_0(walked):
    tries = iter([False, False, True])
    assert walked([("first", lambda: next(tries)), ("second", lambda: True)]) == 0


def test_a_step_that_never_completes_is_named(walked, monkeypatch, capsys):
    monkeypatch.setattr(smoke_walk, "PATIENCE_MS", 30)
    assert walked([("the board is shown", lambda: False)]) == 1
    assert capsys.readouterr().err == "the board is shown: not within 0 s\n"


def test_a_failed_step_is_reported_with_its_message(walked, capsys):
    def steps():
        yield "fine", lambda: True
        raise WalkError("the page is empty")

    assert walked(steps()) == 1
    assert capsys.readouterr().err == "the page is empty\n"


def test_an_uncaught_exception_ends_the_walk_with_a_report(codes, qtbot, capsys):
    parent = QObject()
    walk = SmokeWalk(iter([("never", lambda: False)]), list, parent)
    walk.fail(KeyError("lost"))
    assert codes == [1]
    assert "KeyError: 'lost'" in capsys.readouterr().err


def test_the_walk_opens_every_page_of_the_window(window, walked):
    assert walked(WindowWalk(window)._show_pages("empty")) == 0
    assert window.page.id == PAGES[-1].id


def test_a_warning_of_the_window_ends_the_walk(window):
    walk = WindowWalk(window)
    walk._complain()
    window.refuse("The file cannot be read.")
    with pytest.raises(WalkError, match=r"^the window says: The file cannot be read\.$"):
        walk._complain()


def test_a_crash_dialog_ends_the_walk(window, caplog):
    window.crashes.show(ValueError("ours"))
    with pytest.raises(WalkError, match="ValueError: ours"):
        WindowWalk(window)._complain()
    window.crashes.dialog.close()
    caplog.clear()


def test_the_packet_of_the_walk_contains_stories_and_photos_of_the_example(tmp_path):
    from jurydesk.core.human_evaluation.packets.packet_reader import read_packet

    content = read_packet(smoke_walk.make_packet(tmp_path)).data
    assert content is not None
    assert all(item.stories[0] for item in content.items)
    assert len(content.photos) >= 5
