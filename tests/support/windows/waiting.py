"""Waiting for the window's work to finish."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from jurydesk.app.window.main_window import Window


def until_checked(qtbot: QtBot, window: Window) -> None:
    """Wait until the files are checked, and the page no longer shows that it reads them."""
    qtbot.waitUntil(lambda: window.evaluator.checked and window.evaluator.checking is None)
