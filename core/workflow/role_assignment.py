"""Role assignment: the competition and role of each file, or the reason why it has none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import partial
from typing import TYPE_CHECKING

from jurydesk.core.language import Message, fill
from jurydesk.core.model.input_file import InputFile

if TYPE_CHECKING:
    from jurydesk.core.competition.task import AnyTask, Sniff

MIN_CONFIDENCE = 0.5


@dataclass(frozen=True, slots=True)
class Assignment:
    """New files with their roles; `strangers` belong to another competition than `task`."""

    task: AnyTask | None
    files: tuple[InputFile, ...]
    strangers: tuple[InputFile, ...] = ()


def assign_roles(
    found: Sequence[InputFile],
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
    arrived = {file.path for file in found}
    existing = [file for file in files if file.path not in arrived]
    strangers: list[InputFile] = []
    new: list[InputFile] = []
    order = {file.path: number for number, file in enumerate(found)}
    for classified in sorted(found, key=partial(_sort_key, task)):
        role, reason = _role(classified, [*existing, *new], task)
        file = replace(classified, role=role, reason=reason)
        if not role and file.guesses and task is not None:
            strangers.append(file)
        new.append(file)
    for several in (new, strangers):
        several.sort(key=lambda file: order[file.path])
    teams = new if watched or task is None else _teams(new, task)
    return Assignment(task, (*existing, *teams), tuple(strangers))


def _sort_key(task: AnyTask | None, classified: InputFile) -> tuple[float, bool]:
    """Sort by decreasing confidence, so that the likeliest file gets a role of one file.

    For files that look alike, such as a template and a submission without stories, the one whose
    name contains the role comes first.
    """
    guess = _guess(classified, task)
    if guess is None:
        return 0.0, True
    name = classified.path.name.casefold().replace("_", "-")
    return -guess.confidence, guess.role not in name


def _guess(file: InputFile, task: AnyTask | None) -> Sniff | None:
    return None if task is None else file.guesses.get(task.id)


def _teams(files: Sequence[InputFile], task: AnyTask) -> list[InputFile]:
    """Return the files without a wrapper folder around all submissions."""
    from jurydesk.core.intake.folder import strip_wrapper_folder

    submissions = {file.path for file in files if file.role == task.submission_input().role}
    found = [replace(file, parts=file.parts or (file.path.name,)) for file in files]
    return strip_wrapper_folder(found, submissions)


def likeliest_task(found: Sequence[InputFile]) -> AnyTask | None:
    """Return the competition with the highest total confidence over the files.

    Where a file is certain, only such files count.
    """
    from jurydesk.core.competition.task_registry import registry

    guesses = [pair for file in found for pair in file.guesses.items()]
    certain = [(name, guess) for name, guess in guesses if guess.confidence >= 1]
    totals: dict[str, float] = {}
    for name, guess in certain or guesses:
        totals[name] = totals.get(name, 0.0) + guess.confidence
    best = max(totals, key=lambda name: totals[name], default=None)
    return registry().tasks[best] if best is not None else None


def _role(
    classified: InputFile, files: Sequence[InputFile], task: AnyTask | None
) -> tuple[str, str]:
    """Return the role of a file, or an empty role with the reason."""
    if classified.reason or task is None:
        return "", classified.reason or "No competition recognizes this file."
    if classified.pictures:
        folders = [entry for entry in task.inputs if entry.kind == "folder"]
        named = [entry for entry in folders if entry.role == classified.path.name]
        folder = next(iter((*named, *folders)), None)
        return (
            (folder.role, "")
            if folder
            else ("", fill("{title} takes no pictures.", Message(task.title)))
        )
    guess = _guess(classified, task)
    if guess is None:
        return _role_of_name(classified, task)
    target = next(entry for entry in task.inputs if entry.role == guess.role)
    if guess.confidence < MIN_CONFIDENCE:
        return "", fill("This may be: {label}. Please choose a role.", Message(target.label))
    others = [file for file in files if file.role == target.role]
    if others and not target.many and target.kind == "reference":
        return "", fill(
            "{label} was already given: {name}.", Message(target.label), others[0].path.name
        )
    return target.role, ""


def _role_of_name(classified: InputFile, task: AnyTask) -> tuple[str, str]:
    """Return the role that the name of a file gives it, or the reason why it has none."""
    name = classified.path.name.casefold()
    for entry in task.inputs:
        if any(fnmatchcase(name, pattern) for pattern in entry.names):
            return entry.role, ""
    return "", _other_task_reason(classified, task)


def _other_task_reason(classified: InputFile, task: AnyTask) -> str:
    from jurydesk.core.competition.task_registry import registry

    if not classified.guesses:
        return fill("Not recognized as a file of {title}.", Message(task.title))
    other = registry().tasks[next(iter(classified.guesses))].title
    return fill(
        "This is a file of {other}; the open desk is for {title}.",
        Message(other),
        Message(task.title),
    )
