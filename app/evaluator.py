"""What the user asks of files: take them in, check them, score them; each is a job."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from app import work
from app.desks import Desks, fresh_path
from app.format import counted
from app.inputs import InputFile
from app.jobs import Job, Jobs, Work
from app.session import Session
from core.run.workers import Data, at_scheduler

if TYPE_CHECKING:
    from core.desk import Desk, Removed, Summary
    from core.intake.files import Given
    from core.run.engine import Result
    from core.task import Input
    from core.tasks.registry import AnyTask


class Evaluator(QObject):
    """Runs intake, checks and scoring over the session. Messages go by `told` and `undoable`.

    `arrived` says that files came in; `scored` that a scoring ended with results.
    """

    told = Signal(str)
    undoable = Signal(str)
    arrived = Signal()
    scored = Signal()
    busy_changed = Signal()
    device_changed = Signal()

    def __init__(
        self, session: Session, jobs: Jobs, desks: Desks, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self.jobs = jobs
        self._desks = desks
        self.undo = QUndoStack(self)
        self.device = "auto"
        self.processes = 0
        self.scheduler = ""
        self.data: Data = "chunks"
        self.checking: Job | None = None
        self.scoring: Job | None = None
        self.looking: Job | None = None
        self.checked = False
        session.options_changed.connect(self._options_changed)
        session.desk_changed.connect(self._desk_changed)

    def use_device(self, device: str) -> None:
        """Run neural metrics there from now on."""
        self.device = device
        self.device_changed.emit()

    # Files

    def add(self, paths: Sequence[Path], *, watched: bool = False) -> None:
        """Take in files, folders and archives: find out what they are, and check them.

        In a `watched` folder every folder is a team's, and nobody is called to the page Check.
        """
        if self._session.read_only:
            self.told.emit("This desk is open for reading only: files cannot be added.")
            return
        desk = fresh_path() if self._session.desk is None else None
        job = Job("Looking at the files", partial(work.look, tuple(paths), desk, watched=watched))
        job.succeeded.connect(self._take)
        self.jobs.start(job)

    def _take(self, looked: work.Looked) -> None:
        from app.placing import place

        found = looked.arrivals
        self._session.set_intake_defects(looked.defects)
        if not found:
            if not looked.watched:
                self.told.emit("There is no file in what was given.")
            return
        if looked.desk is not None:
            self._desks.adopt(looked.desk)
        self._desks.ensure()
        before = {file.path for file in self._session.files if file.role}
        placement = place(found, self._session.files, self._session.task, watched=looked.watched)
        if looked.example is not None and placement.task is not None and not self._session.task:
            self.begin_example(placement.task, looked.example)
            return
        if placement.task is not None and self._session.task is None:
            self._session.set_task(placement.task)
        self._change_files("adding files", placement.files)
        if looked.watched:
            came = sum(bool(file.role) and file.path not in before for file in placement.files)
            self.told.emit(f"{counted(came, 'file')} came in." if came else "A file has changed.")
            return
        if placement.strangers:
            names = ", ".join(file.path.name for file in placement.strangers[:3])
            count = counted(len(placement.strangers), "file")
            self.told.emit(f"{count} of another kind: {names}. See the reasons on Check.")
        self.arrived.emit()

    def begin_example(self, task: AnyTask, folder: Path) -> None:
        """Start the example competition of a folder."""
        from app.intake import count_pictures
        from core.tasks.example import example_inputs, example_options, example_title

        self._desks.ensure()
        self._session.set_task(task, example_title(folder), example_options(task, folder))
        files = [
            InputFile(path, role, path.stat().st_size, pictures=count_pictures(path))
            for role, paths in example_inputs(task, folder).items()
            for path in paths
        ]
        self.set_files(files)
        self.arrived.emit()

    def remove(self, file: InputFile) -> None:
        """Take a file out of the competition; the file itself stays where it is."""
        kept = [other for other in self._session.files if other.path != file.path]
        self._change_files(f"removing {file.path.name}", kept)
        self.undoable.emit(f"{file.path.name} was removed.")

    def set_role(self, file: InputFile, role: str) -> None:
        """Give a file its role; a role for one file leaves the file that had it."""
        wanted = next((e for e in self._session.roles_for(file) if e.role == role), None)
        changed = [self._with_role(other, file, wanted) for other in self._session.files]
        self._change_files(f"the role of {file.path.name}", changed)

    def _with_role(self, other: InputFile, file: InputFile, wanted: Input | None) -> InputFile:
        if other.path == file.path:
            return replace(other, role=wanted.role if wanted else "", reason="")
        one = wanted is not None and not wanted.many and wanted.kind != "submission"
        if wanted is not None and one and other.role == wanted.role:
            return replace(other, role="", reason=f"{file.path.name} took its place.")
        return other

    def _change_files(self, text: str, files: Sequence[InputFile]) -> None:
        self.undo.push(_Files(text, self.set_files, self._session.files, files))

    def set_files(self, files: Sequence[InputFile]) -> None:
        """Work with these files from now on, and check them."""
        self._session.set_files(files)
        self.checked = False
        self.check()

    def look_again(self) -> None:
        """Mark the files that were changed or removed since they were read."""
        files = tuple(_as_found(file) for file in self._session.files)
        if files != self._session.files:
            self._session.set_files(files)
            self._look_for_stale()

    def _look_for_stale(self) -> None:
        """Ask the desk which results are out of date: it may have to read the files."""
        if self._session.desk is not None and self._session.systems:
            work_ = partial(work.look_again, self._session.desk)
            self.looking = self._job("Looking for changes", work_, quiet=True)
            self.looking.succeeded.connect(self._session.set_standing)
            self._start(self.looking)

    # Checking

    def check(self) -> None:
        """Read every file again and list every defect; a check that runs is stopped."""
        session = self._session
        if self.checking is not None:
            self.checking.cancel()
        if session.task is None or session.desk is None or session.read_only:
            return
        if session.missing_inputs():
            session.clear_defects()
            return
        session.mark_read()
        work_ = partial(
            work.check,
            session.desk.path,
            session.task,
            session.inputs(),
            session.options,
            given=self._given(),
        )
        self.checking = self._job("Checking", work_)
        self.checking.told.connect(session.set_settled)
        self.checking.succeeded.connect(self._checked)
        self._start(self.checking)

    def _checked(self, result: Result) -> None:
        self.checked = True
        self._session.set_defects(result)

    def settle(self) -> None:
        """See again which submissions are late, copies, or older than another of their team."""
        desk = self._session.desk
        if desk is not None and not self._session.read_only:
            job = self._job("Settling", partial(work.settle, desk.path, self._given()), quiet=True)
            job.succeeded.connect(self._session.set_settled)
            self._start(job)

    def _given(self) -> tuple[Given, ...]:
        """The submissions as they came in."""
        from core.intake.files import Given

        task = self._session.task
        role = task.submission_input().role if task else None
        return tuple(
            Given(file.path, file.parts, file.stamped)
            for file in self._session.files
            if file.role == role
        )

    # Scoring

    def score(self) -> None:
        """Score every system with the options in use; the results go to the desk."""
        session = self._session
        if session.task is None or session.desk is None or session.missing_inputs():
            return
        if self.checking is not None:
            self.checking.cancel()
        session.mark_read()
        path, task = session.desk.path, session.task
        given = self._given()
        work_ = partial(work.score, path, task, session.inputs(), session.options, given=given)
        self.scoring = self._job("Scoring", work_)
        self.scoring.told.connect(session.set_standing)
        self.scoring.succeeded.connect(self._all_scored)
        self.scoring.stopped.connect(self._stopped)
        self._start(self.scoring)

    def remove_system(self, system: str) -> None:
        """Forget the results of a system."""
        session = self._session
        summary = session.summary(system)
        if session.desk is not None and summary is not None and not session.read_only:
            self.undo.push(_Removal(session, session.desk, summary))
            self.undoable.emit(f"{system} was taken off the board.")

    def _all_scored(self, result: Result) -> None:
        self.checked = True
        self._session.set_defects(result)
        scored = [entry for entry in result.entries if entry.evaluation is not None]
        if scored:
            self.scored.emit()
        left_out = len(result.entries) - len(scored)
        if left_out:
            self.told.emit(f"{counted(left_out, 'file')} with errors could not be scored.")
        elif not scored:
            self.told.emit("Nothing was scored: the reference files have errors.")

    def _stopped(self) -> None:
        self.told.emit("Cancelled. What was scored before is kept.")
        self._session.refresh()

    # Jobs

    def _job(self, title: str, what: Work, *, quiet: bool = False) -> Job:
        workers = at_scheduler(self.scheduler, self.data)
        job = Job(
            title, what, quiet=quiet, device=self.device, jobs=self.processes, workers=workers
        )
        job.over.connect(self._over)
        return job

    def _start(self, job: Job) -> None:
        """Start a job whose signals are connected: a quick one ends at once."""
        self.jobs.start(job)
        self.busy_changed.emit()

    def _over(self, job: Job) -> None:
        if job is self.checking:
            self.checking = None
        if job is self.scoring:
            self.scoring = None
        if job is self.looking:
            self.looking = None
        self.busy_changed.emit()

    def _options_changed(self) -> None:
        self.checked = False
        if self._session.files:
            self.check()

    def _desk_changed(self) -> None:
        self.undo.clear()
        for job in (self.checking, self.scoring, self.looking):
            if job is not None:
                job.cancel()
        self.checked = bool(self._session.scored)


class _Files(QUndoCommand):
    """The list of files before and after."""

    def __init__(
        self,
        text: str,
        show: Callable[[Sequence[InputFile]], None],
        before: Sequence[InputFile],
        after: Sequence[InputFile],
    ) -> None:
        super().__init__(text)
        self._show, self._before, self._after = show, tuple(before), tuple(after)

    def redo(self) -> None:
        self._show(self._after)

    def undo(self) -> None:
        self._show(self._before)


class _Removal(QUndoCommand):
    """A system that was taken off the board, and what is needed to put it back."""

    def __init__(self, session: Session, desk: Desk, summary: Summary) -> None:
        super().__init__(f"removing {summary.system}")
        self._session, self._desk, self._key = session, desk, summary.id
        self._removed: Removed | None = None

    def redo(self) -> None:
        self._removed = self._desk.remove(self._key)
        self._session.refresh()

    def undo(self) -> None:
        if self._removed is not None:
            self._desk.put_back(self._removed)
            self._session.refresh()


def _as_found(file: InputFile) -> InputFile:
    """The file with its state as the disk shows it now."""
    try:
        status = file.path.stat()
    except OSError:
        return replace(file, state="missing")
    same = file.pictures or (status.st_size, status.st_mtime_ns) == (file.size, file.modified)
    if same or file.state == "new":
        return file if file.state != "missing" else replace(file, state="current")
    return replace(file, state="changed")
