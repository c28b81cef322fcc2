"""First moment of a view, in which nobody sees a part of it alone."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QWidget

from jurydesk.app.jobs.responsiveness.frame_queue import FrameQueue

HELD_MS = 250
"""Longest time for which nothing is painted."""


class Hold(QObject):
    """Keeps a view from painting until its queued parts are there."""

    def __init__(self, view: QWidget, frames: FrameQueue) -> None:
        super().__init__(view)
        self._view = view
        self._timer = QTimer(self, singleShot=True)
        self._timer.setInterval(HELD_MS)  # PySide finds no property "interval" in Turkish
        self._timer.timeout.connect(self.end)
        frames.emptied.connect(self.end)

    def begin(self) -> None:
        """Paint nothing until the queue is empty, or for `HELD_MS` at most."""
        self._view.setUpdatesEnabled(False)
        self._timer.start()

    def end(self) -> None:
        """Paint again."""
        if self._timer.isActive() or not self._view.updatesEnabled():
            self._timer.stop()
            self._view.setUpdatesEnabled(True)
