"""What is open: the desk, its competition, files, options and results; pages listen to it.

A session always works on a desk file. One that was never saved lives in the data folder, survives
a crash, and is offered again at the next start (`app.desks`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from app.selection import Selection
from core.checks import CheckRecord, DefectLog
from core.options import options_json
from core.workflow.desk_state import (
    Results,
    describe_outdated,
    load_results,
    load_state,
)
from core.workflow.evaluation_cache import EvaluationCache, StoredEvaluation
from core.workflow.files import (
    InputFile,
    paths_by_role,
    sort_by_role,
    update_status,
    with_resolution,
)

if TYPE_CHECKING:
    # Only types: NumPy comes with them, and waits until the first window is painted.
    from core.board import Board
    from core.defects import Defect
    from core.desk import Desk, DeskInput, Summary
    from core.intake.files import Resolution
    from core.model import Evaluation, MetricInfo
    from core.rating.findings import Findings
    from core.separation import Separation
    from core.task import Input
    from core.tasks.registry import AnyTask

CHANGES = (
    *("desk_changed", "competition_changed", "inputs_changed", "options_changed"),
    *("defects_changed", "evaluations_changed", "people_changed", "selection_changed"),
)
"""The signals of a session; another desk brings all of them."""


class Session(QObject):
    """The open desk and everything shown of it; all signals are emitted on the GUI thread."""

    desk_changed = Signal()
    competition_changed = Signal()
    inputs_changed = Signal()
    options_changed = Signal()
    defects_changed = Signal()
    evaluations_changed = Signal()
    people_changed = Signal()
    selection_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.desk: Desk | None = None
        self.task: AnyTask | None = None
        self.options: Any = None
        self.files: tuple[InputFile, ...] = ()
        self.defect_log = DefectLog()
        self.checked = CheckRecord()
        self.systems: tuple[Summary, ...] = ()
        self.scored: tuple[str, ...] = ()
        self.hidden = ""
        self.marks: Mapping[str, str] = {}
        self.people: Findings | None = None
        self._recorded: tuple[DeskInput, ...] = ()
        self.selection = Selection()
        self.title = ""
        self.unknown_task = ""
        self.loaded = EvaluationCache()

    # The desk

    @property
    def read_only(self) -> bool:
        """Whether the desk can only be looked at."""
        return self.desk is not None and self.desk.read_only

    def use(self, desk: Desk | None) -> None:
        """Show another desk (or none); the one before is closed."""
        if self.desk is not None:
            self.desk.close()
        self.desk = desk
        found = load_state(desk)
        self.task, self.options, self.title = found.task, found.options, found.title
        self.unknown_task, self.files = found.unknown_task, found.files
        self.defect_log, self.checked = found.defects, found.checked
        self._stand(found.results)
        self.selection, self.people = Selection(), None
        self.loaded.clear()
        for name in CHANGES:
            getattr(self, name).emit()

    def move(self, desk: Desk) -> None:
        """Go on with the same competition in another file."""
        if self.desk is not None:
            self.desk.close()
        self.desk = desk
        self.loaded.clear()
        self.refresh()
        self.competition_changed.emit()

    # The competition

    def set_task(self, task: AnyTask, title: str = "", options: Any = None) -> None:
        """Make the desk one of this competition; without `options` with its default ones."""
        self.task, self.title = task, title or task.title
        self.options = options or task.scoring.options()
        self._write_competition()
        self.competition_changed.emit()
        self.options_changed.emit()

    def set_option(self, name: str, value: Any) -> None:
        """Change one option; results follow it where they can, else they stay as out of date."""
        if self.options is not None and getattr(self.options, name) != value:
            self.options = replace(self.options, **{name: value})
            self._write_competition()
            self._follow(name)
            self.options_changed.emit()
            self.refresh()

    def _follow(self, name: str) -> None:
        from core.desk.following import follow

        desk, task = self.desk, self.task
        if desk is None or task is None or self.read_only or name not in task.scoring.light_options:
            return
        if follow(desk, task, self.options):
            self.loaded.clear()

    def _write_competition(self) -> None:
        if self.desk is not None and self.task is not None and not self.read_only:
            self.desk.set_competition(self.task.id, self.title, options_json(self.options))

    @property
    def profile(self) -> str:
        """The profile that will be scored and is shown."""
        return getattr(self.options, "profile", "published")

    # The files

    def set_files(self, files: Sequence[InputFile]) -> None:
        """Replace the list of files: those without a role stand first, then the references."""
        self.files = sort_by_role(files, self.task)
        self.inputs_changed.emit()

    def inputs(self) -> dict[str, list[Path]]:
        """The files by role, as tasks take them."""
        return paths_by_role(self.files)

    def set_resolution(self, resolution: Resolution) -> None:
        """Know the systems' names, and which are late, copies, or older than another of a team."""
        self._tell(replace(self.defect_log, resolution=resolution.defects))
        self._mend(with_resolution(file, resolution) for file in self.files)

    def mark_read(self) -> None:
        """Take the files as they are on the disk now for those that results come from."""
        self._mend(update_status(replace(file, state="current")) for file in self.files)

    def _mend(self, files: Iterable[InputFile]) -> None:
        """Know the same files better; told only where something is new."""
        mended = tuple(files)
        if mended != self.files:
            self.files = mended
            self.inputs_changed.emit()

    def roles_for(self, file: InputFile) -> tuple[Input, ...]:
        """The roles that a file (or a folder of pictures) could have."""
        wanted = self.task.inputs if self.task else ()
        return tuple(e for e in wanted if (e.kind == "folder") == bool(file.pictures))

    def missing_inputs(self) -> tuple[Input, ...]:
        """The required inputs that no file has been given for."""
        wanted = self.task.inputs if self.task else ()
        return tuple(e for e in wanted if e.required and e.role not in self.inputs())

    # What came out

    @property
    def defects(self) -> tuple[Defect, ...]:
        """Everything that is wrong with the files."""
        return self.defect_log.all

    def set_taken(self, given: Sequence[Path], defects: Sequence[Defect]) -> None:
        """Know what was not taken of folders and archives that were given."""
        self._tell(self.defect_log.with_intake(given, defects))

    def set_checked(self, checked: CheckRecord) -> None:
        """Show what a check found, and what is known of files that it could not read."""
        self.checked = checked
        self._tell(checked.defects)

    def clear_defects(self) -> None:
        """Forget what a check found, since the files are others now."""
        if not self.read_only:
            self._tell(DefectLog(self.defect_log.intake))

    def _tell(self, told: DefectLog) -> None:
        if told != self.defect_log:
            self.defect_log = told
            self.defects_changed.emit()

    def refresh(self) -> None:
        """Read the results from the desk again."""
        if self.desk is not None:
            self.set_results(load_results(self.desk))

    def set_results(self, found: Results) -> None:
        """Show these results, and know the files that they were made of."""
        self.loaded.keep({summary.id for summary in found.systems})
        self._stand(found)
        self.evaluations_changed.emit()

    def _stand(self, found: Results) -> None:
        """Know what a desk holds; of hidden scores no page gets hold, `scored` has the names."""
        self.scored = tuple(dict.fromkeys(summary.system for summary in found.systems))
        self.hidden, self.marks = found.hidden, found.marks
        self.systems, self._recorded = () if found.hidden else found.systems, found.inputs
        if found.hidden:
            self.loaded.clear()
            self.people = None

    def set_people(self, found: Findings | None) -> None:
        """Show what raters said beside what metrics did; None where there is no answer."""
        if found is not self.people and not (found and self.hidden):
            self.people = found
            self.loaded.clear()
            self.people_changed.emit()

    def shown(self) -> tuple[Summary, ...]:
        """The systems scored with the profile in use."""
        return tuple(summary for summary in self.systems if summary.profile == self.profile)

    def board(
        self, separations: Mapping[str, Separation] | None = None, *, rated: bool = False
    ) -> Board | None:
        """The board of the profile in use; None where nothing has been scored with it.

        With `rated` the ratings by people stand beside the metrics.
        """
        from core.board import board

        task, summaries = self.task, self.shown()
        if task is not None and rated and self.people is not None:
            task, summaries = self.people.on_board(task, summaries, self.profile)
        if task is None or not summaries:
            return None
        return board(task, summaries, separations or {})

    def outdated(self) -> str:
        """A sentence where the files are not those that the results come from; else empty."""
        submission = self.task.submission_input().role if self.task else ""
        return describe_outdated(self.files, self._recorded if self.systems else (), submission)

    def summary(self, system: str) -> Summary | None:
        """The system of that name, scored with the profile in use."""
        return next((entry for entry in self.shown() if entry.system == system), None)

    def evaluation(self, system: str) -> Evaluation | None:
        """Everything known of a system; the last few stay in memory.

        None also where it has just been scored again: `evaluations_changed` follows.
        """
        from core.desk.errors import GoneError

        summary = self.summary(system)
        if summary is None or self.desk is None or self.task is None:
            return None
        stored = StoredEvaluation(self.desk, summary.id, self.task.readers.load_evidence)
        try:
            return self.loaded.get(stored, self.people)
        except GoneError:
            return None

    def stored(self) -> dict[str, Callable[[], Evaluation]]:
        """How each shown system is loaded; any thread may do it."""
        desk, task = self.desk, self.task
        if desk is None or task is None:
            return {}
        load = task.readers.load_evidence
        return {entry.system: StoredEvaluation(desk, entry.id, load) for entry in self.shown()}

    def metric(self, name: str) -> MetricInfo | None:
        """What the competition declares of a metric, or the raters' questions of one."""
        if self.task is None:
            return None
        try:
            return self.task.metric(name)
        except KeyError:
            return next((info for info in self.questions if info.name == name), None)

    @property
    def questions(self) -> tuple[MetricInfo, ...]:
        """What raters were asked, as metrics; none where there is no answer."""
        return () if self.people is None else self.people.metrics

    # What the user looks at

    def select(
        self, system: str | None = None, metric: str | None = None, item: str | None = None
    ) -> None:
        """Look at another system, metric or item; what is None stays."""
        chosen = self.selection.moved(system, metric, item)
        if chosen != self.selection:
            self.selection = chosen
            self.selection_changed.emit()
