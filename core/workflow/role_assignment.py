"""Role assignment: the competition and role of each file, or the reason why it has none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from jurydesk.core.workflow.files import InputFile

if TYPE_CHECKING:
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.intake.classify import ClassifiedFile, RoleGuess

MIN_CONFIDENCE = 0.5


@dataclass(frozen=True, slots=True)
class Assignment:
    """New files with their roles; `strangers` belong to another competition than `task`."""

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
    """Assign each file a role in `task`, or in the likeliest competition if none is open.

    `files` are those already in the desk; one that is given again is assigned again. With
    `watched`, every folder is a team's folder.
    """
    task = task or likeliest_task(found)
    arrived = {classified.path for classified in found}
    existing = [file for file in files if file.path not in arrived]
    strangers: list[InputFile] = []
    new: list[InputFile] = []
    order = {classified.path: number for number, classified in enumerate(found)}
    for classified in sorted(found, key=partial(_sort_key, task)):
        file = _file_with_role(classified, [*existing, *new], task)
        if not file.role and classified.guesses and task is not None:
            strangers.append(file)
        new.append(file)
    for several in (new, strangers):
        several.sort(key=lambda file: order[file.path])
    teams = new if watched or task is None else _teams(new, task)
    return Assignment(task, (*existing, *teams), tuple(strangers))


def _sort_key(task: AnyTask | None, classified: ClassifiedFile) -> tuple[float, bool]:
    """Sort by decreasing confidence, so that the likeliest file gets a role of one file.

    For files that look alike, such as a template and a submission without stories, the one whose
    name contains the role comes first.
    """
    guess = _guess(classified, task)
    if guess is None:
        return 0.0, True
    name = classified.path.name.casefold().replace("_", "-")
    return -guess.confidence, guess.role not in name


def _guess(classified: ClassifiedFile, task: AnyTask | None) -> RoleGuess | None:
    guesses = (one for one in classified.guesses if task is not None and one.task == task.id)
    return next(guesses, None)


def _teams(files: Sequence[InputFile], task: AnyTask) -> list[InputFile]:
    """Return the files without a wrapper folder around all submissions."""
    from jurydesk.core.intake.folder import FoundFile, strip_wrapper_folder

    submissions = {file.path for file in files if file.role == task.submission_input().role}
    found = strip_wrapper_folder(
        [FoundFile(file.path, file.parts or (file.path.name,)) for file in files], submissions
    )
    return [replace(file, parts=one.parts) for file, one in zip(files, found, strict=True)]


def likeliest_task(found: Sequence[ClassifiedFile]) -> AnyTask | None:
    """Return the competition with the highest total confidence over the files."""
    from jurydesk.core.competition.task_registry import registry

    totals: dict[str, float] = {}
    for classified in found:
        for guess in classified.guesses:
            totals[guess.task] = totals.get(guess.task, 0.0) + guess.confidence
    best = max(totals, key=lambda name: totals[name], default=None)
    return registry().tasks[best] if best is not None else None


def _file_with_role(
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
    """Return the role of a file, or an empty role with the reason."""
    if classified.problem or task is None:
        return "", classified.problem or "No competition recognizes this file."
    if classified.pictures:
        folders = [entry for entry in task.inputs if entry.kind == "folder"]
        named = [entry for entry in folders if entry.role == classified.path.name]
        folder = next(iter((*named, *folders)), None)
        return (folder.role, "") if folder else ("", f"{task.title} takes no pictures.")
    guess = _guess(classified, task)
    if guess is None:
        return "", _other_task_reason(classified, task)
    target = next(entry for entry in task.inputs if entry.role == guess.role)
    if guess.confidence < MIN_CONFIDENCE:
        return "", f"This may be: {target.label}. Please choose a role."
    others = [file for file in files if file.role == target.role]
    if others and not target.many and target.kind == "reference":
        return "", f"{target.label} was already given: {others[0].path.name}."
    return target.role, ""


def _other_task_reason(classified: ClassifiedFile, task: AnyTask) -> str:
    from jurydesk.core.competition.task_registry import registry

    if not classified.guesses:
        return f"Not recognized as a file of {task.title}."
    other = registry().tasks[classified.guesses[0].task].title
    return f"This is a file of {other}; the open desk is for {task.title}."
