"""Offer of a table's columns once its files have arrived, before anything is scored."""

from __future__ import annotations

from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from jurydesk.app.jobs.latest_job import DeskJob
from jurydesk.app.state.workspace import Workspace
from jurydesk.core.language import translate
from jurydesk.core.tasks.table.table_options import TableOptions

if TYPE_CHECKING:
    from jurydesk.app.pages.check.table_sheet import TableSheet
    from jurydesk.core.tasks.table.table_preview import TablePreview


class TableOffer(QObject):
    """Opens the sheet of the first table of results, and takes its options."""

    def __init__(self, workspace: Workspace, parent: QWidget) -> None:
        super().__init__(parent)
        self._workspace, self._page = workspace, parent
        self.sheet: TableSheet | None = None
        self._offered: tuple[int, Path] | None = None
        self._previews: DeskJob[TableOptions, TablePreview] = DeskJob(
            self, workspace.session, workspace.jobs
        )
        self._previews.arrived.connect(self._show)
        workspace.evaluator.busy_changed.connect(self._show_first)

    def path(self) -> Path | None:
        """Return the first table of results; None if the competition has none."""
        session = self._workspace.session
        is_open = session.has_desk and not session.read_only
        if not is_open or not isinstance(session.options, TableOptions):
            return None
        return next(iter(session.inputs().get("results", ())), None)

    def files_given(self) -> None:
        """Open the sheet for the first files of a desk, while nothing is scored."""
        path, session = self.path(), self._workspace.session
        if path is None or session.scored_systems or not self._page.isVisible():
            return
        if self._offered != (session.desk_number, path):
            self._offered = (session.desk_number, path)
            self.open()

    def open(self) -> None:
        """Read the first table, and open its sheet."""
        self._request(self._workspace.session.options)

    def _request(self, options: TableOptions) -> None:
        from jurydesk.core.tasks.table.table_preview import preview_table, recognize_columns

        path = self.path()
        if path is None:
            return
        known = next(iter(self._previews.results()), None)
        if self.sheet is not None and known is not None and known.table is not None:
            work = partial(recognize_columns, known.path, known.table, options)
        else:
            work = partial(preview_table, path, options)
        self._previews.start(options, translate("Reading the files"), work)

    def _show(self, preview: TablePreview) -> None:
        if self.sheet is not None:
            self.sheet.show_preview(preview)
        else:
            self._show_first()

    def _show_first(self) -> None:
        """Open the sheet once the files are checked too: their defects take the focus."""
        preview = next(iter(self._previews.results()), None)
        is_checking = self._workspace.evaluator.checking is not None
        if preview is None or self.sheet is not None or is_checking:
            return
        self._previews.clear()
        if preview.table is None or not self._page.isVisible():
            return
        from jurydesk.app.pages.check.table_sheet import TableSheet

        self._previews.put(preview.options, preview)
        files = len(self._workspace.session.inputs().get("results", ()))
        window = self._page.window()
        self.sheet = TableSheet(preview, files, self._request, self._take, window)
        self.sheet.closed.connect(self._closed)
        self.sheet.open()

    def _closed(self) -> None:
        if self.sheet is not None:
            self.sheet.deleteLater()
        self.sheet = None
        self._previews.clear()

    def _take(self, options: TableOptions) -> None:
        values = {one.name: getattr(options, one.name) for one in fields(options)}
        self._workspace.evaluator.choose_options(values)
