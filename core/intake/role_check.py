"""Files that were given in a wrong role: what each looks like, and where it belongs.

A reader says of such a file, defect by defect, that it is not what it should be; here the file is
looked at as when it is dropped, and one sentence says what it is.
"""

from __future__ import annotations

import stat
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from jurydesk.core.competition.task import AnyTask, Input, Inputs, Sniff
from jurydesk.core.execution.engine import CompetitionResult
from jurydesk.core.intake.file_signatures import CERTAIN, SURE, foreign_file_type, own_file_type
from jurydesk.core.model.defects import Defect, Place, Severity, error, has_errors, warning
from jurydesk.core.readers.text_file import file_head, text_head

HINT = "Give each file where it belongs."


def explain_wrong_roles(
    task: AnyTask, inputs: Inputs, result: CompetitionResult
) -> CompetitionResult:
    """The result, where the defects of files in a wrong role say what these files are."""
    shared = explain_reference_roles(task, inputs, result.reference_defects)
    entries = tuple(
        replace(entry, defects=explain_submission_role(task, entry.path, entry.defects))
        if entry.evaluation is None
        else entry
        for entry in result.entries
    )
    return replace(result, reference_defects=shared, entries=entries)


def explain_reference_roles(
    task: AnyTask, inputs: Inputs, defects: Sequence[Defect]
) -> tuple[Defect, ...]:
    """The defects of the shared files; after errors the submissions, not read yet, are seen too."""
    told = tuple(defects)
    for wanted in task.inputs:
        for path in inputs.get(wanted.role, ()):
            if wanted.kind == "reference":
                told = _explain(task, wanted, path, told)
            if wanted.kind != "submission" and not _named(told, path):
                told = (*told, *_missing_sentence(wanted, path))
    if not has_errors(told):
        return told
    submission = task.submission_input()
    others = (_explain_unread(task, submission, path) for path in inputs.get(submission.role, ()))
    return (*told, *(defect for defect in others if defect is not None))


def explain_submission_role(
    task: AnyTask, path: Path, defects: Sequence[Defect]
) -> tuple[Defect, ...]:
    """The defects of a submission; only one that cannot be scored is looked at."""
    return _explain(task, task.submission_input(), path, tuple(defects))


def _explain(
    task: AnyTask, wanted: Input, path: Path, defects: tuple[Defect, ...]
) -> tuple[Defect, ...]:
    """The defects with what the file at `path` is, where it is not what is wanted.

    What its reader said of a file that cannot be read is left out, unless it may be right.
    """
    mine = [defect for defect in defects if defect.place.path == str(path)]
    failed = has_errors(mine)
    troubled = failed or any(defect.severity is Severity.WARNING for defect in mine)
    if not failed and wanted.kind == "submission":
        return defects
    head = file_head(path)
    looks = _foreign_sentence(own_file_type(head)) or _other_role_sentence(
        task, wanted, head, unsure=troubled
    )
    if looks is None and troubled and not task.readers.sniff(text_head(head)):
        looks = _other_competition_sentence(task, head)
    if looks is None:
        return defects
    found, certain = looks
    if not (failed and certain):
        return (warning(Place(str(path)), found, "", HINT), *defects)
    others = tuple(defect for defect in defects if defect.place.path != str(path))
    return (*others, error(Place(str(path)), found, "", HINT))


def _named(defects: Sequence[Defect], path: Path) -> bool:
    return any(defect.place.path == str(path) for defect in defects)


def _missing_sentence(wanted: Input, path: Path) -> Iterator[Defect]:
    """That a folder or a file, which nobody has opened yet, is not there or is the other one."""
    try:
        is_folder = stat.S_ISDIR(path.stat().st_mode)
    except (OSError, ValueError) as fault:
        missing = isinstance(fault, FileNotFoundError)
        found = "This does not exist." if missing else f"This cannot be read: {_reason(fault)}."
        yield warning(Place(str(path)), found, "", "Check its name and folder.")
        return
    if is_folder != (wanted.kind == "folder"):
        found = "This is a folder, not a file." if is_folder else "This is a file, not a folder."
        yield warning(Place(str(path)), found, "", f"Give --{wanted.role} the right one.")


def _reason(fault: OSError | ValueError) -> str:
    return (getattr(fault, "strerror", None) or str(fault)).lower()


def _explain_unread(task: AnyTask, wanted: Input, path: Path) -> Defect | None:
    """What a file that was not read yet is, where it is certainly not what is wanted."""
    looks = _other_role_sentence(task, wanted, file_head(path), unsure=False)
    return error(Place(str(path)), looks[0], "", HINT) if looks else None


def _foreign_sentence(what: str) -> tuple[str, bool] | None:
    return (f"This is {what}, not a file of the competition.", True) if what else None


def _other_role_sentence(
    task: AnyTask, wanted: Input, head: bytes, *, unsure: bool
) -> tuple[str, bool] | None:
    """The sentence for a file of another role of the same task, and whether that is certain."""
    guess = task.readers.sniff(text_head(head))
    if guess is None or guess.role in (wanted.role, *wanted.also):
        return None
    certain = guess.confidence >= CERTAIN
    if guess.confidence < SURE or not (certain or unsure):
        return None
    other = next((entry for entry in task.inputs if entry.role == guess.role), wanted)
    return (
        f"{_looks(guess, other)}: it belongs to {other.label} (--{other.role}), "
        f"not to {wanted.label} (--{wanted.role}).",
        certain,
    )


def _other_competition_sentence(task: AnyTask, head: bytes) -> tuple[str, bool] | None:
    """The sentence for a file of another competition, or of none."""
    from jurydesk.core.competition.task_registry import (
        registry,  # all competitions: only for a file in trouble
    )

    for other, guess in registry().sniff(text_head(head)):
        entry = next((entry for entry in other.inputs if entry.role == guess.role), None)
        if other.id != task.id and guess.confidence >= SURE and entry is not None:
            found = (
                f"{_looks(guess, entry)}, a file of another competition "
                f"({other.title}: {entry.label})."
            )
            return found, guess.confidence >= CERTAIN
    return _foreign_sentence(foreign_file_type(head))


def _looks(guess: Sniff, entry: Input) -> str:
    begin = "This looks like" if guess.confidence >= CERTAIN else "This may be"
    return f"{begin} {guess.format or entry.label}"
