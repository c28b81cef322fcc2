"""State of a desk: everything that is shown of it, read at once and immutable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.defects import counted
from core.workflow.files import InputFile, absolute, update_status

if TYPE_CHECKING:
    from core.defects import Defect
    from core.desk import Desk, DeskInput, Summary
    from core.tasks.registry import AnyTask


@dataclass(frozen=True, slots=True)
class DefectLog:
    """Defects by the phase that found them, so that each phase can be repeated alone.

    `intake`: what could not be taken in; `resolution`: late submissions, copies and the like;
    `reading`: what readers and metrics found in the files.
    """

    intake: tuple[Defect, ...] = ()
    resolution: tuple[Defect, ...] = ()
    reading: tuple[Defect, ...] = ()

    @property
    def all(self) -> tuple[Defect, ...]:
        """Every defect once."""
        return tuple(dict.fromkeys((*self.intake, *self.resolution, *self.reading)))

    def with_intake(self, given: Sequence[Path], defects: Sequence[Defect]) -> DefectLog:
        """Return the log with the defects of these folders and archives in place of their old."""
        others = [one for one in self.intake if not _is_within(one, given)]
        return replace(self, intake=tuple(dict.fromkeys((*others, *defects))))


def _is_within(defect: Defect, given: Sequence[Path]) -> bool:
    return any(Path(defect.place.path).is_relative_to(path) for path in given)


@dataclass(frozen=True, slots=True)
class Results:
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
    defects: DefectLog = field(default_factory=DefectLog)
    results: Results = field(default_factory=Results)


def load_state(desk: Desk | None) -> DeskState:
    """Read the state of a desk; that of no desk, or of a new one, is empty."""
    from core.options import options_from_json
    from core.tasks.registry import registry

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
        load_defects(desk),
        results,
    )


def load_results(desk: Desk) -> Results:
    """Read the results of a desk; an input with a doubtful time stamp is hashed."""
    from core.desk.curtain import hidden_since
    from core.intake.ledger import marks

    return Results(desk.evaluations(), desk.inputs(), hidden_since(desk), marks(desk))


def load_defects(desk: Desk) -> DefectLog:
    """Read the defects of a desk."""
    from core.intake.ledger import not_taken, standing
    from core.intake.settling import told

    recorded, intake = desk.defects(), not_taken(desk)
    resolution = frozenset(told(standing(desk)))
    known = resolution | frozenset(intake)
    return DefectLog(
        intake,
        tuple(one for one in recorded if one in resolution),
        tuple(one for one in recorded if one not in known),
    )


def _files(desk: Desk, results: Results) -> tuple[InputFile, ...]:
    """The files that were scored; submissions with their teams and marks."""
    from core.intake.ledger import standing as submissions

    known = {absolute(one.path): one for one in submissions(desk)}
    files = []
    for entry in results.inputs:
        path, source = absolute(entry.path), entry.source
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
    before = {(entry.source.role, absolute(entry.path)) for entry in scored}
    given = {(file.role, absolute(file.path)) for file in files if file.role}
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
