"""Role assignment: the competition and role of each file, or why it has none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from jurydesk.core.workflow.files import InputFile

if TYPE_CHECKING:
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.intake.classify import ClassifiedFile, RoleGuess

SURE = 0.5


@dataclass(frozen=True, slots=True)
class Assignment:
    """The arrivals in their roles. `strangers` belong to another competition than `task`."""

    task: AnyTask | None
    files: tuple[InputFile, ...]
    strangers: tuple[InputFile, ...] = ()


def assign_roles(
    found: Sequence[ClassifiedFile],
    files: Sequence[InputFile],
    task: AnyTask | None,
    *,
    watched: bool = False,
) -> Assignment:
    """Give every file a role in `task`, or in the likeliest competition where none is open.

    `files` are those that the desk has already; one that arrives again is taken anew. In a
    `watched` folder every folder is a team's.
    """
    task = task or likeliest_task(found)
    again = {classified.path for classified in found}
    placed = [file for file in files if file.path not in again]
    strangers: list[InputFile] = []
    new: list[InputFile] = []
    order = {classified.path: number for number, classified in enumerate(found)}
    for classified in sorted(found, key=partial(_sort_key, task)):
        file = _with_role(classified, [*placed, *new], task)
        if not file.role and classified.guesses and task is not None:
            strangers.append(file)
        new.append(file)
    for several in (new, strangers):
        several.sort(key=lambda file: order[file.path])
    teams = new if watched or task is None else _teams(new, task)
    return Assignment(task, (*placed, *teams), tuple(strangers))


def _sort_key(task: AnyTask | None, classified: ClassifiedFile) -> tuple[float, bool]:
    """Sorts the surest first: where a role takes one file, it is that one's.

    Two files may look alike, such as a template and a submission without stories: then the one
    whose name says the role comes first.
    """
    guess = _guess(classified, task)
    if guess is None:
        return 0.0, True
    name = classified.path.name.casefold().replace("_", "-")
    return -guess.confidence, guess.role not in name


def _guess(classified: ClassifiedFile, task: AnyTask | None) -> RoleGuess | None:
    """What a file may be in the competition."""
    own = (guess for guess in classified.guesses if task is not None and guess.task == task.id)
    return next(own, None)


def _teams(files: Sequence[InputFile], task: AnyTask) -> list[InputFile]:
    """The files without a folder that merely holds all submissions."""
    from jurydesk.core.intake.folder import FoundFile, strip_wrapper_folder

    own = {file.path for file in files if file.role == task.submission_input().role}
    found = strip_wrapper_folder(
        [FoundFile(file.path, file.parts or (file.path.name,)) for file in files], own
    )
    return [replace(file, parts=one.parts) for file, one in zip(files, found, strict=True)]


def likeliest_task(found: Sequence[ClassifiedFile]) -> AnyTask | None:
    """The competition that most of the files look like."""
    from jurydesk.core.competition.task_registry import registry

    totals: dict[str, float] = {}
    for classified in found:
        for guess in classified.guesses:
            totals[guess.task] = totals.get(guess.task, 0.0) + guess.confidence
    best = max(totals, key=lambda name: totals[name], default=None)
    return registry().tasks[best] if best is not None else None


def _with_role(
    classified: ClassifiedFile, files: Sequence[InputFile], task: AnyTask | None
) -> InputFile:
    role, reason = _role(classified, files, task)
    return InputFile(
        classified.path,
        role,
        classified.size,
        modified=classified.modified,
        reason=reason,
        pictures=classified.pictures,
        parts=classified.parts,
        stamped=classified.stamped,
    )


def _role(
    classified: ClassifiedFile, files: Sequence[InputFile], task: AnyTask | None
) -> tuple[str, str]:
    """The role of a file, or none and the reason."""
    if classified.problem or task is None:
        return "", classified.problem or "No competition knows this kind of file."
    if classified.pictures:
        folders = [entry for entry in task.inputs if entry.kind == "folder"]
        named = [entry for entry in folders if entry.role == classified.path.name]
        folder = next(iter((*named, *folders)), None)
        return (folder.role, "") if folder else ("", f"{task.title} has no use for pictures.")
    guess = _guess(classified, task)
    if guess is None:
        return "", _stranger(classified, task)
    wanted = next(entry for entry in task.inputs if entry.role == guess.role)
    if guess.confidence < SURE:
        return "", f"This may be: {wanted.label}. Please choose."
    taken = [file for file in files if file.role == wanted.role]
    if taken and not wanted.many and wanted.kind == "reference":
        return "", f"{wanted.label} is there already: {taken[0].path.name}."
    return wanted.role, ""


def _stranger(classified: ClassifiedFile, task: AnyTask) -> str:
    from jurydesk.core.competition.task_registry import registry

    if not classified.guesses:
        return f"This looks like no file of {task.title}."
    other = registry().tasks[classified.guesses[0].task].title
    return f"A file of {other}; the open desk is one of {task.title}."
