"""Copying the selection of the page at the front, and the offer to take a change back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from jurydesk.app.jobs.evaluator import Evaluator
from jurydesk.app.jobs.job import Job
from jurydesk.app.style.numbers import quantity
from jurydesk.app.window.toast import Toast

if TYPE_CHECKING:
    from jurydesk.app.window.page_stack import PageStack


class EditCommands(QObject):
    """Copies in a job where much is selected."""

    def __init__(self, book: PageStack, evaluator: Evaluator, toast: Toast) -> None:
        super().__init__(book)
        self._book = book
        self._toast = toast
        self._jobs = evaluator.jobs
        self._copying: Job | None = None

    def offer_undo(self, text: str) -> None:
        """Tell what was done, with a button that takes it back."""
        self._toast.say(text, "Undo")

    def copy(self) -> None:
        self._copy(headers=False)

    def copy_with_headers(self) -> None:
        """Copy the page's selection with the names of its columns."""
        self._copy(headers=True)

    def _copy(self, *, headers: bool) -> None:
        from jurydesk.app.tables.columns import LargeCopy

        page = self._book.front
        found = "" if page.covered else page.copied(headers)
        if self._copying is not None:
            self._copying.cancel()
            self._copying = None
        if isinstance(found, LargeCopy):
            self._copying = Job("Copying", found.text)
            self._copying.succeeded.connect(self._written)
            self._jobs.start(self._copying)
        elif found:
            self._put(found)

    def _written(self, text: str) -> None:
        """A copy that was cancelled at its very end is one, too."""
        if self._copying is not None and not self._copying.cancelling:
            self._put(text)

    def _put(self, text: str) -> None:
        self._copying = None
        QGuiApplication.clipboard().setText(text)
        lines = text.count("\n") + 1
        self._toast.say(f"{quantity(lines, 'line')} copied")
