"""Files of the competition: intake, roles and removal, each of which can be undone."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from jurydesk.app.jobs.job import Job
from jurydesk.app.jobs.responsiveness.frame_queue import FrameQueue
from jurydesk.app.jobs.responsiveness.gui_priority import gui_priority
from jurydesk.app.state.desks import Desks, new_unsaved_path
from jurydesk.app.state.evaluator import Evaluator
from jurydesk.app.state.reference_replacement import ReferenceChoice
from jurydesk.app.state.session import Session, SessionPart
from jurydesk.core.language import fill, translatable, translate, translate_plural, translate_text
from jurydesk.core.model.input_file import InputFile
from jurydesk.core.model.staleness import detect_change
from jurydesk.core.tables.numbers import quantity

if TYPE_CHECKING:
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.workflow.intake_question import IntakeQuestion
    from jurydesk.core.workflow.role_assignment import Assignment
    from jurydesk.core.workflow.take_in import ClassifiedIntake


READ_ONLY = translatable(
    "This desk is open for reading only: files cannot be added. Save a copy elsewhere, and add "
    "them there."
)


class FileList(QObject):
    """Adds and removes files of the session, and assigns their roles.

    `message` carries a sentence to show; `begun` is emitted before the files that the user gave are
    read, `arriving` before they are added, `arrived` afterwards, and `given` too if they are no
    example. `asked` carries a question whose
    numbers are meant, which `answer` answers; None if it is settled. `elsewhere` says that given
    files are of another competition, for which `begin_elsewhere` opens a new desk.
    """

    message = Signal(object)
    asked = Signal(object)
    elsewhere = Signal(object)
    begun = Signal()
    arriving = Signal()
    arrived = Signal()
    given = Signal()

    def __init__(
        self, session: Session, desks: Desks, evaluator: Evaluator, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._desks = desks
        self._evaluator = evaluator
        self._seen: dict[Path, InputFile] = {}
        self._intakes: list[ClassifiedIntake] = []
        self._frames = FrameQueue(self)
        self._reading: Job | None = None
        self.question: IntakeQuestion | None = None
        """The open question whose numbers are meant."""
        self._asked: set[tuple[object, ...]] = set()
        self._is_new = False
        self._strangers: tuple[tuple[Path, ...], frozenset[Path]] = ((), frozenset())
        """What to add to another desk, and the files of this one that it is."""
        session.subscribe(SessionPart.DESK | SessionPart.RESULTS, self._forget_question)

    @property
    def reading(self) -> str:
        """The title of the job that reads files that the user added; empty if there is none."""
        return "" if self._reading is None else self._reading.title

    def add(self, paths: Sequence[Path]) -> None:
        """Add files, folders and archives: detect their types, and check them."""
        self._start_intake(tuple(paths), known=self._session.files)

    def watched(self, folder: Path, unwritten: Collection[Path]) -> None:
        """Add new files of a watched folder, except those that are still being written.

        Each of its subfolders belongs to one team. The window does not change to the page Check.
        """
        self._start_intake((folder,), watched=True, unwritten=unwritten)

    def _start_intake(self, paths: Sequence[Path], **settings: Any) -> None:
        if self._session.read_only:
            self.message.emit(translate(READ_ONLY))
            return
        from jurydesk.core.workflow.take_in import take_in

        desk = None if self._session.has_desk else new_unsaved_path()
        job = Job(translate("Reading the files"), partial(take_in, paths, desk, **settings))
        job.succeeded.connect(self._intake_ended)
        if not settings.get("watched"):
            self._reading = job
            job.ended.connect(self._forget_job)
            self.begun.emit()
        self._evaluator.jobs.start(job)

    def _forget_job(self, job: Job) -> None:
        if job is self._reading:
            self._reading = None

    def _intake_ended(self, intake: ClassifiedIntake) -> None:
        """Adopt the new desk; page, competition and files follow in a frame each."""
        gui_priority().reserve()
        if intake.desk is not None:
            self._desks.adopt(intake.desk)
        if not intake.watched and (intake.files or intake.defects):
            self._frames.add("page", self.arriving.emit)
        self._intakes.append(intake)
        self._frames.add("files", self._take_next)

    def _take_next(self) -> None:
        intake = self._intakes.pop(0)
        try:
            if self._set_first_task(intake):
                self._intakes.insert(0, intake)
            else:
                self._add_intake(intake)
        finally:
            if self._intakes:
                self._frames.add("files", self._take_next)

    def _set_first_task(self, intake: ClassifiedIntake) -> bool:
        """Set the competition of the first files; return whether it was set."""
        from jurydesk.core.workflow.role_assignment import likeliest_task

        if self._session.has_task or intake.example is not None or not intake.files:
            return False
        task = likeliest_task(intake.files)
        if task is not None:
            self._desks.ensure()
            self._session.set_task(task)
            self._is_new = True
        return task is not None

    def _add_intake(self, intake: ClassifiedIntake) -> None:
        self._session.set_intake_defects(intake.given, intake.defects)
        if intake.watched:
            self._take_watched(intake)
        elif intake.files:
            self._desks.ensure()
            self._take_given(intake)
        elif intake.defects:
            self.message.emit(translate("No file could be added. See the reasons on Check."))
            self.arrived.emit()
        else:
            self.message.emit(translate("No files were found."))

    def _take_given(self, intake: ClassifiedIntake) -> None:
        self._settle_question(intake.files)
        placement = self._assign_files(intake.files, watched=False)
        if intake.example is not None and placement.task is not None and not self._session.has_task:
            self.begin_example(placement.task, intake.example)
            return
        self._apply_assignment(placement)
        self._tell_strangers(intake, placement.strangers)
        self.arrived.emit()
        self._ask()
        self.given.emit()

    # Files of another competition

    def _tell_strangers(self, intake: ClassifiedIntake, strangers: Sequence[InputFile]) -> None:
        """Say which files have no place here; those of another competition may have a desk."""
        from jurydesk.core.workflow.role_assignment import likeliest_task

        task = self._session.task
        others = [file for file in strangers if task.id not in file.guesses]
        other = likeliest_task(others)
        if other is not None:
            paths = tuple(file.path for file in others)
            given = intake.given if len(others) == len(intake.files) else paths
            self._strangers = (tuple(given), frozenset(paths))
            self.elsewhere.emit(
                translate(
                    "{files} of {other}; the open desk is for {title}.",
                    files=quantity(len(others), "file"),
                    other=translate_text(other.title),
                    title=translate_text(task.title),
                )
            )
        elif strangers:
            names = ", ".join(file.path.name for file in strangers[:3])
            count = quantity(len(strangers), "file")
            self.message.emit(
                translate(
                    "{count} of an unknown type: {names}. See the reasons on Check.",
                    count=count,
                    names=names,
                )
            )

    def begin_elsewhere(self) -> None:
        """Open a new desk with the files of another competition, which leave this one."""
        from jurydesk.core.desk.errors import DeskError

        job, (given, paths) = self._evaluator.jobs.visible(), self._strangers
        if job is not None and job.is_long:
            self.message.emit(
                translate("Wait for the running job to end before you open another desk.")
            )
            return
        self._session.set_files([one for one in self._session.files if one.path not in paths])
        try:
            self._desks.close()
        except DeskError as error:
            self.message.emit(str(error))
        else:
            self.add(given)

    # Whose numbers are meant

    def _ask(self) -> None:
        """Ask whose numbers are meant if the files leave it open; of a desk, nothing twice."""
        from jurydesk.core.workflow.intake_question import intake_question

        session, is_new = self._session, self._is_new
        self._is_new = False
        task = session.state.task
        if task is None or session.scored_systems:
            return
        found = intake_question(session.files, task, session.profile, is_new=is_new)
        key = (session.desk_number, *(found.titles if found is not None else ()))
        if found is not None and key not in self._asked:
            self._asked.add(key)
            self.question = found
            self.asked.emit(found)

    def _forget_question(self) -> None:
        if self.question is not None and (self._session.scored_systems or not self._session.files):
            self.question = None
            self.asked.emit(None)

    def _settle_question(self, files: Sequence[InputFile]) -> None:
        """Take the competition that further files leave of those in question."""
        from jurydesk.core.workflow.intake_question import fitting_tasks

        question, present = self.question, self._session.state.task
        if question is None or present is None or question.profiles:
            return
        left = fitting_tasks((*self._session.files, *files))
        self._is_new = len(left) > 1
        if not self._is_new:
            self.question = None
            self.asked.emit(None)
        if left and present.id not in [one.id for one in left]:
            self._use_task(left[0])

    def answer(self, number: int) -> None:
        """Take an answer of the open question, by its number; this can be undone."""
        question, self.question = self.question, None
        present = self._session.state.task
        if question is None or present is None:
            return
        if question.profiles:
            self._evaluator.choose_option("profile", question.profiles[number])
            return
        task = question.tasks[number]
        if task.id != present.id:
            self._evaluator.change(
                translate("choosing the competition"),
                translate("The competition is {title}.", title=translate_text(task.title)),
                partial(self._use_task, task),
                partial(self._use_task, present),
            )
        self._ask()

    def _use_task(self, task: AnyTask) -> None:
        """Give all files their roles in another competition."""
        from jurydesk.core.workflow.role_assignment import assign_roles

        self._session.set_task(task)
        self.set_files(assign_roles(self._session.files, (), task).files)

    def _take_watched(self, intake: ClassifiedIntake) -> None:
        """Add what is new since the last scan; files that the user removed stay out."""
        news = [file for file in intake.files if self._seen.get(file.path) != file]
        self._seen |= {file.path: file for file in news}
        if not news:
            self.look_again()
            return
        before = {file.path for file in self._session.files if file.role}
        placement = self._assign_files(news, watched=True)
        self._apply_assignment(placement)
        came = sum(bool(file.role) and file.path not in before for file in placement.files)
        changed = sum(one.path in before for one in news)
        said = [translate_plural("{count} file came in.", "{count} files came in.", came)]
        said += [translate_plural("{count} file changed.", "{count} files changed.", changed)]
        said = [one for one, count in zip(said, (came, changed), strict=True) if count]
        self.message.emit(
            " ".join(said) or translate("No file of this competition was received: see Check.")
        )

    def watch_anew(self) -> None:
        """Treat every file of a watched folder as new."""
        self._seen = {}

    def _assign_files(self, found: Sequence[InputFile], *, watched: bool) -> Assignment:
        from jurydesk.core.workflow.role_assignment import assign_roles

        return assign_roles(found, self._session.files, self._session.state.task, watched=watched)

    def _apply_assignment(self, placement: Assignment) -> None:
        if placement.task is not None and not self._session.has_task:
            self._session.set_task(placement.task)
        self._change_files(translate("adding files"), placement.files)

    def begin_example(self, task: AnyTask, folder: Path) -> None:
        from jurydesk.core.competition.examples import (
            example_inputs,
            example_options,
            example_title,
        )
        from jurydesk.core.intake.classify import count_pictures

        self.arriving.emit()
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
        """Remove a file from the competition, but not from the disk."""
        kept = [other for other in self._session.files if other.path != file.path]
        name = file.path.name
        said = translate("{name} was removed.", name=name)
        self._change_files(translate("removing {name}", name=name), kept, said)

    def set_role(self, file: InputFile, role: str) -> None:
        """Give a file a role; a role for a single file is taken from the file that had it."""
        wanted = next((e for e in self._session.roles_for(file) if e.role == role), None)
        is_single = wanted is not None and not wanted.many and wanted.kind != "submission"
        replaced: list[InputFile] = []
        changed = []
        for other in self._session.files:
            if other.path == file.path:
                changed.append(replace(other, role=wanted.role if wanted else "", reason=""))
            elif is_single and other.role == role:
                reason = fill("{name} took its place.", file.path.name)
                changed.append(replace(other, role="", reason=reason))
                replaced.append(other)
            else:
                changed.append(other)
        if not replaced:
            self._change_files(translate("the role of {name}", name=file.path.name), changed)
            return
        use_new, use_old = (
            partial(self.set_files, files) for files in (changed, self._session.files)
        )
        choice = ReferenceChoice(self._evaluator, self._session, use_new, use_old)
        name, new = replaced[0].path.name, file.path.name
        self._evaluator.change(
            translate("replacing {name}", name=name),
            translate("{name} was replaced by {new}.", name=name, new=new),
            choice.redo,
            choice.undo,
        )

    def _change_files(self, text: str, files: Sequence[InputFile], said: str = "") -> None:
        before = partial(self.set_files, self._session.files)
        self._evaluator.change(text, said, partial(self.set_files, files), before)

    def set_files(self, files: Sequence[InputFile]) -> None:
        """Replace the list of files, and check them."""
        self._session.set_files(files)
        self._evaluator.check_anew()

    def look_again(self) -> None:
        """Mark files that were changed or removed since they were read."""
        files = tuple(detect_change(file) for file in self._session.files)
        if files != self._session.files:
            self._session.set_files(files)
            self._evaluator.look_for_stale()
