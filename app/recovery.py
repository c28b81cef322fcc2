"""Offering the desk that was never saved, after a crash or a hasty close."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.desks import Recovered, recovered
from app.format import moment

if TYPE_CHECKING:
    from app.window import Window


class Recovery(QObject):
    """Shows the latest unsaved desk in the notice bar: open it, discard it, or leave it."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        self._desk: Recovered | None = None

    def offer(self) -> None:
        """Look for an unsaved desk, unless one is open already."""
        found = recovered()
        if not found or self._window.session.desk is not None:
            return
        self._desk = found[0]
        when = moment(self._desk.when, datetime.now())
        self._window.notice.say(
            f"A desk that was never saved was kept ({when}).",
            [("Open it", self._open), ("Discard", self._discard), ("Later", self._leave)],
        )

    def _open(self) -> None:
        if self._desk is not None:
            self._window.files.open(self._desk.path)

    def _discard(self) -> None:
        if self._desk is not None:
            self._window.files.discard(self._desk)

    def _leave(self) -> None:
        self._desk = None
