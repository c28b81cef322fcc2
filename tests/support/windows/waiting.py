"""Waiting for what the window does, to its very end."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from jurydesk.app.window.main_window import Window


def until_checked(qtbot: QtBot, window: Window) -> None:
    """The files are checked, and the page no longer says that they are being read."""
    qtbot.waitUntil(lambda: window.evaluator.checked and window.evaluator.checking is None)
