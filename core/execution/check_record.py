"""Check record of a run of the engine: the outcome for every file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.model.checks import CheckRecord, DefectLog, FileCheck, Outcome
from jurydesk.core.model.defects import Defect, has_errors
from jurydesk.core.model.stamp import utc_now

if TYPE_CHECKING:
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.execution.engine import CompetitionResult
    from jurydesk.core.model.input_file import InputFile

NOT_CHECKED = "It has not been checked."
NOT_READ = "It was not read because the reference files cannot be used."


def check_record(
    task: AnyTask, given: Sequence[InputFile], result: CompetitionResult
) -> CheckRecord:
    """Return the record of a check or scoring of these files, with the defects of reading only."""
    time, submission = utc_now(), task.submission_input().role
    entries: dict[Path, list[Defect]] = {}
    for entry in result.entries:
        for path in entry.file.given or (entry.path,):
            entries.setdefault(path.absolute(), []).extend(entry.defects)

    def outcome(role: str, path: Path) -> tuple[Outcome, str]:
        if reason := unreadable_reason(path):
            return "unknown", reason
        found = entries.get(path.absolute())
        if role == submission and found is None:
            return "unknown", NOT_READ
        own = [one for one in result.reference_defects if one.place.path == str(path)]
        return "failed" if has_errors(own if found is None else found) else "passed", ""

    files = {
        one.path: FileCheck(str(one.path), declared.role, *outcome(declared.role, one.path), time)
        for declared in task.inputs
        for one in given
        if one.role == declared.role
    }
    return CheckRecord(time, tuple(files.values()), DefectLog(reading=result.defects))


def unchecked_record(given: Sequence[InputFile], intake: Sequence[Defect]) -> CheckRecord:
    """Return the record of files that cannot be checked yet, as others are missing."""
    time = utc_now()
    files = (FileCheck(str(one.path), one.role, "unknown", NOT_CHECKED, time) for one in given)
    return CheckRecord(time, tuple(files), DefectLog(tuple(intake)))


def unreadable_reason(path: Path) -> str:
    """Return the reason why a file or folder cannot be read, or an empty text."""
    try:
        path.stat()
    except (OSError, ValueError) as error:
        if isinstance(error, PermissionError) or not isinstance(error, OSError):
            return "It cannot be opened."
        return "It does not exist."
    return "" if os.access(path, os.R_OK) else "The permission to read it is missing."
