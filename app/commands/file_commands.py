"""Commands of the File menu: new, open, save, close, recent desks, exports."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from jurydesk.app.jobs.job import Job, Notify
from jurydesk.app.state.desks import (
    SUFFIX,
    Desks,
    OpenedDesk,
    discard_unsaved,
    is_in_use,
    open_with_state,
    restore_discarded,
)
from jurydesk.app.state.evaluator import Evaluator
from jurydesk.app.state.file_list import FileList
from jurydesk.app.state.session import Session, SessionPart
from jurydesk.app.state.settings import Settings
from jurydesk.app.style.visible_text import tip
from jurydesk.core.language import failure_reason, fill, join_messages, translate, translate_text
from jurydesk.core.system.paths import file_name_of
from jurydesk.core.system.this_program import SHOWN_VARIABLE, program_command

if TYPE_CHECKING:
    import subprocess

    from jurydesk.app.widgets.page_export import Export
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.execution.run import Run


POLL_MS = 200
EXIT_REFUSED, EXIT_REPORTED = 2, 1
"""Exit codes: nothing could be shown, and the error was reported in a window."""


@dataclass(frozen=True, slots=True, eq=False)
class RatingProcess:
    """A running rating program and its packet; `errors` receives its standard error.

    The program makes the file `shown` when its window is there.
    """

    packet: Path
    process: subprocess.Popen[bytes]
    errors: IO[bytes]
    shown: Path

    def wait(self, run: Run, notify: Notify) -> None:
        """Wait until its window is there or the program has ended; the work of a job."""
        while not self.shown.exists() and self.process.poll() is None:
            run.check()
            time.sleep(POLL_MS / 1000)


class RatingProcesses(QObject):
    """Running rating programs.

    `started` carries each `RatingProcess`, `ended` the packet of a page that was closed, `refused`
    an error message.
    """

    started = Signal(object)
    ended = Signal(object)
    refused = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._open: list[RatingProcess] = []
        self._timer = QTimer(self)
        self._timer.setInterval(POLL_MS)
        self._timer.timeout.connect(self._poll)

    @property
    def packets(self) -> list[Path]:
        return [rating.packet for rating in self._open]

    def open(self, packet: Path) -> None:
        import subprocess

        errors = tempfile.TemporaryFile()  # noqa: SIM115 - read when the process ends
        shown = Path(tempfile.mkdtemp(prefix="jurydesk-rating-")) / "shown"
        try:
            process = subprocess.Popen(  # noqa: S603 - this very program
                [*program_command(), str(packet)],
                stdout=subprocess.DEVNULL,
                stderr=errors,
                env={**os.environ, SHOWN_VARIABLE: str(shown)},
            )
        except OSError as error:
            errors.close()
            shutil.rmtree(shown.parent, ignore_errors=True)
            self.refused.emit(
                translate(
                    "The rating page cannot be opened: {reason}.",
                    reason=failure_reason(error),
                )
            )
            return
        self._open.append(RatingProcess(packet, process, errors, shown))
        self._timer.start()
        self.started.emit(self._open[-1])

    def _poll(self) -> None:
        for one in [one for one in self._open if one.process.poll() is not None]:
            self._open.remove(one)
            self._end(one)
        if not self._open:
            self._timer.stop()

    def _end(self, one: RatingProcess) -> None:
        with one.errors:
            one.errors.seek(0)
            errors = one.errors.read().decode("utf-8", "replace").strip()
        shutil.rmtree(one.shown.parent, ignore_errors=True)
        code = one.process.returncode
        if code == EXIT_REFUSED:
            self.refused.emit(
                errors or translate("The packet {name} cannot be opened.", name=one.packet.name)
            )
        elif code not in (0, EXIT_REPORTED):
            self.refused.emit(
                translate(
                    "The rating page of {name} ended unexpectedly. All saved answers are kept: "
                    "open the packet again to go on.",
                    name=one.packet.name,
                )
            )
        self.ended.emit(one.packet)


PACKET, ANSWERS, ENTRY = ".jurypacket", ".juryanswers", ".juryentry"


class FileCommands(QObject):
    """Commands of the File menu. `message` is shown briefly, `refused` until it is closed.

    `answers_received` carries answers files of raters, `entries_received` sealed entries;
    `desks_changed` follows when the list of desks changed, and `exported` carries the path of a
    file that was written.
    """

    message = Signal(object)
    refused = Signal(object)
    begun = Signal()
    opened = Signal()
    closed = Signal()
    answers_received = Signal(object)
    entries_received = Signal(object)
    desks_changed = Signal()
    exported = Signal(object)

    def __init__(
        self,
        window: QWidget,
        session: Session,
        desks: Desks,
        file_list: FileList,
        evaluator: Evaluator,
        settings: Settings,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._desks = desks
        self._file_list = file_list
        self._evaluator = evaluator
        self._jobs = evaluator.jobs
        self._settings = settings
        self._opening: Job | None = None
        session.subscribe(SessionPart.DESK, self._cancel_opening)
        self.exports: Sequence[Export] = ()
        self.rating_processes = RatingProcesses(self)
        self.rating_processes.refused.connect(self.refused)
        self.rating_processes.started.connect(self._wait_for_rating)

    def _wait_for_rating(self, rating: RatingProcess) -> None:
        """Say that the rating page is being opened, until it is there."""
        self._jobs.start(Job(translate("Opening the rating page"), rating.wait, quiet=True))

    # Opening

    def new(self) -> None:
        if self._call_guarded(self._desks.close):
            self.closed.emit()

    def choose(self) -> None:
        folder = str(self._settings.folder("open"))
        names, _ = QFileDialog.getOpenFileNames(
            self._window,
            translate("Open files or a desk"),
            folder,
            f"{translate('All files')} (*);;{desk_filter()}",
        )
        self.open_paths([Path(name) for name in names])

    def choose_folder(self) -> None:
        folder = str(self._settings.folder("open"))
        name = QFileDialog.getExistingDirectory(self._window, translate("Add a folder"), folder)
        self.open_paths([Path(name)] if name else [])

    def open_paths(self, paths: Sequence[Path]) -> None:
        """Open the desk among these files, or add them to the open desk.

        Packets open the rating page, and answers files are merged.
        """
        if not paths:
            return
        self._settings.keep_folder("open", paths[0])
        paths = self._open_special_files(paths)
        if not paths:
            return
        desks = [path for path in paths if path.suffix.lower() == SUFFIX]
        if desks:
            self.open(desks[0])
            return
        self._file_list.add(paths)

    def _open_special_files(self, paths: Sequence[Path]) -> Sequence[Path]:
        """Open packets, emit answers files and sealed entries, and return the other files."""
        for path in paths:
            if path.suffix.lower() == PACKET:
                self.rating_processes.open(path)
        answers = [path for path in paths if path.suffix.lower() == ANSWERS]
        if answers:
            self.answers_received.emit(answers)
        entries = [path for path in paths if path.suffix.lower() == ENTRY]
        if entries:
            self.entries_received.emit(entries)
        return [path for path in paths if path.suffix.lower() not in (PACKET, ANSWERS, ENTRY)]

    def open(self, path: Path) -> Job:
        """Open a desk in a job, which Esc cancels; `opened` follows, or a message why not."""
        self._cancel_opening()
        job = Job(translate("Opening {name}", name=path.name), partial(open_with_state, path))
        job.succeeded.connect(self._desk_opened)
        job.stopped.connect(self._opening_stopped)
        self._opening = job
        self.begun.emit()
        self._jobs.start(job)
        return job

    @property
    def opening(self) -> str:
        """The title of the job that opens a desk; empty if none is being opened."""
        return "" if self._opening is None else self._opening.title

    def _cancel_opening(self) -> None:
        """Cancel an opening, whose desk is not wanted any more."""
        if self._opening is not None:
            self._opening.cancel()
            self._opening = None

    def _desk_opened(self, found: OpenedDesk) -> None:
        if self.sender() is not self._opening:
            found.desk.close()
            return
        self._opening = None
        if not self._call_guarded(self._desks.use, found):
            return
        self.opened.emit()
        if self._session.read_only:
            self.message.emit(
                translate("The desk is write-protected, so it was opened for reading only.")
            )
        if self._session.unknown_task:
            self.refused.emit(
                translate(
                    "The competition “{unknown_task}” of {name} is not installed.",
                    unknown_task=self._session.unknown_task,
                    name=found.desk.path.name,
                )
            )

    def _opening_stopped(self) -> None:
        if self.sender() is self._opening:
            self._opening = None
            self.message.emit(translate("The desk was not opened."))

    def open_example(self, task: AnyTask, folder: Path | None = None) -> None:
        """Start a new desk with the example of a task, or with a copy of it in `folder`."""
        from jurydesk.core.competition.examples import example_folder

        folder = folder or example_folder(task)
        if folder is None:
            self.refused.emit(
                translate(
                    "The example of {title} is not installed.", title=translate_text(task.title)
                )
            )
        elif self._call_guarded(self._desks.close):
            self.begun.emit()
            self._file_list.begin_example(task, folder)

    # Saving

    def save(self) -> None:
        """Ask where to save an unsaved desk; every other desk is already up to date."""
        name = self._session.desk.path.name
        if self._desks.is_unsaved:
            if self._jobs.visible() is None:
                self.save_as()
            else:
                self.message.emit(
                    translate("Wait for the running job to end before you save the desk.")
                )
        elif self._session.read_only:
            self.message.emit(
                translate("{name} is open for reading only: there are no changes.", name=name)
            )
        else:
            self.message.emit(translate("All changes are already saved in {name}.", name=name))

    def save_as(self) -> None:
        """Ask for a path, and continue with the desk there."""
        title = file_name_of(self._session.title, "Competition")
        start = self._settings.folder("save") / f"{title}{SUFFIX}"
        name, _ = QFileDialog.getSaveFileName(
            self._window, translate("Save desk as"), str(start), desk_filter()
        )
        if name:
            path = Path(name)
            self.save_to(path if path.suffix else path.with_suffix(SUFFIX))

    def save_to(self, path: Path) -> None:
        if self._call_guarded(self._desks.save_as, path):
            self._settings.keep_folder("save", path)
            self.message.emit(
                translate("Saved as {name}. All further changes are saved at once.", name=path.name)
            )

    def close(self) -> None:
        """Close the desk; an unsaved desk is kept and offered again."""
        kept = self._desks.is_unsaved and bool(self._session.files)
        if self._call_guarded(self._desks.close):
            self.closed.emit()
            if kept:
                self.message.emit(translate("The unsaved desk is kept and listed on Home."))

    def discard(self, path: Path) -> None:
        """Put an unsaved desk aside, unless it is open; this can be undone."""
        if is_in_use(path):
            self.refused.emit(translate("The desk is open, so it was not deleted. Close it first."))
            return
        self._evaluator.change(
            translate("discarding the desk"),
            translate("The desk was discarded."),
            partial(self._move_desk, discard_unsaved, path),
            partial(self._move_desk, restore_discarded, path),
        )

    def _move_desk(self, move: Callable[[Path], None], path: Path) -> None:
        self._call_guarded(move, path)
        self.desks_changed.emit()

    def forget(self, path: Path) -> None:
        """Remove a desk from the list of recent desks; this can be undone."""
        recent = self._settings.texts("recent")
        self._evaluator.change(
            translate("taking {name} off the list", name=path.name),
            translate("{name} was taken off the list. Its file stays.", name=path.name),
            partial(self._keep_recent, [text for text in recent if text != str(path)]),
            partial(self._keep_recent, recent),
        )

    def _keep_recent(self, texts: list[str]) -> None:
        self._settings.keep("recent", texts)
        self.desks_changed.emit()

    def fill_recent(self, menu: QMenu) -> None:
        menu.clear()
        for path in self._settings.recent():
            action = QAction(path.name, menu)
            action.setData(str(path))
            action.setToolTip(tip(str(path)))
            action.triggered.connect(self._open_recent)
            menu.addAction(action)
        if menu.isEmpty():
            menu.addAction(translate("No recent desks")).setEnabled(False)

    def _open_recent(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.open(Path(action.data()))

    # Exports

    def show_exports(self) -> None:
        """Open a menu of the page's exports."""
        menu = QMenu(self._window)
        menu.setObjectName("exports")
        for number, export in enumerate(self.exports):
            action = menu.addAction(translate_text(export.title))
            action.setData(number)
            action.triggered.connect(self._export_chosen)
        corner = self._window.width() - menu.sizeHint().width() - 18
        menu.popup(self._window.mapToGlobal(QPoint(corner, 80)))

    def _export_chosen(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.ask_export(self.exports[action.data()])

    def ask_export(self, export: Export) -> None:
        """Ask for a path, and write an export there."""
        suffix = export.pattern.removeprefix("*")
        title = file_name_of(self._session.title, "board")
        start = self._settings.folder("export") / f"{title}{suffix}"
        name, _ = QFileDialog.getSaveFileName(
            self._window, translate_text(export.title), str(start), export.pattern
        )
        if name:
            path = Path(name)
            self.export(export, path if path.suffix else path.with_suffix(suffix))

    def export(self, export: Export, path: Path) -> None:
        """Write an export to a file, or show why it cannot be written."""
        if export.slow:
            self._settings.keep_folder("export", path)
            job = Job(
                translate("Writing {name}", name=path.name),
                partial(write_export, export.write, path),
            )
            job.succeeded.connect(self.exported)
            self._jobs.start(job)
        elif self._call_guarded(export.write, path):
            self._settings.keep_folder("export", path)
            self.exported.emit(path)

    def _call_guarded(self, action: Callable[..., object], *arguments: object) -> bool:
        """Call `action`, and show desk and file errors; return whether it succeeded."""
        from jurydesk.core.desk import DeskError

        try:
            action(*arguments)
        except DeskError as error:
            self.refused.emit(str(error))
        except OSError as error:
            name = Path(str(error.filename)).name if error.filename else ""
            said = fill("{reason}.", failure_reason(error))
            self.refused.emit(join_messages([name, said], ": "))
        else:
            return True
        return False


def write_export(write: Callable[..., None], path: Path, run: Run, notify: Notify) -> Path:
    """Write an export in a job, and return its path."""
    write(path, run, notify)
    return path


def desk_filter() -> str:
    """Return the file dialog's filter of desks."""
    return f"{translate('Desks')} (*{SUFFIX})"
