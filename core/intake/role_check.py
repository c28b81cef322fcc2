"""Detection of files given in a wrong role.

The defects of such a file only say what it is not; here its type is detected as for a dropped file,
and one sentence says what it is.
"""

from __future__ import annotations

import stat
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from jurydesk.core.competition.task import AnyTask, Input, Inputs
from jurydesk.core.execution.engine import CompetitionResult
from jurydesk.core.intake.file_signatures import (
    ARRAYS,
    CERTAIN,
    MIN_CONFIDENCE,
    foreign_file_type,
    is_archive_head,
    own_file_type,
    unread_advice,
)
from jurydesk.core.intake.program_outputs import program_output
from jurydesk.core.language import Message, failure_reason, fill, translatable
from jurydesk.core.language.message import templates
from jurydesk.core.model.defects import Defect, Place, Severity, error, has_errors, warning
from jurydesk.core.model.input_file import InputFile, paths_by_role
from jurydesk.core.readers.bounded_defects import condense_defects
from jurydesk.core.readers.compression import plain_name
from jurydesk.core.readers.program_answers import READ_AS
from jurydesk.core.readers.text_file import UTF8_MARK, file_head, text_head

HINT = "Give each file where it belongs."
UNPACK = "Unpack it first; --submissions takes archives as they are."


def explain_wrong_roles(
    task: AnyTask, files: Sequence[InputFile], result: CompetitionResult
) -> CompetitionResult:
    """Add what files in a wrong role are to the defects of a result."""
    shared = explain_reference_roles(task, paths_by_role(files), result.reference_defects)
    entries = tuple(
        replace(
            entry,
            defects=explain_submission_role(task, entry.path, entry.defects)
            if entry.evaluation is None
            else condense_defects(entry.defects),
        )
        for entry in result.entries
    )
    return replace(result, reference_defects=shared, entries=entries)


def explain_reference_roles(
    task: AnyTask, inputs: Inputs, defects: Sequence[Defect]
) -> tuple[Defect, ...]:
    """Explain the defects of shared files; after errors, check the unread submissions too."""
    explained = condense_defects(defects)
    for expected in task.inputs:
        for path in inputs.get(expected.role, ()):
            if expected.kind == "reference":
                explained = _explain(task, expected, path, explained)
            if expected.kind != "submission" and not _is_named(explained, path):
                explained = (*explained, *_missing_sentence(expected, path))
    if not has_errors(explained):
        return explained
    submission = task.submission_input()
    others = (_explain_unread(task, submission, path) for path in inputs.get(submission.role, ()))
    return (*explained, *(defect for defect in others if defect is not None))


def explain_submission_role(
    task: AnyTask, path: Path, defects: Sequence[Defect]
) -> tuple[Defect, ...]:
    """Explain the defects of a submission that cannot be scored."""
    return _explain(task, task.submission_input(), path, condense_defects(defects))


def _explain(
    task: AnyTask, expected: Input, path: Path, defects: tuple[Defect, ...]
) -> tuple[Defect, ...]:
    """Add what the file at `path` is to the defects, if it is not as `expected`.

    The reader's defects of an unreadable file are removed, unless they may be right.
    """
    own_defects = [defect for defect in defects if defect.place.path == str(path)]
    failed = has_errors(own_defects)
    has_problems = failed or any(defect.severity is Severity.WARNING for defect in own_defects)
    if not failed and expected.kind == "submission":
        return defects
    head = file_head(path)
    # An archive may hold the very text by which a file is recognized; .npz is one itself.
    is_array = plain_name(path).lower().endswith(".npz")
    takes_arrays = is_array and "*.npz" in expected.patterns
    if failed and is_array and foreign_file_type(head) == ARRAYS and _is_cut(path):
        return (*_of_other_files(path, defects), _cut_arrays(path))
    is_archive = failed and not is_array and is_archive_head(head)
    kind = own_file_type(head) or (foreign_file_type(head) if is_archive else "")
    detected = _foreign_sentence(kind) or _other_role_sentence(
        task, expected, head, unsure=has_problems
    )
    place = Place(str(path))
    if detected is None and has_problems and not task.readers.sniff(text_head(head)):
        kind = foreign_file_type(head)
        if failed and program_output(text_head(head).removeprefix(UTF8_MARK)) is not None:
            if _is_read(own_defects):
                return defects
            detected = _foreign_sentence(kind)
            place = next(one.place for one in own_defects if one.severity is Severity.ERROR)
        # Where names give roles, a file may look like any other.
        elif not expected.names:
            detected = _other_competition_sentence(task, head)
        # The reader of arrays says which it found, and which it expects.
        if not (takes_arrays and kind == ARRAYS):
            detected = detected or _foreign_sentence(kind)
    if detected is None:
        return defects
    found, certain = detected
    if not (failed and certain):
        return (warning(place, found, "", HINT), *defects)
    hint = unread_advice(foreign_file_type(head)) or HINT
    if is_archive_head(head) and not is_array and not own_file_type(head):
        hint = UNPACK
    return (*_of_other_files(path, defects), error(place, found, "", hint))


def _is_read(defects: Sequence[Defect]) -> bool:
    """Return whether the reader knew the program: what is wrong with its file is better then."""
    return any(READ_AS in templates([one.found]) for one in defects)


def _of_other_files(path: Path, defects: tuple[Defect, ...]) -> tuple[Defect, ...]:
    return tuple(defect for defect in defects if defect.place.path != str(path))


def _is_cut(path: Path) -> bool:
    """Return whether a file begins as a zip archive, not compressed once more, and has no end."""
    with path.open("rb") as file:
        return file.read(2) == b"PK" and not zipfile.is_zipfile(path)


def _cut_arrays(path: Path) -> Defect:
    """Return that a `.npz` file lacks its table of contents, which is at the end."""
    found, hint = "The .npz file is cut off: its end is missing.", "Copy or download it again."
    return error(Place(str(path)), found, "", hint)


def _is_named(defects: Sequence[Defect], path: Path) -> bool:
    return any(defect.place.path == str(path) for defect in defects)


def _missing_sentence(expected: Input, path: Path) -> Iterator[Defect]:
    """Yield a warning if the path is missing, or a folder instead of a file or the reverse."""
    try:
        is_folder = stat.S_ISDIR(path.stat().st_mode)
    except (OSError, ValueError) as problem:
        missing = isinstance(problem, FileNotFoundError)
        found = (
            "This does not exist."
            if missing
            else fill("This cannot be read: {reason:lower}.", _reason(problem))
        )
        yield warning(Place(str(path)), found, "", "Check its name and folder.")
        return
    if is_folder != (expected.kind == "folder"):
        found = "This is a folder, not a file." if is_folder else "This is a file, not a folder."
        yield warning(
            Place(str(path)), found, "", fill("Give --{role} the right one.", expected.role)
        )


def _reason(fault: OSError | ValueError) -> str:
    return failure_reason(fault) if isinstance(fault, OSError) else Message(str(fault))


def _explain_unread(task: AnyTask, expected: Input, path: Path) -> Defect | None:
    """Return what an unread file is, if it is certainly not as expected."""
    detected = _other_role_sentence(task, expected, file_head(path), unsure=False)
    return error(Place(str(path)), detected[0], "", HINT) if detected else None


def _foreign_sentence(kind: str) -> tuple[str, bool] | None:
    return (
        (fill("This is {kind}, not a file of the competition.", Message(kind)), True)
        if kind
        else None
    )


def _other_role_sentence(
    task: AnyTask, expected: Input, head: bytes, *, unsure: bool
) -> tuple[str, bool] | None:
    """Return the sentence for a file of another role of the task, and whether it is certain."""
    guess = task.readers.sniff(text_head(head))
    if guess is None or guess.role in (expected.role, *expected.also):
        return None
    certain = guess.confidence >= CERTAIN
    if guess.confidence < MIN_CONFIDENCE or not (certain or unsure):
        return None
    other = next((entry for entry in task.inputs if entry.role == guess.role), expected)
    kind, role = guess.format or other.label, other.role
    found = translatable(
        "This looks like {kind}: it belongs to {label} (--{role}), not to {label2} (--{role2})."
        if certain
        else "This may be {kind}: it belongs to {label} (--{role}), not to {label2} (--{role2})."
    ).format(Message(kind), Message(other.label), role, Message(expected.label), expected.role)
    return found, certain


def _other_competition_sentence(task: AnyTask, head: bytes) -> tuple[str, bool] | None:
    """Return the sentence for a file of another competition, and whether it is certain."""
    from jurydesk.core.competition.task_registry import (
        registry,  # loads all competitions: only for a file with problems
    )

    for other, guess in registry().sniff(text_head(head)):
        entry = next((entry for entry in other.inputs if entry.role == guess.role), None)
        if other.id != task.id and guess.confidence >= MIN_CONFIDENCE and entry is not None:
            certain, kind = guess.confidence >= CERTAIN, guess.format or entry.label
            found = translatable(
                "This looks like {kind}, a file of another competition ({title}: {label})."
                if certain
                else "This may be {kind}, a file of another competition ({title}: {label})."
            ).format(Message(kind), Message(other.title), Message(entry.label))
            return found, certain
    return None
