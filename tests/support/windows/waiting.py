"""Waiting for the window's work to finish."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from jurydesk.app.jobs.responsiveness.frame_queue import FrameQueue
from jurydesk.app.state.desks import open_with_state
from jurydesk.app.window.main_window import Window
from jurydesk.core.execution.run import Run


def until_open(qtbot: QtBot, window: Window, path: Path) -> None:
    """Open a desk as the commands do, and wait until it is open or refused."""
    window.files.open(path)
    qtbot.waitUntil(lambda: window.jobs.idle)


def use_desk(window: Window, path: Path, *, read_only: bool = False) -> None:
    """Open a desk without a job."""
    window.desks.use(open_with_state(path, Run(), read_only=read_only))


def until_checked(qtbot: QtBot, window: Window) -> None:
    """Wait until the files are checked, and the page no longer shows that it reads them."""
    qtbot.waitUntil(lambda: window.evaluator.checked and window.evaluator.checking is None)


def until_drawn(qtbot: QtBot, window: Window) -> None:
    """Wait until no part of a page is queued."""
    qtbot.waitUntil(lambda: all(one.is_empty for one in window.findChildren(FrameQueue)))


def until_quiet(qtbot: QtBot, window: Window) -> None:
    """Wait until neither a job nor a queued part of a page is left to show."""
    until_drawn(qtbot, window)
    qtbot.waitUntil(lambda: window.jobs.idle)
