"""The question before the window is closed while work is going on."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.jobs import Job


class Closing(QObject):
    """`agreed` says that the user wants to close all the same, which `certain` remembers."""

    agreed = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.certain = False

    def ask(self, job: Job) -> None:
        """Ask whether a job may be cancelled; the answer comes by `agreed`, or not at all."""
        from PySide6.QtWidgets import QMessageBox

        box = QMessageBox(self._window)
        box.setObjectName("close-question")
        box.setWindowTitle("Jurydesk")
        box.setText(f"“{job.title}” is still running.")
        box.setInformativeText("What was scored so far is kept.")
        stop = box.addButton("Cancel it and close", QMessageBox.ButtonRole.AcceptRole)
        stay = box.addButton("Keep running", QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(stay)
        box.setEscapeButton(stay)
        stop.clicked.connect(self._agree)
        box.open()

    def _agree(self) -> None:
        self.certain = True
        self.agreed.emit()
