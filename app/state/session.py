"""Session: the open desk, its competition, files, options and results, which pages observe.

A session always works on a desk file. An unsaved desk is a file in the data folder: it survives a
crash and is offered at the next start (`jurydesk.app.state.desks`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Flag, auto
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from jurydesk.core.model.checks import CheckRecord, DefectLog
from jurydesk.core.model.input_file import InputFile, paths_by_role
from jurydesk.core.model.options import options_json
from jurydesk.core.model.staleness import describe_outdated, update_status
from jurydesk.core.workflow.desk_state import (
    DeskResults,
    DeskState,
    load_results,
    load_state,
)
from jurydesk.core.workflow.evaluation_cache import EvaluationCache, StoredEvaluation
from jurydesk.core.workflow.files import sort_by_role, with_resolution

if TYPE_CHECKING:
    from jurydesk.core.analysis.leaderboard import Leaderboard
    from jurydesk.core.analysis.significance.pairwise_significance import PairwiseSignificance
    from jurydesk.core.competition.task import AnyTask, Input
    from jurydesk.core.desk import Desk, Summary
    from jurydesk.core.human_evaluation.results.findings import StudyFindings
    from jurydesk.core.human_evaluation.results.rater_reports import RaterReport
    from jurydesk.core.intake.submission import SubmissionIntake
    from jurydesk.core.model.defects import Defect
    from jurydesk.core.model.evaluation import Evaluation, MetricInfo


@dataclass(frozen=True, slots=True)
class Selection:
    """The selected system, metric and item; an empty string means none."""

    system: str = ""
    metric: str = ""
    item: str = ""
    compared: tuple[str, ...] = ()
    """Systems that are selected together on the board, which plots compare; none means all."""


class SessionPart(Flag):
    """Parts of a session, as `Session.changed` reports them."""

    DESK = auto()
    """Another desk was opened, or the desk was closed; all other parts are reported, too."""
    COMPETITION = auto()
    FILES = auto()
    OPTIONS = auto()
    DEFECTS = auto()
    RESULTS = auto()
    RATINGS = auto()
    SELECTION = auto()


class Session(QObject):
    """The open desk with its immutable `state`, the findings of its ratings, and the selection.

    `changed` carries the parts that have changed, on the GUI thread.
    """

    changed = Signal(SessionPart)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk: Desk | None = None
        self.desk_number = 0
        """Number of desks used so far: what belongs to another desk has another number."""
        self.state = DeskState()
        self.study_findings: StudyFindings | None = None
        self.local_raters: frozenset[str] = frozenset()
        """The raters whose packets were opened on this computer."""
        self._asked: tuple[object, ...] = ()
        self._profiled: tuple[tuple[Summary, ...], str, tuple[Summary, ...]] = (), "", ()
        self._equal: tuple[Summary, ...] = ()
        """Systems under equal rules of those in `_asked`."""
        self.selection = Selection()
        self.evaluation_cache = EvaluationCache()
        self.statistics_version = 0
        """Number of changes to the choice of statistics."""

    def subscribe(self, parts: SessionPart, slot: Callable[[], object]) -> None:
        """Call a method of a QObject whenever one of these parts changes, until it is destroyed.

        A change of several parts is a single call.
        """
        self.changed.connect(_Subscription(parts, slot).deliver)

    def _change(self, parts: SessionPart, **fields: Any) -> None:
        """Replace fields of the state, and report the parts."""
        self.state = replace(self.state, **fields)
        self.changed.emit(parts)

    # The desk

    @property
    def has_desk(self) -> bool:
        """Whether a desk is open; what only an open desk makes possible need not ask."""
        return self._desk is not None

    @property
    def desk(self) -> Desk:
        """The open desk."""
        if self._desk is None:
            raise RuntimeError("no desk is open")
        return self._desk

    @property
    def read_only(self) -> bool:
        """Whether the desk cannot be changed."""
        return self._desk is not None and self._desk.read_only

    def use(self, desk: Desk | None, state: DeskState | None = None) -> None:
        """Use another desk, or none, and close the previous one; `state` is the desk's, if read."""
        self._replace_desk(desk)
        self.state = state or load_state(desk)
        self.selection, self.study_findings, self.local_raters = Selection(), None, frozenset()
        self.changed.emit(~SessionPart(0))

    def _replace_desk(self, desk: Desk | None) -> None:
        if self._desk is not None:
            self._desk.close()
        self._desk = desk
        self.desk_number += 1
        self.evaluation_cache.clear()

    def move(self, desk: Desk) -> None:
        """Continue with the same competition in another file."""
        self._replace_desk(desk)
        self._change(SessionPart.COMPETITION | SessionPart.RESULTS, results=load_results(desk))

    # State

    @property
    def has_task(self) -> bool:
        """Whether the desk has a competition that is installed."""
        return self.state.task is not None

    @property
    def task(self) -> AnyTask:
        """The competition of the desk; one without metrics if it has none."""
        task, declared = self.state.task or empty_task(), self.state.results.metrics
        if not declared:
            return task
        from jurydesk.core.competition.declared_metrics import with_metrics

        return with_metrics(task, declared)

    @property
    def options(self) -> Any:
        return self.state.options

    @property
    def title(self) -> str:
        return self.state.title

    @property
    def unknown_task(self) -> str:
        """The id of the desk's competition if that is not installed."""
        return self.state.unknown_task

    @property
    def files(self) -> tuple[InputFile, ...]:
        return self.state.files

    @property
    def defect_log(self) -> DefectLog:
        """The defects of the files, by the phase that found them."""
        return self.state.defects

    @property
    def check_record(self) -> CheckRecord:
        """The result of the last checks."""
        return self.state.checked

    @property
    def hidden(self) -> str:
        """The time since which the scores are hidden; empty if they are visible."""
        return self.state.results.hidden

    @property
    def remarks(self) -> Mapping[str, str]:
        """The remarks on submissions, by system."""
        return self.state.results.marks

    @property
    def systems(self) -> tuple[Summary, ...]:
        """The results; none while the scores are hidden."""
        return () if self.hidden else self.state.results.systems

    @property
    def scored_systems(self) -> tuple[str, ...]:
        """The names of the scored systems, even while the scores are hidden."""
        return tuple(dict.fromkeys(one.system for one in self.state.results.systems))

    # The competition

    def set_task(self, task: AnyTask, title: str = "", options: Any = None) -> None:
        """Set the competition of the desk; its options default to those of the task."""
        self.state = replace(
            self.state,
            task=task,
            title=title or task.title,
            options=options or task.scoring.options(),
        )
        self._write_competition()
        self.changed.emit(SessionPart.COMPETITION | SessionPart.OPTIONS)

    def rename(self, title: str) -> None:
        """Change the name of the competition in the desk."""
        self.state = replace(self.state, title=title)
        self._write_competition()
        self.changed.emit(SessionPart.COMPETITION)

    def set_options(self, values: Mapping[str, Any]) -> None:
        """Change options; results are updated if they can be, else they become out of date."""
        self.state = replace(self.state, options=replace(self.options, **values))
        self._write_competition()
        self._apply_light_options(values)
        self.state = replace(self.state, results=load_results(self.desk))
        self.changed.emit(SessionPart.OPTIONS | SessionPart.RESULTS)

    def _apply_light_options(self, names: Iterable[str]) -> None:
        from jurydesk.core.desk.light_options import apply_light_options

        light = set(self.task.scoring.light_options).intersection(names)
        changes_rows = light and not self.read_only
        if changes_rows and apply_light_options(self.desk, self.task, self.options):
            self.evaluation_cache.clear()

    def _write_competition(self) -> None:
        if not self.read_only:
            self.desk.set_competition(self.task.id, self.title, options_json(self.options))

    @property
    def profile(self) -> str:
        """The profile in use."""
        return getattr(self.options, "profile", "published")

    # The files

    def set_files(self, files: Sequence[InputFile]) -> None:
        """Replace the list of files, sorted with files without a role first, then references."""
        self._change(SessionPart.FILES, files=sort_by_role(files, self.state.task))
        self._take_title()

    def _take_title(self) -> None:
        """Name the competition as its files do, unless somebody has named it."""
        if self.has_task and self.title == self.task.title:
            title = self.task.readers.title(self.inputs())
            if title:
                self.rename(title)

    def inputs(self) -> dict[str, list[Path]]:
        """Return the paths of the files by role."""
        return paths_by_role(self.files)

    def set_resolution(self, resolution: SubmissionIntake) -> None:
        """Store the systems' names, and which are late, duplicate or superseded by their team."""
        files = with_resolution(self.files, resolution)
        log = replace(self.defect_log, resolution=resolution.defects)
        self._update(files, replace(self.check_record, defects=log))

    def mark_read(self) -> None:
        """Record the present state of the files as the one that was read."""
        files = (update_status(replace(file, state="current")) for file in self.files)
        self._update(tuple(files))

    def _update(
        self, files: tuple[InputFile, ...] | None = None, checked: CheckRecord | None = None
    ) -> None:
        """Replace the files and the check record, and report those that differ."""
        parts = SessionPart(0)
        if files is not None and files != self.files:
            parts |= SessionPart.FILES
            self.state = replace(self.state, files=files)
        if checked is not None and checked != self.check_record:
            parts |= SessionPart.DEFECTS
            self.state = replace(self.state, checked=checked)
        if parts:
            self.changed.emit(parts)

    def roles_for(self, file: InputFile) -> tuple[Input, ...]:
        """Return the roles that a file (or a folder of images) can have."""
        wanted = self.task.inputs if self.has_task else ()
        return tuple(e for e in wanted if (e.kind == "folder") == bool(file.pictures))

    def missing_inputs(self) -> tuple[Input, ...]:
        """Return the required inputs that have no file."""
        return tuple(e for e in self.task.inputs if e.required and e.role not in self.inputs())

    def lost_inputs(self) -> bool:
        """Return whether nothing can be scored, because files are no longer where they were.

        That is so without one reference file, or without all submissions.
        """
        if not self.has_task:  # whose empty form would import NumPy before the first paint
            return False
        submission = self.task.submission_input().role
        for entry in self.task.inputs:
            gone = [one.state == "missing" for one in self.files if one.role == entry.role]
            if entry.required and gone and (all(gone) if entry.role == submission else any(gone)):
                return True
        return False

    # Results

    @property
    def defects(self) -> tuple[Defect, ...]:
        return self.defect_log.all

    def set_intake_defects(self, given: Sequence[Path], defects: Sequence[Defect]) -> None:
        """Store the defects found when folders and archives were added."""
        log = self.defect_log.with_intake(given, defects)
        self._update(checked=replace(self.check_record, defects=log))

    def set_check_record(self, checked: CheckRecord) -> None:
        """Store the result of a check."""
        self._update(checked=checked)

    def clear_defects(self) -> None:
        """Discard the result of the last check, except the defects of intake."""
        if not self.read_only:
            self._update(checked=CheckRecord(defects=DefectLog(self.defect_log.intake)))

    def refresh(self) -> None:
        """Read the results from the desk again."""
        if self.has_desk:
            self.set_results(load_results(self.desk))

    def reload_statistics(self) -> None:
        """Reload the results after a change of statistics; comparisons become out of date."""
        self.statistics_version += 1
        self.evaluation_cache.clear()
        self.refresh()

    def set_results(self, found: DeskResults) -> None:
        """Replace the results and the record of the files that they come from."""
        self.evaluation_cache.keep({summary.id for summary in found.systems})
        parts = SessionPart.RESULTS
        if found.hidden:
            self.evaluation_cache.clear()
            self.study_findings, parts = None, parts | SessionPart.RATINGS
        self._change(parts, results=found)

    def set_study_findings(self, found: StudyFindings | None) -> None:
        """Store the findings of the ratings, which are None without answers."""
        if found is not self.study_findings and not (found and self.hidden):
            self.study_findings = found
            self.evaluation_cache.clear()
            self.changed.emit(SessionPart.RATINGS)

    def set_local_raters(self, raters: frozenset[str]) -> None:
        """Store the raters whose packets were opened on this computer."""
        if raters != self.local_raters:
            self.local_raters = raters
            self.changed.emit(SessionPart.RATINGS)

    @property
    def unfinished_rater(self) -> RaterReport | None:
        """The first rater who has answered some of the items on this computer, or None."""
        reports = self.study_findings.raters if self.study_findings is not None else ()
        here = (one for one in reports if one.rater in self.local_raters)
        return next((one for one in here if one.is_unfinished), None)

    def profile_systems(self) -> tuple[Summary, ...]:
        """Return the systems scored with the profile in use; none without its competition.

        Those under other rules than the board's are left out.
        """
        from jurydesk.core.analysis.equal_rules import under_equal_rules

        task, systems = self.state.task, self._systems_of_profile()
        if task is None or not task.scoring.rule_options:
            return systems
        asked = (task, *systems)
        if list(map(id, asked)) != list(map(id, self._asked)):  # pages ask many times in a turn
            self._asked, self._equal = asked, tuple(under_equal_rules(task, systems)[0])
        return self._equal

    def _systems_of_profile(self) -> tuple[Summary, ...]:
        systems, profile = self.systems if self.has_task else (), self.profile
        known, of, found = self._profiled
        if systems is not known or profile != of:  # pages ask many times in a turn
            found = tuple(summary for summary in systems if summary.profile == profile)
            self._profiled = systems, profile, found
        return found

    def leaderboard(
        self,
        significance_tests: Mapping[str, PairwiseSignificance] | None = None,
        *,
        rated: bool = False,
    ) -> Leaderboard | None:
        """Return the leaderboard of the profile in use, or None if no system was scored with it.

        With `rated` it has columns for the ratings.
        """
        from jurydesk.core.analysis.leaderboard import make_leaderboard

        task, summaries = self.task, self._systems_of_profile()
        is_unscored = not summaries and bool(self.systems)  # scored with another profile
        if rated and self.study_findings is not None and not is_unscored:
            task, summaries = self.study_findings.on_board(task, summaries, self.profile)
        if not summaries:
            return None
        return make_leaderboard(task, summaries, significance_tests or {}, self.rank_by)

    @property
    def rank_by(self) -> str:
        """Name of the metric chosen to rank the systems; empty for the competition's."""
        return self.state.results.rank_by

    @property
    def ranking_metric(self) -> str:
        """Name of the metric that ranks the systems; empty without one."""
        from jurydesk.core.analysis.leaderboard import headline_metric

        found = headline_metric(self.task, self.profile_systems(), self.rank_by)
        return "" if found is None else found.name

    def describe_outdated(self) -> str:
        """Return a sentence if the results come from other files; else an empty string."""
        submission = self.task.submission_input().role
        recorded = self.state.results.inputs if self.systems else ()
        return describe_outdated(self.files, recorded, submission, self.task.roles_for_display())

    def describe_stale(self) -> str:
        """Return a sentence if results of the profile are of other options or files; else empty."""
        from jurydesk.core.analysis.leaderboard_finding import describe_stale

        return describe_stale(self.profile_systems())

    def short_name(self, system: str) -> str:
        """Return a system's name without the parts that all names share."""
        from jurydesk.app.style.distinct_names import shorten_names

        return shorten_names(one.system for one in self.profile_systems()).get(system, system)

    def summary(self, system: str) -> Summary | None:
        """Return the system of that name, scored with the profile in use, or None."""
        return next((entry for entry in self.profile_systems() if entry.system == system), None)

    def evaluation(self, system: str) -> Evaluation | None:
        """Return the evaluation of a system; the last few stay in memory.

        The result is None if there is none, or if it was just replaced: `SessionPart.RESULTS`
        follows then.
        """
        from jurydesk.core.desk.errors import EvaluationGoneError

        summary = self.summary(system)
        if summary is None:
            return None
        stored = StoredEvaluation(self.desk, summary.id, self.task.readers.load_evidence)
        try:
            return self.evaluation_cache.get(stored, self.study_findings)
        except EvaluationGoneError:
            return None

    def evaluation_loaders(self) -> dict[str, Callable[[], Evaluation]]:
        """Return a thread-safe function for each system that loads its evaluation."""
        return {
            entry.system: StoredEvaluation(self.desk, entry.id, self.task.readers.load_evidence)
            for entry in self.profile_systems()
        }

    def metric(self, name: str) -> MetricInfo | None:
        """Return the declaration of a metric or of a question to raters, or None."""
        try:
            return self.with_doubt(self.task.metric(name))
        except KeyError:
            return next((info for info in self.questions if info.name == name), None)

    def with_doubt(self, metric: MetricInfo) -> MetricInfo:
        """Return a metric, with a doubt if models with random weights made its scores."""
        from jurydesk.core.analysis.reliability import RANDOM_WEIGHTS

        if metric.name in self.random_metrics():
            return replace(metric, doubt=RANDOM_WEIGHTS)
        return metric

    def random_metrics(self) -> frozenset[str]:
        """Return the metrics that models with random weights made, for any of the results."""
        from jurydesk.core.analysis.reliability import random_metrics

        return random_metrics(self.task, self.systems)

    @property
    def questions(self) -> tuple[MetricInfo, ...]:
        """The questions to raters, as metrics; none without answers."""
        return () if self.study_findings is None else self.study_findings.metrics

    # Selection

    def select(
        self, system: str | None = None, metric: str | None = None, item: str | None = None
    ) -> None:
        """Select another system, metric or item; None leaves the selection as it is."""
        parts = {"system": system, "metric": metric, "item": item}
        known: dict[str, Any] = {name: one for name, one in parts.items() if one is not None}
        self._select(replace(self.selection, **known))

    def compare(self, systems: Sequence[str]) -> None:
        """Let plots compare these systems alone; fewer than two mean all."""
        self._select(replace(self.selection, compared=tuple(systems if len(systems) > 1 else ())))

    def _select(self, chosen: Selection) -> None:
        if chosen != self.selection:
            self.selection = chosen
            self.changed.emit(SessionPart.SELECTION)


@cache
def empty_task() -> AnyTask:
    """Return a competition without metrics, in the place of one that is not chosen yet."""
    from jurydesk.core.competition.task import Input, Readers, Scoring, Task

    submissions = Input("submissions", "Submissions", "submission", (), required=False)
    readers, scoring = Readers(_refuse, _refuse), Scoring((), _refuse, profiles=())
    return Task("", "", ("item", "items"), (submissions,), readers, scoring)


def _refuse(*_: object) -> Any:
    raise RuntimeError("no competition is open")


class _Subscription(QObject):
    """A child of the object whose method it calls, destroyed with it."""

    def __init__(self, parts: SessionPart, slot: Callable[[], object]) -> None:
        super().__init__(slot.__self__)  # type: ignore[attr-defined]
        self._parts = parts
        self._slot = slot

    def deliver(self, changed: SessionPart) -> None:
        if changed & self._parts:
            self._slot()
