"""State of a desk: everything that the window shows of it, immutable."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from jurydesk.core.language import counted, fill, translatable
from jurydesk.core.model.checks import CheckRecord, DefectLog, combine
from jurydesk.core.model.input_file import InputFile
from jurydesk.core.workflow.files import update_status

if TYPE_CHECKING:
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.desk import Desk, DeskInput, Summary


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
    from jurydesk.core.intake.submission_ledger import submission_marks

    return DeskResults(
        desk.evaluations(), desk.inputs(check), hidden_since(desk), submission_marks(desk)
    )


def _files(desk: Desk, results: DeskResults) -> tuple[InputFile, ...]:
    from jurydesk.core.intake.submission_ledger import current_submissions

    submissions = current_submissions(desk)
    files = []
    for entry in results.inputs:
        file = InputFile(entry.path, entry.source.role, entry.source.size, entry.state)
        if entry.source.path in submissions:
            one = submissions[entry.source.path]
            file = replace(file, parts=one.parts).with_rules(one)
        files.append(update_status(file))
    return tuple(files)


def describe_outdated(
    files: Sequence[InputFile], scored: Sequence[DeskInput], submission: str
) -> str:
    """Describe how the files differ from those that were `scored`; empty if they do not.

    `submission` is the role of submissions. Without scores, only changes are reported.
    """
    states = [file.state for file in files if file.role]
    if "changed" in states:
        return "Files have changed since they were scored: press Ctrl+R to score them again."
    if "missing" in states:
        return describe_missing(states.count("missing"), scored=bool(scored))
    if not scored:
        return ""
    previous = {(entry.source.role, entry.path) for entry in scored}
    given = {(file.role, file.path) for file in files if file.role}
    if any(role != submission for role, _ in given ^ previous):
        return "The reference files differ from those scored: press Ctrl+R to score again."
    waiting = len(given - previous)
    if waiting:
        return fill("{submissions} not scored yet: press Ctrl+R.", counted(waiting, "submission"))
    return ""


def describe_missing(files: int, *, scored: bool) -> str:
    """Describe files that are no longer at their paths."""
    if files == 1:
        viewed = translatable("1 file was moved or deleted: the results can still be viewed.")
        return (
            viewed if scored else translatable("1 file was moved or deleted: drop them here again.")
        )
    viewed = translatable("{files} were moved or deleted: the results can still be viewed.")
    lost = translatable("{files} were moved or deleted: drop them here again.")
    return (viewed if scored else lost).format(files=counted(files, "file"))
