"""Files of a competition: those named one by one, their status on disk, their order in a list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.language import fill, name_list
from jurydesk.core.model.input_file import InputFile, files_by_role
from jurydesk.core.system.paths import absolute_path, distinct_names

if TYPE_CHECKING:
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.intake.submission import SubmissionIntake


def explicit_files(
    task: AnyTask, inputs: Mapping[str, Sequence[Path]], names: Sequence[str] = ()
) -> tuple[InputFile, ...]:
    """Return the files that were named one by one, by role, with absolute paths.

    A submission given twice is one. `names` are those of the systems, one for each submission;
    UsageError where parts of one system have several, or several systems one. A folder that is
    given for references of several files stands for its files.
    """
    role = task.submission_input().role
    paths = {role: [absolute_path(path) for path in several] for role, several in inputs.items()}
    for entry in task.inputs:
        if entry.kind == "reference" and entry.many and entry.role in paths:
            paths[entry.role] = [file for path in paths[entry.role] for file in _files_of(path)]
    submissions = list(dict.fromkeys(paths.pop(role, ())))
    parts = distinct_names({str(path) for path in submissions})
    given = [
        InputFile(path, role, parts=tuple(parts[str(path)].split("/")), explicit=True, name=name)
        for path, name in zip(submissions, names or repeat(""), strict=bool(names))
    ]
    if any(names):
        _require_one_name(task, given)
    return (*files_by_role(paths), *given)


def _require_one_name(task: AnyTask, given: Sequence[InputFile]) -> None:
    """Raise UsageError if parts of one system have several names, or several systems one."""
    from jurydesk.core.model.evaluation import UsageError  # imports NumPy

    names = {file.path: file.name for file in given if file.name}
    role = task.submission_input().role
    systems = [file.given for file in task.readers.arrange(given) if file.role == role]
    for parts in systems:
        if len({names[path] for path in parts if path in names}) > 1:
            sentence = "{files} are parts of one system: give them the same name."
            raise UsageError(fill(sentence, name_list([path.name for path in parts])))
    for path, count in Counter(path for parts in systems for path in parts).items():
        if count > 1 and path in names:
            sentence = "{folder} holds {count} systems: give each system with its name."
            raise UsageError(fill(sentence, path.name, count))


def _files_of(path: Path) -> list[Path]:
    """Return the files of a folder by name, without hidden ones; a file, or none, is itself."""
    if not path.is_dir():
        return [path]
    found = sorted(one for one in path.iterdir() if one.is_file() and one.name[0] != ".")
    return found or [path]


def with_resolution(
    files: Sequence[InputFile], resolution: SubmissionIntake
) -> tuple[InputFile, ...]:
    """Return the files of a list with what the rules say now of those that are still in it."""
    found = {one.path: one for one in resolution.files}
    return tuple(file.with_rules(found.get(file.path, InputFile(file.path))) for file in files)


def sort_by_role(files: Sequence[InputFile], task: AnyTask | None) -> tuple[InputFile, ...]:
    """Sort files: those without a role first, then the references, then the submissions."""
    inputs = task.inputs if task else ()
    order = ["", *(entry.role for entry in inputs if entry.kind != "submission")]
    rank = {role: i for i, role in enumerate(order)}
    return tuple(sorted(files, key=lambda file: rank.get(file.role, len(rank))))
