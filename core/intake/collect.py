"""Resolution of submissions: team, name, time, and which of a team's files count."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.desk.given_names import given_names
from jurydesk.core.desk.tables.submission_table import add_submissions, read_submissions
from jurydesk.core.execution.file_store import SHARED
from jurydesk.core.intake.resolve import (
    changed_later_defects,
    disagreeing_defects,
    missing_zone_defect,
    moved_defects,
    resolution_defects,
    resolve_names,
    undecided_defects,
    unlisted_defects,
)
from jurydesk.core.intake.submission import IntakeRules, SubmissionIntake
from jurydesk.core.intake.submission_ledger import load_rules
from jurydesk.core.language import translatable
from jurydesk.core.model.defects import Defect
from jurydesk.core.model.input_file import InputFile, Parts
from jurydesk.core.model.platform_entry import merged_entry
from jurydesk.core.model.system_names import clean_system_name
from jurydesk.core.system.paths import Fingerprint

if TYPE_CHECKING:
    from jurydesk.core.desk import Desk
    from jurydesk.core.execution.run import Run


def resolve_submissions(
    desk: Desk | None,
    given: Sequence[InputFile],
    run: Run,
    rules: IntakeRules | None = None,
    *,
    keep: bool = True,
    hashes: bool = True,
) -> SubmissionIntake:
    """Apply rules (default: those of the desk) to submissions. Raises Cancelled.

    With `keep` the desk records the submissions. The team of a file without a folder comes from the
    desk's record, if there is one. Without `hashes` no file is compared with another by content.
    """
    rules = rules or (load_rules(desk) if desk is not None else IntakeRules())
    known = {one.path: one for one in read_submissions(desk)} if desk is not None else {}
    text = translatable("Comparing the submissions")
    run.report(0, len(given), text)
    fingerprint = partial(submission_fingerprint, run=run) if hashes else _submission_size
    read = list(
        run.map(
            lambda one: _read(one, known.get(one.path), rules, fingerprint),
            given,
            total=len(given),
            text=text,
        )
    )
    names = given_names(desk) if desk is not None else {}
    resolved = iter(resolve_names([one for one in read if one.team], rules))
    found = SubmissionIntake(
        tuple(with_given_name(next(resolved), names) if one.team else one for one in read)
    )
    if keep and desk is not None and not desk.read_only:
        add_submissions(desk, found.submissions)
    defects = (
        *resolution_defects(found.submissions),
        *unlisted_defects(found.submissions, rules, known.values()),
        *disagreeing_defects(found.submissions),
        *changed_later_defects(found.submissions, rules),
        *moved_defects(given, known),
        *undecided_defects(found.submissions, rules),
        *_zone_defects(given, rules),
    )
    return replace(found, defects=defects)


def with_given_name(one: InputFile, given: Mapping[str, str]) -> InputFile:
    """Return the submission with the name that the user gave, by path or content."""
    name = given.get(str(one.path)) or given.get(one.sha256)
    return replace(one, system=clean_system_name(name, one.path)) if name else one


def _read(
    one: InputFile,
    before: InputFile | None,
    rules: IntakeRules,
    fingerprint: Callable[[Sequence[InputFile]], tuple[int, str]],
) -> InputFile:
    """Return a file with its team, time, size and hash; unchanged if it cannot be read."""
    parts = one.parts or (before.parts if before else (one.path.name,))
    every = [replace(one, parts=parts), *one.beside]
    try:
        size, sha256 = fingerprint(every)
        times = [_file_time(one, rules)]
    except (OSError, ValueError, OverflowError):
        return one
    if before is not None and before.changed and before.sha256 == sha256 and not one.archived:
        times = [before.changed]
    for other in one.beside:
        with suppress(OSError, ValueError, OverflowError):
            times.append(_file_time(other, rules))
    place, entry = Path(parts[0]), merged_entry(before.entry if before else None, one.entry)
    folder = parts[0] if len(parts) > 1 else ""
    return replace(
        one,
        parts=parts,
        entry=entry,
        team=clean_system_name((entry.team if entry else "") or folder, place),
        size=size,
        sha256=sha256,
        files=len(every),
        changed=max(times),
    )


def _file_time(one: InputFile, rules: IntakeRules) -> datetime:
    """Return the time of a file in UTC; a time without zone in an archive is in the rules' zone."""
    if one.archived is None:
        return datetime.fromtimestamp(one.path.stat().st_mtime, UTC)
    has_zone = one.archived.tzinfo is not None
    return (one.archived if has_zone else one.archived.replace(tzinfo=rules.zone)).astimezone(UTC)


def submission_fingerprint(files: Sequence[InputFile], run: Run) -> tuple[int, str]:
    """Return size and SHA-256 of one file, or of several with their names in the team's folder.

    Raises OSError if the first cannot be read.
    """
    if len(files) == 1:
        only = SHARED.fingerprint(files[0].path, run.check)
        return only.size, only.sha256
    prints: list[tuple[Parts, Fingerprint | None]] = []
    for one in files:
        try:
            prints.append((one.parts[1:], SHARED.fingerprint(one.path, run.check)))
        except OSError:
            prints.append((one.parts[1:], None))
    digest = hashlib.sha256()
    for parts, found in sorted(prints, key=lambda pair: pair[0]):
        digest.update("/".join(parts).encode("utf-8", "replace") + b"\0")
        digest.update(found.sha256.encode() if found else b"")
    return sum(found.size for _, found in prints if found), digest.hexdigest()


def _submission_size(files: Sequence[InputFile]) -> tuple[int, str]:
    """Return the size and no hash. Raises OSError if the first file cannot be read."""
    size = _readable_size(files[0].path)
    for one in files[1:]:
        with suppress(OSError):
            size += _readable_size(one.path)
    return size, ""


def _readable_size(path: Path) -> int:
    if not path.is_file():
        path.stat()
        return 0
    with path.open("rb") as file:
        return os.fstat(file.fileno()).st_size


def _zone_defects(given: Sequence[InputFile], rules: IntakeRules) -> Iterator[Defect]:
    """Yield a defect if a deadline applies to archived files whose times have no zone."""
    paths = [
        one.path
        for one in given
        if one.entry is None and one.archived and one.archived.tzinfo is None
    ]
    if paths and rules.deadline is not None and not rules.received:
        yield missing_zone_defect(paths[0], len(paths), rules.deadline)
