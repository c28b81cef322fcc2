"""The participant kit: made of the reference files, shown, and written where the user wants it."""

from __future__ import annotations

from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from app.format import counted
from app.jobs import Job, Jobs, Tell
from app.session import Session
from app.settings import Settings
from app.view_commands import ViewCommands

if TYPE_CHECKING:
    from core.kit.kit import AnyTask, Kit
    from core.run.run import Run
    from core.task import Inputs


class KitExport(QObject):
    """`told` is a short message, `refused` one that stays."""

    told = Signal(str)
    refused = Signal(str)

    def __init__(
        self, shell: QWidget, session: Session, jobs: Jobs, views: ViewCommands, settings: Settings
    ) -> None:
        super().__init__(shell)
        self._shell = shell
        self._session = session
        self._jobs = jobs
        self._views = views
        self._settings = settings

    def begin(self) -> None:
        """Read the reference files, and say what a kit of them would hold."""
        session = self._session
        if session.task is None:
            return
        work = partial(made_kit, session.task, session.title, session.inputs(), session.options)
        job = Job("Making the kit", work)
        job.succeeded.connect(self._show)
        self._jobs.start(job)

    def _show(self, kit: Kit | str) -> None:
        from app.widgets.kit import KitSheet
        from app.widgets.options import name_of
        from core.kit.page import has_page

        if isinstance(kit, str):
            self.refused.emit(kit)
            return
        task = self._session.task
        if task is None or task.id != kit.task_id:  # another competition was opened meanwhile
            return
        names = {entry.name: name_of(entry) for entry in fields(task.scoring.options)}
        sheet = KitSheet(kit, names, has_page(task.submission_checks.redaction), self._shell)
        sheet.wanted.connect(self._save)
        self._views.show_sheet(sheet)

    def _save(self, kit: Kit, suffix: str) -> None:
        start = self._settings.folder("export") / f"{kit.title}{suffix}"
        name, _ = QFileDialog.getSaveFileName(
            self._shell, "Export participant kit", str(start), f"*{suffix}"
        )
        if name:
            path = Path(name)
            self.write(kit, path if path.suffix else path.with_suffix(suffix))

    def write(self, kit: Kit, path: Path) -> None:
        """Write a kit as the ending of the file's name asks for."""
        from core.kit.kit import SUFFIX, KitError, kit_bytes, outline_of
        from core.kit.page import page_bytes
        from core.paths import write_atomically

        task = self._session.task
        try:
            if path.suffix.lower() == SUFFIX or task is None:
                write_atomically(path, kit_bytes(kit))
            else:
                write_atomically(path, page_bytes(kit, outline_of(task)))
        except KitError as error:
            self.refused.emit(str(error))
        except OSError as error:
            self.refused.emit(f"{path.name}: {error.strerror or error}.")
        else:
            self._settings.keep_folder("export", path)
            self.told.emit(f"Written: {path.name}")


def made_kit(
    task: AnyTask, title: str, inputs: Inputs, options: object, run: Run, tell: Tell
) -> Kit | str:
    """The kit of a competition, or a sentence that says why there is none."""
    from core.defects import Severity
    from core.kit.kit import KitError, make_kit

    own = task.submission_input().role
    shared = {role: paths for role, paths in inputs.items() if role != own}
    references = task.readers.read_references(shared, options, run)
    wrong = sum(defect.severity is Severity.ERROR for defect in references.defects)
    if wrong:
        return (
            f"The reference files have {counted(wrong, 'error')}: see Check, and mend them first."
        )
    try:
        return make_kit(task, title, references, options)
    except KitError as error:
        return str(error)
