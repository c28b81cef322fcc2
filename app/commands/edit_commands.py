"""Commands of the Edit menu: copy the selection, and offer to undo a change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from jurydesk.app.jobs.job import Job
from jurydesk.app.state.evaluator import Evaluator
from jurydesk.core.language import translate, translate_plural

if TYPE_CHECKING:
    from jurydesk.app.window.page_stack import PageStack
    from jurydesk.app.window.toast import Toast


class EditCommands(QObject):
    """Commands of the Edit menu; a large selection is copied by a job."""

    def __init__(self, book: PageStack, evaluator: Evaluator, toast: Toast) -> None:
        super().__init__(book)
        self._book = book
        self._toast = toast
        self._jobs = evaluator.jobs
        self._copying: Job | None = None
        self._undo = evaluator.undo
        self._offered = "", 0
        """What was done last, and the number of changes with it."""
        self._undo.indexChanged.connect(self._withdraw)

    def offer_undo(self, text: str) -> None:
        """Show what was done, with a button to undo it, until it is undone."""
        self._toast.say(text, translate("Undo"))
        self._offered = self._toast.text.text(), self._undo.index()

    def _withdraw(self, index: int) -> None:
        text, changes = self._offered
        if index < changes and self._toast.text.text() == text:
            self._toast.hide()

    def copy(self) -> None:
        self._copy(headers=False)

    def copy_with_headers(self) -> None:
        """Copy the page's selection with the column titles."""
        self._copy(headers=True)

    def _copy(self, *, headers: bool) -> None:
        from jurydesk.app.tables.large_copy import LargeCopy

        page = self._book.front
        selection = "" if page.has_hidden_scores else page.selection_text(headers)
        if self._copying is not None:
            self._copying.cancel()
            self._copying = None
        if isinstance(selection, LargeCopy):
            self._copying = Job(translate("Copying"), selection.text)
            self._copying.succeeded.connect(self._copy_finished)
            self._jobs.start(self._copying)
        elif selection:
            self._set_clipboard(selection)

    def _copy_finished(self, text: str) -> None:
        # A copy can be cancelled between its last check and this call.
        if self._copying is not None and not self._copying.cancelling:
            self._set_clipboard(text)

    def _set_clipboard(self, text: str) -> None:
        self._copying = None
        QGuiApplication.clipboard().setText(text)
        lines = text.count("\n") + 1
        self._toast.say(translate_plural("{count} line copied", "{count} lines copied", lines))
