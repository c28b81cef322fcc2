"""Downloads of Codabench: the bulk of submissions, and the tables of submissions and results."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from operator import itemgetter
from pathlib import Path

from jurydesk.core.intake.platforms.records import (
    Download,
    DownloadFiles,
    NumberText,
    RecordTable,
    beginning,
    lacking_columns,
    utc_time,
    without_copy_number,
)
from jurydesk.core.language import counted, fill, name_list, translatable
from jurydesk.core.model.decoding import whole_number
from jurydesk.core.model.defects import Place, error, note, warning
from jurydesk.core.model.evaluation import Json
from jurydesk.core.model.input_file import Parts

PLATFORM = "Codabench"
NAME = re.compile(
    r"(?:ID_)?(?P<kind>res_|pred_)?(?P<id>\d{1,18})_(?P<team>.+)_PhaseId(?P<phase>\d{1,18})"
    r"_(?P<day>\d{4}-\d\d-\d\d)[_: T](?P<minute>\d\d)-(?P<second>\d\d)_(?P<file>.*)",
    re.DOTALL,
)
"""Name of a submission: split at the last phase, for user names may look like one."""
_BOARD = re.compile(r"(?P<board>.*) - (?P<phase>.*)\((?P<id>\d{1,18})\)(?:\.csv)?", re.DOTALL)
_ROW = re.compile(r"(?P<team>.*)-(?P<id>\d{1,18})", re.DOTALL)
_FAILED = re.compile(r"(?P<name>.*?) \((?P<reason>[^()]*)\)")
FAILED_FILE, FAILED_HEADING = "failed.txt", "The following submissions failed to download"
DELETED = "Deleted File"
MAX_FAILURES = 16 << 20
LONGEST_TITLE = 1000
TITLES = ("Submission ID", "File Name", "Owner", "Created When", "Status", "Phase")
"""Titles of the table of submissions; the first two came in 2025."""
JOIN_WITHIN = timedelta(minutes=15)
"""Longest time from the upload of a file to its submission, to join tables without ids."""


def read_codabench(files: DownloadFiles) -> Download | None:
    """Return what downloads of Codabench say; None if there are none."""
    found = Download(PLATFORM)
    _read_names(files, found)
    tables = [table for table in files.tables if _is_submissions(table)]
    boards = list(_boards(files))
    if not (found.places or found.records or tables or boards):
        return None
    for table in tables:
        found.records.add(table.path)
        _join(table, found)
    phases: dict[str, str] = {}
    for path, title, rows in boards:
        found.records.add(path)
        _read_board(path, title, rows, found, phases)
    _name_phases(found, phases)
    for table in files.tables:
        if table.has("ID", "Username", "Email", "Is Bot"):
            found.records.add(table.path)
            ignored = translatable("The table of participants with their addresses is not used.")
            found.defects.append(note(Place(str(table.path)), ignored))
    return found


def _read_names(files: DownloadFiles, found: Download) -> None:
    """Read ids, teams, phases and days from the names of members and of failed downloads."""
    results: list[Parts] = []
    for _, path, content in files.documents:
        listed = (
            [one.get("name") for one in content if isinstance(one, dict)]
            if (isinstance(content, list))
            else []
        )
        matches = [NAME.fullmatch(name) for name in listed if isinstance(name, str)]
        if matches and all(matches):
            found.records.add(path)
            for known in filter(None, matches):
                _add_name(found, known)
    for place, name in files.names():
        inside = any(place[:end] in found.places for end in range(1, len(place)))
        match = None if inside or not _is_bulk(place, files) else NAME.fullmatch(name)
        if match and match["kind"]:
            results.append(place)
        elif match:
            found.places[place] = match["id"]
            _add_name(found, match)
        elif name == FAILED_FILE and not inside and place in files.files:
            _read_failures(files.files[place], found)
    if results:
        names = name_list(["/".join(files.local(place)) for place in results])
        count = counted(len(results), "file")
        text = fill("{files} of results, not of submissions: {names}.", count, names)
        unused = [files.files[one] for place in results for one in files.below(place)]
        found.records.update(unused)
        first = Place(str(unused[0]) if unused else results[0][-1])
        found.defects.append(warning(first, text, "They were left out.", count=len(results)))


def _is_bulk(place: Parts, files: DownloadFiles) -> bool:
    """Return whether a name may be one of a bulk download.

    An archive in a folder is one if all of its members are: it may be a participant's as well.
    """
    for end in range(len(place) - len(files.local(place)) + 2, len(place)):
        if place[:end] in files.archives:
            names = files.members_of(place[:end])
            return all(name == FAILED_FILE or NAME.fullmatch(name) for name in names)
    return True


def _add_name(found: Download, match: re.Match[str]) -> None:
    try:
        day = datetime.fromisoformat(match["day"]).replace(tzinfo=UTC)
    except ValueError:
        day = None
    found.update(
        match["id"],
        team=match["team"],
        phase_id=match["phase"],
        received=day,
        received_known="day" if day else "",
        file=match.string,
        details={"uploaded": f"{match['minute']}-{match['second']}"},
    )


def _read_failures(path: Path, found: Download) -> None:
    """Read the names of submissions that the platform failed to deliver."""
    text = beginning(path, MAX_FAILURES)
    if not text.startswith(FAILED_HEADING):
        return
    found.records.add(path)
    for line in filter(None, text.splitlines()[1:]):
        known = _FAILED.fullmatch(line.strip())
        name, reason = (known["name"], known["reason"]) if known else (line.strip(), "")
        found.missing.append(name)
        if match := NAME.fullmatch(name):
            _add_name(found, match)
            found.failed.add(match["id"])
        text = fill("The platform failed to deliver {name} ({reason}).", name, reason or "-")
        hint = "Download this submission again, by itself."
        found.defects.append(error(Place(str(path)), text, "It is missing here.", hint))


def _join(table: RecordTable, found: Download) -> None:
    """Join the table of submissions: exact times, status and phase; rows of tasks are left out."""
    found.defects += lacking_columns(table, TITLES[2:])
    rows = list(table.records())
    if table.has("Submission ID"):
        numbers = [(whole_number(row["submission id"]), row) for row in rows]
        known = [(number, row) for number, row in numbers if number is not None]
        _join_by_id([row for _, row in sorted(known, key=itemgetter(0))], found)
        return
    joined = _join_by_time(rows, found) if table.has("Owner", "Created When") else 0
    text = fill("The table has no ids: {rows} joined by owner, day and minute.",
                counted(joined, "row"))  # fmt: skip
    place = Place(str(table.path))
    found.defects.append(warning(place, text, "", "Use a table with Submission ID if you can."))


def _join_by_id(rows: list[Mapping[str, str]], found: Download) -> None:
    has_names = bool(found.entries)
    known, before = set(found.entries), None
    for row in rows:
        same = (row.get("owner"), row.get("file name"), row.get("phase"))
        if has_names and row["submission id"] not in known and same == before:
            continue  # the server's row of a task, which follows that of its submission
        before = same
        _add_row(row["submission id"], row, found)


def _join_by_time(rows: list[Mapping[str, str]], found: Download) -> int:
    """Join rows without ids to the names of files, and return how many were joined."""
    free = [(utc_time(row["created when"]), row) for row in rows]
    joined = 0
    for key, entry in sorted(found.entries.items(), key=lambda pair: int(pair[0])):
        upload = str(entry.details.get("uploaded", ""))
        if entry.received is None or not upload:
            continue
        shift = timedelta(minutes=int(upload[:2]), seconds=int(upload[3:]))
        near = []
        for number, (time, row) in enumerate(free):
            if time is None or row["owner"] != entry.team:
                continue
            gap = (time - entry.received - shift) % timedelta(hours=1)
            if time.date() - entry.received.date() in (timedelta(0), timedelta(1)):
                near.append((gap, number))
        if near and min(near)[0] <= JOIN_WITHIN:
            _, row = free.pop(min(near)[1])
            _add_row(key, row, found)
            joined += 1
    return joined


def _add_row(key: str, row: Mapping[str, str], found: Download) -> None:
    time = found.time(row.get("created when", ""))
    deleted = row.get("file name") == DELETED
    found.update(
        key,
        team=row.get("owner", ""),
        phase=row.get("phase", ""),
        status=row.get("status", ""),
        received=time,
        received_known="exact" if time else "",
        details={"deleted": True} if deleted else {},
    )


Rows = Mapping[str, Mapping[str, str]]
"""Numbers by column, of each `user-id`."""


def _boards(files: DownloadFiles) -> Iterator[tuple[Path, str, Rows]]:
    """Yield path, title and rows of each table of results, of CSV and of JSON."""
    for table in files.tables:
        if _is_board(table):
            first = 2 if "fact_sheet_answers" in table.header[:2] else 1
            columns = table.header[first:]
            rows = {row[0]: dict(zip(columns, row[first:], strict=False)) for row in table.rows}
            yield table.path, table.path.name, rows
    for _, path, content in files.documents:
        if _is_results(content):
            for title, board in content.items():
                yield (
                    path,
                    title,
                    {
                        user: {name: _text(one) for name, one in columns.items()}
                        for user, columns in board.items()
                    },
                )


def _is_submissions(table: RecordTable) -> bool:
    """Return whether a table is that of submissions, which may lack columns."""
    known = sum(table.has(title) for title in TITLES)
    return table.has("Owner", "Created When") or (known >= 4 and not table.has("Team Name"))


def _is_board(table: RecordTable) -> bool:
    """Return whether a table is that of results: users with ids, whatever columns follow."""
    return table.header[0] == "Username" and (
        "fact_sheet_answers" in table.header[:2]
        or any(_ROW.fullmatch(row[0]) for row in table.rows)
    )


def _text(value: Json) -> str:
    return str(value) if isinstance(value, str) else ""


def _is_results(content: Json) -> bool:
    return isinstance(content, dict) and bool(content) and all(
        len(title) <= LONGEST_TITLE and _BOARD.fullmatch(title) and isinstance(board, dict) and all(
            _ROW.fullmatch(user) and isinstance(columns, dict)
            and all(isinstance(one, str | NumberText) for one in columns.values())
            for user, columns in board.items()
        )
        for title, board in content.items()
    )  # fmt: skip


def _read_board(
    path: Path, title: str, rows: Rows, found: Download, phases: dict[str, str]
) -> None:
    """Read the numbers of the entries that the server shows."""
    board = _BOARD.fullmatch(without_copy_number(title)) or _BOARD.fullmatch(title)
    if board:
        phases[board["id"]] = board["phase"]
    unknown = [user for user in rows if not _ROW.fullmatch(user)]
    if unknown:
        text = fill("{users} without the id of a submission: {names}.",
                    counted(len(unknown), "user"), name_list(unknown))  # fmt: skip
        place = Place(str(path))
        found.defects.append(
            warning(place, text, "Their numbers are not used.", count=len(unknown))
        )
    for user, columns in rows.items():
        if match := _ROW.fullmatch(user):
            numbers = {column: number for column, number in columns.items() if number.strip()}
            known = found.entries.get(match["id"])
            found.update(
                match["id"],
                team="" if known and known.team else match["team"],
                phase_id=board["id"] if board and not (known and known.phase_id) else "",
                phase=board["phase"] if board and not (known and known.phase) else "",
                server=numbers,
                details={"on_board": True},
            )


def _name_phases(found: Download, phases: dict[str, str]) -> None:
    """Give every entry the name and the number of its phase, if one entry has both."""
    both = {e.phase_id: e.phase for e in found.entries.values() if e.phase_id and e.phase}
    names = {**phases, **both}  # a person can rename the file that names a board
    numbers = {name: key for key, name in names.items()}
    for key, entry in list(found.entries.items()):
        found.update(
            key,
            phase=entry.phase or names.get(entry.phase_id, ""),
            phase_id=entry.phase_id or numbers.get(entry.phase, ""),
        )
