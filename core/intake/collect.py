"""Resolution of submissions: team, name, time, and which of a team's files count."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.desk.system_names import given_names
from jurydesk.core.execution.file_store import SHARED
from jurydesk.core.execution.system_names import clean_system_name
from jurydesk.core.intake.archive import MemberTime
from jurydesk.core.intake.folder import FoundFile
from jurydesk.core.intake.resolve import missing_zone_defect, resolution_defects, resolve_names
from jurydesk.core.intake.safe_names import Parts
from jurydesk.core.intake.submission import IntakeRules, ReceivedSubmission
from jurydesk.core.intake.submission_ledger import (
    load_rules,
    record_submissions,
    submission_history,
)
from jurydesk.core.language import translatable
from jurydesk.core.model.defects import Defect
from jurydesk.core.system.paths import Fingerprint

if TYPE_CHECKING:
    from jurydesk.core.desk import Desk
    from jurydesk.core.execution.run import Run


@dataclass(frozen=True, slots=True)
class ReceivedFile:
    """File of a submission, its path in what was given, and its time in an archive.

    `beside` are the files that belong to it. An `explicit` file was named on a command line: it
    counts, whatever else its team submitted, and the engine names it.
    """

    path: Path
    parts: Parts = ()
    stamped: MemberTime | None = None
    beside: tuple[FoundFile, ...] = ()
    explicit: bool = False


@dataclass(frozen=True, slots=True)
class Resolution:
    """Result of the rules for submissions: names by file, files left out, and all submissions."""

    names: Mapping[Path, str] = field(default_factory=dict)
    left_out: frozenset[Path] = frozenset()
    defects: tuple[Defect, ...] = ()
    submissions: tuple[ReceivedSubmission, ...] = ()


def resolve_submissions(
    desk: Desk | None,
    given: Sequence[ReceivedFile],
    run: Run,
    rules: IntakeRules | None = None,
    *,
    keep: bool = True,
    hashes: bool = True,
) -> Resolution:
    """Apply rules (default: those of the desk) to submissions. Raises Cancelled.

    With `keep` the desk records the submissions. The team of a file without a folder comes from the
    desk's record, if there is one. Without `hashes` no file is compared with another by content.
    """
    rules = rules or (load_rules(desk) if desk is not None else IntakeRules())
    known = {one.path: one for one in submission_history(desk)} if desk is not None else {}
    explicit = {one.path for one in given if one.explicit}
    text = translatable("Comparing the submissions")
    run.report(0, len(given), text)
    fingerprint = partial(submission_fingerprint, run=run) if hashes else _submission_size
    found = run.map(
        lambda one: _read(one, known.get(one.path), rules, fingerprint),
        given,
        total=len(given),
        text=text,
    )
    resolved = resolve_names([one for one in found if one is not None], rules)
    if desk is not None:
        resolved = _with_given_names(resolved, given_names(desk))
    if keep and desk is not None and not desk.read_only:
        record_submissions(desk, resolved)
    counting = [one for one in resolved if not one.counts_instead or one.path in explicit]
    return Resolution(
        {one.path: one.system for one in counting if one.system and one.path not in explicit},
        frozenset(one.path for one in resolved) - {one.path for one in counting},
        (*resolution_defects(resolved), *_zone_defects(given, rules)),
        resolved,
    )


def _with_given_names(
    resolved: Sequence[ReceivedSubmission], given: Mapping[str, str]
) -> tuple[ReceivedSubmission, ...]:
    """Return the submissions with the names that the user gave, by path or content."""
    names = [given.get(str(one.path)) or given.get(one.sha256) for one in resolved]
    return tuple(
        replace(one, system=clean_system_name(name, one.path)) if name else one
        for one, name in zip(resolved, names, strict=True)
    )


def _read(
    one: ReceivedFile,
    before: ReceivedSubmission | None,
    rules: IntakeRules,
    fingerprint: Callable[[Sequence[FoundFile]], tuple[int, str]],
) -> ReceivedSubmission | None:
    """Return a file with its time, size and hash; None if it is gone."""
    parts = one.parts or (before.parts if before else (one.path.name,))
    try:
        size, sha256 = fingerprint([FoundFile(one.path, parts), *one.beside])
        modified = datetime.fromtimestamp(one.path.stat().st_mtime, UTC)
    except (OSError, ValueError, OverflowError):
        return None
    stamps = [stamp for stamp in (one.stamped, *(file.stamped for file in one.beside)) if stamp]
    times = [when for stamp in stamps if (when := stamp.moment(rules.zone)) is not None]
    if one.stamped is None:
        same = before is not None and before.sha256 == sha256
        times.append((before.received if before and same else None) or modified)
    files = 1 + len(one.beside)
    received = max(times, default=modified)
    return make_submission(FoundFile(one.path, parts), received, size, sha256, files)


def submission_fingerprint(files: Sequence[FoundFile], run: Run) -> tuple[int, str]:
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


def _submission_size(files: Sequence[FoundFile]) -> tuple[int, str]:
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


def make_submission(
    found: FoundFile, received: datetime | None, size: int, sha256: str, files: int = 1
) -> ReceivedSubmission:
    """Return the submission of a file, with the team from its folder."""
    by_folder = len(found.parts) > 1
    place = Path(found.parts[0])
    team = clean_system_name(found.parts[0], place) if by_folder else clean_system_name("", place)
    return ReceivedSubmission(team, found.path, found.parts, size, sha256, files, received)


def _zone_defects(given: Sequence[ReceivedFile], rules: IntakeRules) -> Iterator[Defect]:
    """Yield a defect if a deadline applies to archived files whose times have no zone."""
    paths = [one.path for one in given if one.stamped is not None and one.stamped.utc is None]
    if paths and rules.deadline is not None and not rules.received:
        yield missing_zone_defect(paths[0], len(paths), rules.deadline)
