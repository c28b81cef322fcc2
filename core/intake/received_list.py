"""Organiser's list of times of receipt: two columns, or a table with a header that names them."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Protocol

from jurydesk.core.competition.task import Reading
from jurydesk.core.intake.deadlines import TimeError, parse_time
from jurydesk.core.language import counted, fill, name_list
from jurydesk.core.model.defects import Defect, Place, error, has_errors, note
from jurydesk.core.readers.text_file import read_text

MAX_BYTES = 16 << 20
EXPECTED = "Expected: file or team, time (2018-05-01 22:10 or 2018-05-01T20:10Z)."
NO_COLUMNS = "The first line names no column of teams or no column of times."
NAMES_EXPECTED = "Expected: columns such as Team Name and Submitted At."

TEAM_COLUMNS = (
    *("team name", "teamname", "participant team", "team", "owner", "username", "user name"),
    *("participant", "user", "group", "file or team", "file", "file name", "filename"),
    *("submission", "name", "команда", "участник", "файл"),
)
"""Titles of a column of teams, the surest first."""
TIME_COLUMNS = (
    *("submitted at", "created when", "received at", "received", "time received"),
    *("time of receipt", "lastsubmissiondate", "last submission date", "submissiondate"),
    *("submission date", "submission time", "submitted on", "submitted", "created at", "created"),
    *("uploaded at", "uploaded", "upload time", "timestamp", "datetime", "date", "time", "when"),
    *("время", "получено", "дата"),
)
"""Titles of a column of times, the surest first."""
_MONTH_FIRST = re.compile(r"(\d\d)/(\d\d)/(\d{4})[ T](\d\d:\d\d:\d\d)")
"""Time of EvalAI's table of chosen fields, in UTC."""


class Rows(Protocol):
    """Lines of a CSV file, and the number of the last one that was read."""

    line_num: int

    def __iter__(self) -> Iterator[list[str]]: ...


Received = Mapping[str, datetime]
"""Times in UTC by the name of a file, its path in the folder, or a team."""


def column_title(cell: str) -> str:
    """Return a cell of a header as titles are compared: without case, unit and underscores."""
    return re.sub(r"\s*\(.*?\)", "", cell).replace("_", " ").replace("-", " ").strip().casefold()


def find_column(header: Sequence[str], titles: Sequence[str]) -> int | None:
    """Return the number of the column with the first of the titles that a header has."""
    known = [column_title(cell) for cell in header]
    return next((known.index(title) for title in titles if title in known), None)


def read_received(path: Path, zone: tzinfo) -> Reading[Received]:
    """Read the times of a CSV file; those without a zone are in `zone`.

    A first line is a header if its second cell has no digit. A header names the columns of team
    and time; without one there are two. Of several times of a team the newest is returned.
    """
    text = read_text(path, limit=MAX_BYTES)
    if text.data is None:
        return Reading(None, text.defects)
    rows = csv.reader(io.StringIO(text.data, newline=""), delimiter=list_delimiter(text.data))
    found = _List(path, zone)
    try:
        found.read(rows)
    except csv.Error as problem:
        place = Place(str(path), rows.line_num)
        damaged = error(place, fill("The line is damaged: {problem}.", problem))
        return Reading(None, (*text.defects, damaged))
    defects = (*text.defects, *found.defects, *found.repeated_names())
    return Reading(None if has_errors(found.defects) else found.times, defects)


def list_delimiter(text: str) -> str:
    """Return what separates the cells of the first line: a comma, unless there is none."""
    line = text.lstrip().partition("\n")[0]
    return next((one for one in ",;\t" if one in line), ",")


@dataclass(slots=True)
class _List:
    """Times of one list, with the defects of its lines."""

    path: Path
    zone: tzinfo
    times: dict[str, datetime] = field(default_factory=dict)
    defects: list[Defect] = field(default_factory=list)
    repeated: dict[str, None] = field(default_factory=dict)

    def read(self, rows: Rows) -> None:
        """Read all lines. Raises csv.Error for a damaged one."""
        columns, width, line = None, 2, 1
        for row in rows:
            place, line = Place(str(self.path), line), rows.line_num + 1
            if not any(cell.strip() for cell in row):
                continue
            if columns is None:
                columns, width = (0, 1), 2
                if is_header(row):
                    columns, width = self._columns(place, row), len(row)
                    if columns is None:
                        return
                    continue
            if len(row) == width:
                self._add(place, row[columns[0]].strip(), row[columns[1]].strip())
            else:
                self._refuse(place, fill("The line has {row} columns.", len(row)))

    def _columns(self, place: Place, header: Sequence[str]) -> tuple[int, int] | None:
        """Return the columns of team and time; those of two without known titles are in order."""
        team, time = find_column(header, TEAM_COLUMNS), find_column(header, TIME_COLUMNS)
        if team is not None and time is not None:
            return team, time
        if len(header) == 2:
            if team is None and time is None:
                titles = ", ".join(header)
                self.defects.append(
                    note(place, fill("This line was read as titles: {titles}.", titles))
                )
            return 0, 1
        self.defects.append(error(place, NO_COLUMNS, NAMES_EXPECTED))
        return None

    def _add(self, place: Place, name: str, when: str) -> None:
        try:
            time = parse_listed_time(when, self.zone)
        except TimeError as problem:
            self._refuse(place, str(problem))
            return
        if name in self.times:
            self.repeated[name] = None
            time = max(time, self.times[name])
        self.times[name] = time

    def _refuse(self, place: Place, found: str) -> None:
        self.defects.append(error(place, found, EXPECTED))

    def repeated_names(self) -> Iterator[Defect]:
        """Yield a note on the teams with several times."""
        if self.repeated:
            names = name_list(list(self.repeated))
            found = fill(
                "{teams} with several times: {names}.", counted(len(self.repeated), "team"), names
            )
            count = len(self.repeated)
            yield note(Place(str(self.path)), found, "The newest time was used.", count=count)


def is_header(row: Sequence[str]) -> bool:
    """Return whether a first line has titles: its second cell has no digit."""
    return len(row) > 1 and not any(letter.isdigit() for letter in row[1])


def parse_listed_time(text: str, zone: tzinfo) -> datetime:
    """Parse a time of a list, or one that EvalAI writes month first, in UTC. Raises TimeError."""
    if match := _MONTH_FIRST.fullmatch(text):
        return parse_time(f"{match[3]}-{match[1]}-{match[2]} {match[4]}", UTC)
    return parse_time(text, zone)
