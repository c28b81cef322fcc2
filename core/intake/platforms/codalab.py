"""Downloads of CodaLab: the archive of a board, and its two tables."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal

from jurydesk.core.intake.platforms.records import (
    Download,
    DownloadFiles,
    RecordTable,
    beginning,
)
from jurydesk.core.language import counted, fill, translatable
from jurydesk.core.model.defects import Place, warning
from jurydesk.core.model.input_file import Parts
from jurydesk.core.model.platform_entry import TEAM_ID

PLATFORM = "CodaLab"
_MEMBER = re.compile(
    r"(?P<name>.*) - (?P<n>\d{1,9}) (?P<kind>submission|output)(?:\.zip)?"
    r"|.* - \d{1,9} (?:profile|method)\.txt",
    re.DOTALL,
)
_TEAM = re.compile(r"Team (?P<team>.*) ", re.DOTALL)
_CELL = re.compile(r"(\S+) \(\d+\)")
LONGEST_LABEL = 1000
MAX_SCORES = 1 << 20
LAST = "Is on leaderboard"
"""Beginning of the last title of the table of all entries."""


def read_codalab(files: DownloadFiles) -> Download | None:
    """Return what the archive and the tables of a board say; None if there are none."""
    found, outputs = Download(PLATFORM), {}
    for place, name in files.names():
        match = _MEMBER.fullmatch(name)
        if not match or any(place[:end] in found.places for end in range(1, len(place))):
            continue
        inside = [files.files[one] for one in files.below(place)]
        if match["kind"] == "submission":
            key = f"{match['name']} - {match['n']}"
            team = _TEAM.fullmatch(match["name"])
            found.places[place] = key
            details = {"number": int(match["n"])} | ({} if team else {"user": match["name"]})
            found.update(key, team=team["team"] if team else match["name"], file=name,
                         details=details)  # fmt: skip
        else:
            found.records.update(inside)
            if match["kind"] == "output":
                outputs[f"{match['name']} - {match['n']}"] = dict(_scores(files, place))
    for key, scores in outputs.items():
        found.update(key, full=scores)
    _report_same_names(found)
    tables = [table for table in files.tables if _is_board(table)]
    if not found.entries and not tables:
        return None
    if found.entries:
        found.records |= {
            path for place, path in files.files.items()
            if place[-1] in ("team_names_and_members.txt", "detailed_results.html")
            and len(files.local(place)) <= 3
        }  # fmt: skip
    _join(tables, found)
    return found


def _report_same_names(found: Download) -> None:
    """Report a user and a team of one name, and tell them apart."""
    users = {one.team for one in found.entries.values() if "user" in one.details}
    teams = [key for key, one in found.entries.items() if "user" not in one.details]
    clashes: dict[str, str] = {}
    for key in teams:
        one = found.entries[key]
        if one.team in users:
            clashes.setdefault(one.team, one.file)
            found.update(key, details={TEAM_ID: f"Team {one.team}"})
    for name, file in clashes.items():
        text = fill("A user and a team have the name {name}.", name)
        apart = translatable("They are treated as different teams.")
        found.defects.append(warning(Place(file), text, apart))


def _scores(files: DownloadFiles, place: Parts) -> Iterator[tuple[str, str]]:
    """Yield the numbers in the file of scores of an output."""
    for one in files.below(place):
        if one[-1] == "scores.txt":
            for line in beginning(files.files[one], MAX_SCORES).splitlines():
                name, colon, rest = line.strip().partition(":")
                if colon and name and len(words := rest.split()) == 1:
                    yield name.rstrip(), words[0]


def _is_board(table: RecordTable) -> bool:
    """Return whether a table is a board, or the table with all cells as literals of bytes."""
    return table.header[:2] == ("submission_pk", "User") or any(
        row[:1] == ("User",) and row[-1].startswith(LAST) for row in table.rows
    )


def _unquote(cell: str) -> str:
    """Return the text of a literal of bytes such as b'MAP'; other cells stay."""
    if len(cell) <= LONGEST_LABEL and re.fullmatch(r"b(['\"]).*\1", cell, re.DOTALL):
        try:
            return bytes(ast.literal_eval(cell)).decode("utf-8", "replace")
        except (ValueError, SyntaxError):
            return cell
    return cell


def _rows(table: RecordTable) -> Iterator[Mapping[str, str]]:
    """Yield the rows of a board by its labels, which are literals of bytes."""
    header: list[str] = []
    for row in (table.header, *table.rows):
        cells = [_unquote(cell) for cell in row]
        if "User" in cells[:2]:
            header = cells
        elif header and len(cells) >= len(header):
            yield dict(zip(header, cells, strict=False))


PLAIN = frozenset(("submission_pk", "User", "Description", "Date", "Filename", f"{LAST}?"))


def _join(tables: list[RecordTable], found: Download) -> None:
    """Join the rows of the tables to the entries: by user, or by the numbers if they decide."""
    by_user: dict[str, dict[str, str]] = {}
    for table in tables:
        found.records.add(table.path)
        for row in _rows(table):
            by_user.setdefault(row["User"], {}).update(row)
    open_users = dict(by_user)
    for key, entry in list(found.entries.items()):
        user = str(entry.details.get("user", ""))
        if user in open_users:
            _add_row(key, open_users.pop(user), found)
    for key, entry in list(found.entries.items()):
        if entry.details.get("id") is None and by_user:
            users = [user for user, row in open_users.items() if _agree(row, entry.full)]
            if len(users) == 1:
                _add_row(key, open_users.pop(users[0]), found)
    left = [e for e in found.entries.values() if e.details.get("id") is None and by_user]
    if left and tables:
        text = fill("{entries} of the archive not found in the board by user or numbers.",
                    counted(len(left), "entry", "entries"))  # fmt: skip
        unknown = translatable("Their times stay unknown.")
        found.defects.append(warning(Place(str(tables[0].path)), text, unknown, count=len(left)))
    for user, row in open_users.items():
        found.update(row.get("submission_pk") or user, team=user)
        _add_row(row.get("submission_pk") or user, row, found)
    for key, entry in list(found.entries.items()):  # from here on the platform's own ids
        if (own := str(entry.details.get("id") or "")) and own != key:
            del found.entries[key]
            details = {k: v for k, v in entry.details.items() if k != "id"}
            found.update(own, **{name: getattr(entry, name) for name in (
                "team", "status", "received", "received_known", "file", "server", "full")},
                details=details)  # fmt: skip
            found.places = {p: own if one == key else one for p, one in found.places.items()}


def _numbers(row: Mapping[str, str]) -> dict[str, str]:
    cells = {name: _CELL.fullmatch(cell) for name, cell in row.items() if name not in PLAIN}
    return {name: match[1] for name, match in cells.items() if match}


def _add_row(key: str, row: Mapping[str, str], found: Download) -> None:
    time = found.time(row.get("Date", ""))
    found.update(
        key,
        received=time,
        received_known="exact" if time else "",
        server=_numbers(row),
        details={"id": row.get("submission_pk") or key, "user": row["User"]},
    )


def _agree(row: Mapping[str, str], scores: Mapping[str, str]) -> bool:
    """Return whether each number of a board is one of the scores, rounded to its decimals."""
    numbers = _numbers(row).values()
    return bool(numbers) and all(
        any(_rounds_to(score, number) for score in scores.values()) for number in numbers
    )


def _rounds_to(score: str, number: str) -> bool:
    try:
        shown = Decimal(number)
        return abs(Decimal(score) - shown) * 2 <= Decimal(1).scaleb(int(shown.as_tuple().exponent))
    except (ArithmeticError, ValueError):
        return False
