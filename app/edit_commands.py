"""What the Edit menu does: undo, copy, select, find; the page at the front has the say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from app.evaluator import Evaluator
from app.format import counted
from app.jobs import Job
from app.widgets.toast import Toast

if TYPE_CHECKING:
    from app.page_book import PageBook


class EditCommands(QObject):
    """Acts on the files (undo) and on the selection of the page that is shown."""

    def __init__(self, book: PageBook, evaluator: Evaluator, toast: Toast) -> None:
        super().__init__(book)
        self._book = book
        self._undo = evaluator.undo
        self._toast = toast
        self._jobs = evaluator.jobs
        self._copying: Job | None = None

    def undo(self) -> None:
        """Take back the last change of the files."""
        self._undo.undo()

    def redo(self) -> None:
        """Do again what was taken back."""
        self._undo.redo()

    def offer_undo(self, text: str) -> None:
        """Tell what was done, with a button that takes it back."""
        self._toast.say(text, "Undo")

    def copy(self) -> None:
        """Copy the page's selection."""
        self._copy(headers=False)

    def copy_with_headers(self) -> None:
        """Copy the page's selection with the names of its columns."""
        self._copy(headers=True)

    def select_all(self) -> None:
        """Select everything on the page that can be copied."""
        self._book.front.select_all()

    def find(self) -> None:
        """Go to the page's search field."""
        self._book.front.search()

    def _copy(self, *, headers: bool) -> None:
        from app.models.columns import ManyRows

        page = self._book.front
        found = "" if page.covered else page.copied(headers)
        if self._copying is not None:
            self._copying.cancel()
            self._copying = None
        if isinstance(found, ManyRows):
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
        self._toast.say(f"{counted(lines, 'line')} copied")
