"""State of a desk: everything that is shown of it, read at once and immutable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from jurydesk.core.model.checks import CheckRecord, DefectLog, combine
from jurydesk.core.model.defects import counted
from jurydesk.core.workflow.files import InputFile, absolute_path, update_status

if TYPE_CHECKING:
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.desk import Desk, DeskInput, Summary


@dataclass(frozen=True, slots=True)
class DeskResults:
    """Results of a desk and the inputs that they were made from.

    `hidden` is the time since which the scores are hidden, empty where they are shown; `marks`
    are the remarks on the submissions by system.
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
    """What checks found, also where a later one could not read a file any more."""
    results: DeskResults = field(default_factory=DeskResults)

    @property
    def defects(self) -> DefectLog:
        """The defects that are known now."""
        return self.checked.defects


def load_state(desk: Desk | None) -> DeskState:
    """Read the state of a desk; that of no desk, or of a new one, is empty."""
    from jurydesk.core.competition.task_registry import registry
    from jurydesk.core.model.options import options_from_json

    competition = desk.competition if desk else None
    if desk is None or competition is None:
        return DeskState()
    task = registry().tasks.get(competition.task_id)
    results = load_results(desk)
    return DeskState(
        task,
        "" if task else competition.task_id,
        competition.title,
        options_from_json(task.scoring.options, competition.options) if task else None,
        _files(desk, results),
        combine(desk.check_records(), [str(absolute_path(one.path)) for one in results.inputs]),
        results,
    )


def load_results(desk: Desk) -> DeskResults:
    """Read the results of a desk; an input with a doubtful time stamp is hashed."""
    from jurydesk.core.desk.hidden_scores import hidden_since
    from jurydesk.core.intake.submission_ledger import submission_marks

    return DeskResults(
        desk.evaluations(), desk.inputs(), hidden_since(desk), submission_marks(desk)
    )


def _files(desk: Desk, results: DeskResults) -> tuple[InputFile, ...]:
    """The files that were scored; submissions with their teams and marks."""
    from jurydesk.core.intake.submission_ledger import current_submissions as submissions

    known = {absolute_path(one.path): one for one in submissions(desk)}
    files = []
    for entry in results.inputs:
        path, source = absolute_path(entry.path), entry.source
        file = update_status(InputFile(path, source.role, source.size, entry.state))
        one = known.get(path)
        if one is not None:
            file = replace(file, parts=one.parts, mark=one.marks(), system=one.system)
        files.append(file)
    return tuple(files)


def describe_outdated(
    files: Sequence[InputFile], scored: Sequence[DeskInput], submission: str
) -> str:
    """Return a sentence where the files are not those that were `scored`; else empty.

    `submission` is the role of submissions. Where nothing was scored, only changes are reported.
    """
    states = [file.state for file in files if file.role]
    if "changed" in states:
        return "Files have changed since they were scored: press Ctrl+R to score them again."
    if "missing" in states:
        return describe_missing(states.count("missing"), scored=bool(scored))
    if not scored:
        return ""
    before = {(entry.source.role, absolute_path(entry.path)) for entry in scored}
    given = {(file.role, absolute_path(file.path)) for file in files if file.role}
    if any(role != submission for role, _ in given ^ before):
        return "The reference files are others than those scored: press Ctrl+R to score again."
    waiting = len(given - before)
    if waiting:
        return f"{counted(waiting, 'submission')} not scored yet: press Ctrl+R."
    return ""


def describe_missing(files: int, *, scored: bool) -> str:
    """Return the sentence about files that are no longer where they were."""
    where = "is not where it was" if files == 1 else "are not where they were"
    so = "what was scored can be looked at all the same" if scored else "drop them here again"
    return f"{counted(files, 'file')} {where}: {so}."
