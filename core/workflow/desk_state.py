"""State of a desk: everything that the window shows of it, immutable."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from jurydesk.core.model.checks import CheckRecord, DefectLog, combine
from jurydesk.core.model.input_file import InputFile
from jurydesk.core.model.staleness import update_status
from jurydesk.core.system.paths import is_pipe_or_device

if TYPE_CHECKING:
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.desk import Desk, DeskInput, Summary
    from jurydesk.core.model.evaluation import MetricInfo


@dataclass(frozen=True, slots=True)
class DeskResults:
    """Results of a desk and the inputs that they were computed from.

    `hidden` is the time since which the scores are hidden, empty if they are shown; `marks` are the
    remarks on submissions by system.
    """

    systems: tuple[Summary, ...] = ()
    inputs: tuple[DeskInput, ...] = ()
    hidden: str = ""
    marks: Mapping[str, str] = field(default_factory=dict)
    rank_by: str = ""
    """Name of the metric that ranks the systems, if it is not the competition's."""
    received: str = ""
    """How many of the submissions are scored, if not all are."""
    metrics: tuple[MetricInfo, ...] = ()
    """Metrics that the results declare, known only after reading."""


@dataclass(frozen=True, slots=True)
class DeskState:
    """A competition with its files, defects and results.

    `unknown_task` is the id of a task that is not installed.
    """

    task: AnyTask | None = None
    unknown_task: str = ""
    title: str = ""
    options: Any = None
    files: tuple[InputFile, ...] = ()
    checked: CheckRecord = field(default_factory=CheckRecord)
    """Latest result of each file's checks, kept when the file can no longer be read."""
    results: DeskResults = field(default_factory=DeskResults)

    @property
    def defects(self) -> DefectLog:
        """Known defects."""
        return self.checked.defects


def load_state(desk: Desk | None, check: Callable[[], None] = lambda: None) -> DeskState:
    """Read the state of a desk; without a desk, or for a new one, it is empty.

    `check` may raise to cancel the hashing of inputs.
    """
    from jurydesk.core.competition.task_registry import registry
    from jurydesk.core.model.options import options_from_json

    competition = desk.competition if desk else None
    if desk is None or competition is None:
        return DeskState()
    task = registry().tasks.get(competition.task_id)
    results = load_results(desk, check)
    return DeskState(
        task,
        "" if task else competition.task_id,
        competition.title,
        options_from_json(task.scoring.options, competition.options) if task else None,
        _files(desk, results),
        combine(desk.check_records(), [str(one.path) for one in results.inputs]),
        results,
    )


def load_results(desk: Desk, check: Callable[[], None] = lambda: None) -> DeskResults:
    """Read the results of a desk; inputs with an unreliable time stamp are hashed."""
    from jurydesk.core.desk.hidden_scores import hidden_since
    from jurydesk.core.desk.inference_settings import load_inference
    from jurydesk.core.desk.item_queries import declared_metrics
    from jurydesk.core.intake.submission_ledger import scored_share, submission_marks

    return DeskResults(
        desk.evaluations(),
        desk.inputs(check),
        hidden_since(desk),
        submission_marks(desk),
        load_inference(desk).rank_by,
        scored_share(desk),
        declared_metrics(desk),
    )


def _files(desk: Desk, results: DeskResults) -> tuple[InputFile, ...]:
    from jurydesk.core.intake.submission_ledger import current_submissions

    submissions, files = current_submissions(desk), []
    scored = (
        (InputFile(one.path, one.source.role, one.source.size, one.state), one.source.path)
        for one in results.inputs
    )
    for file, recorded in scored if results.inputs else _checked_files(desk):
        if recorded in submissions:
            one = submissions[recorded]
            file = replace(file, parts=one.parts, entry=one.entry).with_rules(one)
        files.append(update_status(file))
    return tuple(files)


def _checked_files(desk: Desk) -> Iterator[tuple[InputFile, str]]:
    """Yield the files of the last check, which a desk has before anything is scored.

    A pipe or a device that a stranger's desk names is left out: it would never end.
    """
    from jurydesk.core.desk.tables.input_table import recorded_path

    for record in desk.check_records()[-1:]:
        for one in record.files:
            path = recorded_path(one.path, desk.path.parent)
            if not is_pipe_or_device(path):
                yield InputFile(path, one.role, state="current"), one.path
