"""Check records: the outcome, time and defects of checking each file."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from jurydesk.core.model.defects import Defect

Outcome = Literal["passed", "failed", "unknown"]
PHASES = ("intake", "resolution", "reading")


@dataclass(frozen=True, slots=True)
class DefectLog:
    """Defects by the phase that found them, so that each phase can be repeated separately.

    `intake`: files that could not be unpacked or sorted; `resolution`: late submissions, copies
    and the like; `reading`: defects found by readers and metrics in the files.
    """

    intake: tuple[Defect, ...] = ()
    resolution: tuple[Defect, ...] = ()
    reading: tuple[Defect, ...] = ()

    @property
    def all(self) -> tuple[Defect, ...]:
        """Every defect once."""
        return tuple(dict.fromkeys((*self.intake, *self.resolution, *self.reading)))

    def with_intake(self, sources: Sequence[Path], defects: Sequence[Defect]) -> DefectLog:
        """Return the log with the intake defects of these folders and archives replaced."""
        others = [
            one
            for one in self.intake
            if not any(Path(one.place.path).is_relative_to(path) for path in sources)
        ]
        return replace(self, intake=tuple(dict.fromkeys((*others, *defects))))


@dataclass(frozen=True, slots=True)
class FileCheck:
    """Outcome and time of the check of one file (ISO 8601 in UTC; empty: not recorded).

    `reason` says why the outcome is unknown; in a combined record, also why a file with a known
    outcome could not be read again since.
    """

    path: str
    role: str
    outcome: Outcome
    reason: str = ""
    time: str = ""


@dataclass(frozen=True, slots=True)
class CheckRecord:
    """One check of a competition's files, or several checks combined into the current state.

    A record without `files` was made by a version that did not record outcomes.
    """

    time: str = ""
    files: tuple[FileCheck, ...] = ()
    defects: DefectLog = field(default_factory=DefectLog)

    @property
    def unknown(self) -> tuple[FileCheck, ...]:
        """Files whose outcome is not known, or that could not be read again since."""
        return tuple(one for one in self.files if one.outcome == "unknown" or one.reason)

    def of(self, path: Path) -> FileCheck | None:
        """Return the check of a file, or None where it was never checked."""
        return next((one for one in self.files if one.path == str(path)), None)


def combine(records: Sequence[CheckRecord], inputs: Collection[str] = ()) -> CheckRecord:
    """Combine check records, ordered from oldest to newest.

    Each file of the last record, and each path in `inputs`, gets its latest known outcome with the
    time and the defects of that check. A check that could not read a file only sets its `reason`.
    """
    if len(records) < 2:
        return records[0] if records else CheckRecord()
    last, base = records[-1], records[0]
    known: dict[str, FileCheck] = {}
    owners: dict[str, CheckRecord] = {}
    for record in records:
        for one in record.files:
            before = known.get(one.path)
            if one.outcome != "unknown":
                known[one.path], owners[one.path] = one, record
            elif before is None or before.outcome == "unknown":
                known[one.path] = one
            else:
                known[one.path] = replace(before, reason=one.reason)
        if not record.files or any(one.outcome != "unknown" for one in record.files):
            base = record
    dropped = known.keys() - {one.path for one in last.files} - set(inputs)
    files = tuple(one for path, one in known.items() if path not in dropped)
    unread = {one.path for one in files if one.reason}
    reading = tuple(
        one
        for record in records
        for one in record.defects.reading
        if one.place.path not in dropped and owners.get(one.place.path, base) is record
    )
    resolution = tuple(
        one
        for record in records
        for one in record.defects.resolution
        if record is (owners.get(one.place.path, last) if one.place.path in unread else last)
    )
    log = DefectLog(last.defects.intake, resolution, reading)
    return CheckRecord(last.time, files, log)
