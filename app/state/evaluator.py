"""Checking, resolution and scoring of the open desk, each in a job."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from jurydesk.app.jobs.job import Job, Jobs, Work
from jurydesk.app.jobs.latest_job import Refusal, refuse_user_errors
from jurydesk.app.jobs.responsiveness.frame_queue import FrameQueue
from jurydesk.app.state.session import Session, SessionPart
from jurydesk.core.language import translate, translate_text
from jurydesk.core.model.options import choose_places, option_label
from jurydesk.core.tables.numbers import quantity
from jurydesk.core.workflow.desk_state import DeskResults

# Scoring and what it needs are imported by what scores: the first window does not wait for them.
if TYPE_CHECKING:
    from jurydesk.core.desk import Summary
    from jurydesk.core.desk.evaluation_rows import EvaluationRows
    from jurydesk.core.execution.workers.worker import Data
    from jurydesk.core.intake.submission import SubmissionIntake
    from jurydesk.core.statistics.group_intervals import Method
    from jurydesk.core.statistics.inference import Correction, Inference
    from jurydesk.core.workflow.score import (
        CompetitionFiles,
        ScoringOutcome,
    )
    from jurydesk.core.workflow.statistics import GroupChoice, StatisticsChange


class Change(QUndoCommand):
    """Change that two functions make and undo; one that `is_done` is first made when redone."""

    def __init__(
        self,
        text: str,
        redo: Callable[[], object],
        undo: Callable[[], object],
        *,
        is_done: bool = False,
    ) -> None:
        super().__init__(text)
        self._redo, self._undo = redo, undo
        self._is_done = is_done

    def redo(self) -> None:
        if not self._is_done:
            self._redo()
        self._is_done = False

    def undo(self) -> None:
        self._undo()


class RemoveSystem(QUndoCommand):
    """Removal of a system from the leaderboard."""

    def __init__(self, session: Session, summary: Summary) -> None:
        super().__init__(translate("removing {system}", system=summary.system))
        self._session, self._key = session, summary.id
        self._removed: EvaluationRows | None = None

    def redo(self) -> None:
        self._removed = self._session.desk.remove(self._key)
        self._session.refresh()

    def undo(self) -> None:
        if self._removed is not None:
            self._session.desk.put_back(self._removed)
            self._session.refresh()


class Evaluator(QObject):
    """Runs checks and scoring over the session. Messages go by `message` and `undoable`.

    `scored` says that a scoring ended with results.
    """

    message = Signal(object)
    undoable = Signal(object)
    scored = Signal()
    busy_changed = Signal()
    device_changed = Signal()

    def __init__(self, session: Session, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.jobs = jobs
        self.undo = QUndoStack(self)
        self.device = "auto"
        self.processes = 0
        self.scheduler = ""
        self.data: Data = "chunks"
        self.checking: Job | None = None
        self.scoring: Job | None = None
        self.looking: Job | None = None
        self.restating: Job | None = None
        self.writing: Job | None = None
        self.checked = False
        self._unshown: dict[type, DeskResults | SubmissionIntake] = {}
        self._frames = FrameQueue(self)
        session.changed.connect(self._session_changed)

    def use_device(self, device: str) -> None:
        """Run neural metrics on this device from now on."""
        self.device = device
        self.device_changed.emit()

    # Checking

    def check_anew(self) -> None:
        """Check the files after a change of the list."""
        self.checked = False
        self.check()

    def check(self, *, keep: bool = True) -> None:
        """Read all files again and list their defects; a running check is cancelled.

        With `keep=False` the desk is not written to.
        """
        session = self._session
        if self.checking is not None:
            self.checking.cancel()
        if not session.has_task or session.read_only:
            return
        if session.missing_inputs():
            session.clear_defects()
            if keep and session.has_desk and not session.systems:
                self._keep_files()
            return
        from jurydesk.core.workflow.score import check_competition

        session.mark_read()
        check = partial(check_competition, self._competition(), keep=keep)
        self.checking = self._job(translate("Checking"), check)
        self.checking.partial_result.connect(session.set_resolution)
        self.checking.succeeded.connect(self._finish_check)
        self._start(self.checking)

    def _keep_files(self) -> None:
        """Store the list of files that wait for others, which a check would store."""
        from jurydesk.core.execution.check_record import unchecked_record

        session = self._session
        record = unchecked_record(session.files, session.defect_log.intake)
        if record.files or session.desk.check_records():
            session.desk.add_check(record)

    def _finish_check(self, outcome: ScoringOutcome) -> None:
        self.checked = True
        self._session.set_check_record(outcome.checked)

    def settle(self) -> None:
        """Determine again which submissions are late, duplicate or superseded by their team."""
        session = self._session
        if self.checking is not None:
            self.check()
        elif session.has_task and not session.read_only:
            from jurydesk.core.workflow.score import resolve_desk

            settle = partial(resolve_desk, self._competition())
            job = self._job(translate("Comparing the submissions"), settle, quiet=True)
            job.succeeded.connect(session.set_resolution)
            self._start(job)

    def _competition(self) -> CompetitionFiles:
        from jurydesk.core.workflow.score import CompetitionFiles

        session = self._session
        intake = session.defect_log.intake
        return CompetitionFiles(
            session.desk.path, session.task, session.files, session.options, intake
        )

    def look_for_stale(self) -> None:
        """Determine which results are out of date, which may have to read the files."""
        if self._session.systems:
            from jurydesk.core.workflow.score import reload_results

            look = partial(reload_results, self._session.desk)
            self.looking = self._job(translate("Looking for changes"), look, quiet=True)
            self.looking.succeeded.connect(self._session.set_results)
            self._start(self.looking)

    # Scoring

    def score(self) -> None:
        """Score all systems with the options in use, and store the results in the desk."""
        session = self._session
        if session.missing_inputs():
            return
        if self.checking is not None:
            self.checking.cancel()
        from jurydesk.core.workflow.score import score_competition

        session.mark_read()
        score = partial(score_competition, self._competition())
        self.scoring = self._job(translate("Scoring"), score, continues=True)
        self.scoring.partial_result.connect(self._keep_partial_score)
        self.scoring.succeeded.connect(self._finish_scoring)
        self.scoring.stopped.connect(self._report_cancellation)
        self._start(self.scoring)

    def choose_option(self, name: str, value: object) -> None:
        """Change an option of the competition; this can be undone."""
        self.choose_options({name: value})

    def choose_options(self, values: Mapping[str, Any]) -> None:
        """Change options of the competition; this can be undone."""
        session = self._session
        if session.options is None:  # the desk was closed while a line was edited
            return
        choose_places(values, type(session.options))
        before = {name: getattr(session.options, name) for name in values}
        changed = [
            one for one in fields(session.options) if before.get(one.name) != values.get(one.name)
        ]
        if changed:
            names = ", ".join(translate_text(option_label(one)) for one in changed)
            self.change(
                translate("changing {option}", option=names),
                translate("{option} was changed.", option=names),
                partial(session.set_options, values),
                partial(session.set_options, before),
            )

    def use_statistics(self, groups: GroupChoice, interval: Method, correction: Correction) -> None:
        """Compute all intervals with other statistical settings; this can be undone."""
        from jurydesk.core.workflow.statistics import chosen_statistics

        if not self._session.read_only:
            choose = partial(chosen_statistics, groups, interval, correction)
            self._restate(choose, self._statistics_chosen)

    def rank_by(self, metric: str) -> None:
        """Rank the systems by a metric, which the desk keeps; this can be undone."""
        session = self._session
        before = session.rank_by
        if session.read_only or metric == session.ranking_metric:
            return
        title = translate_text(session.task.metric(metric).title)
        self.change(
            translate("ranking by {metric}", metric=title),
            translate("The Board is ranked by {metric}.", metric=title),
            partial(self._store_ranking, metric),
            partial(self._store_ranking, before),
        )

    def _store_ranking(self, metric: str) -> None:
        from jurydesk.core.desk.inference_settings import load_inference, store_inference

        desk = self._session.desk
        store_inference(desk, replace(load_inference(desk), rank_by=metric))
        self._session.reload_statistics()

    def _restate(
        self, choose: Callable[[Inference], Inference], ended: Callable[[Any], object]
    ) -> None:
        from jurydesk.core.workflow.statistics import change_statistics

        session = self._session
        change = partial(change_statistics, session.desk, session.task, choose)
        if self.restating is not None:
            self.restating.cancel()
        self.restating = self._job(translate("Making the intervals"), refuse_user_errors(change))
        self.restating.succeeded.connect(ended)
        self._start(self.restating)

    def _restate_as(self, inference: Inference) -> None:
        self._restate(lambda _: inference, self._show_statistics)

    def _statistics_chosen(self, found: StatisticsChange | Refusal) -> None:
        self._show_statistics(found)
        if not isinstance(found, Refusal) and found.before != found.after:
            self.undo.push(
                Change(
                    translate("changing the statistics"),
                    partial(self._restate_as, found.after),
                    partial(self._restate_as, found.before),
                    is_done=True,
                )
            )
            self.undoable.emit(translate("The statistics were changed."))

    def _show_statistics(self, found: StatisticsChange | Refusal) -> None:
        if isinstance(found, Refusal):
            self.message.emit(str(found))
        elif found.warning:
            self.message.emit(translate_text(found.warning))
        self._session.reload_statistics()

    def _keep_partial_score(self, found: DeskResults | SubmissionIntake) -> None:
        """Have a result shown in a turn of its own: a busy window receives several in one."""
        self._unshown[type(found)] = found
        self._frames.add("results", self._show_arrived)

    def _show_arrived(self) -> None:
        """Show the last results that have arrived; each holds all before it."""
        self._frames.clear()
        arrived, self._unshown = self._unshown, {}
        for found in arrived.values():
            if isinstance(found, DeskResults):
                self._session.set_results(found)
            else:
                self._session.set_resolution(found)

    def change(
        self, text: str, said: str, redo: Callable[[], object], undo: Callable[[], object]
    ) -> None:
        """Make a change by `redo` that `undo` takes back; `said`, if any, is shown with Undo."""
        self.undo.push(Change(text, redo, undo))
        if said:
            self.undoable.emit(said)

    def write(self, title: str, work: Work, ended: Callable[[Job], object] | None = None) -> None:
        """Work on the desk in a job; until it has ended, nothing is written, scored or undone."""
        if self.writing is None:
            self.writing = self._job(title, work)
            if ended is not None:
                self.writing.ended.connect(ended)
            self._start(self.writing)

    def remove_system(self, system: str) -> None:
        session = self._session
        summary = session.summary(system)
        if summary is not None and not session.read_only:
            self.undo.push(RemoveSystem(session, summary))
            self.undoable.emit(translate("{system} was removed from the board.", system=system))

    def rename_system(self, system: str, name: str) -> None:
        """Give a system another name; this can be undone. Raises DeskError."""
        from jurydesk.core.desk.given_names import given_names
        from jurydesk.core.workflow.system_name_check import check_system_name

        desk = self._session.desk
        if not self._session.read_only:
            check_system_name(desk, system, name)
            was_given = system in given_names(desk).values()
            self.change(
                translate("renaming {system}", system=system),
                translate("{system} is named {name} now.", system=system, name=name),
                partial(self._rename_system, system, name, is_given=True),
                partial(self._rename_system, name, system, is_given=was_given),
            )

    def _rename_system(self, system: str, name: str, *, is_given: bool) -> None:
        from jurydesk.core.desk.given_names import rename_system

        session = self._session
        rename_system(session.desk, system, name, is_given=is_given)
        session.evaluation_cache.clear()
        if session.selection.system == system:
            session.select(system=name)
        session.refresh()
        self.settle()

    def _finish_scoring(self, outcome: ScoringOutcome) -> None:
        self._show_arrived()
        FrameQueue.rest()
        self.checked = True
        self._session.set_check_record(outcome.checked)
        result = outcome.result
        scored = [entry for entry in result.entries if entry.evaluation is not None]
        if scored:
            self.scored.emit()
        left_out = len(result.entries) - len(scored)
        if left_out:
            self.message.emit(
                translate(
                    "{files} could not be scored: see the errors.", files=quantity(left_out, "file")
                )
            )
        elif not scored:
            self.message.emit(translate("Nothing was scored: the reference files have errors."))

    def _report_cancellation(self) -> None:
        self._show_arrived()
        self.message.emit(translate("Cancelled. Systems already scored are kept."))
        self._session.refresh()

    # Jobs

    def _job(self, title: str, what: Work, *, quiet: bool = False, continues: bool = False) -> Job:
        from jurydesk.core.execution.workers.dask_workers import dask_opener

        workers = dask_opener(self.scheduler, self.data)
        job = Job(
            *(title, what),
            quiet=quiet,
            device=self.device,
            jobs=self.processes,
            workers=workers,
            continues=continues,
        )
        job.ended.connect(self._forget_job)
        return job

    def _start(self, job: Job) -> None:
        """Start a job after its signals are connected: a quick job ends at once."""
        self.jobs.start(job)
        self.busy_changed.emit()

    def _forget_job(self, job: Job) -> None:
        self._show_arrived()
        for name in ("checking", "scoring", "looking", "restating", "writing"):
            if getattr(self, name) is job:
                setattr(self, name, None)
        self.busy_changed.emit()

    def _session_changed(self, parts: SessionPart) -> None:
        if SessionPart.DESK in parts:
            self.undo.clear()
            self._unshown.clear()
            for job in (self.checking, self.scoring, self.looking, self.restating):
                if job is not None:
                    job.cancel()
        if SessionPart.OPTIONS in parts:
            self.checked = SessionPart.DESK in parts and bool(self._session.scored_systems)
            if self._session.files:
                self.check(keep=SessionPart.DESK not in parts)
