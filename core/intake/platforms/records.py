"""Files of a download with their places, and the tables among them."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from jurydesk.core.intake.deadlines import TimeError, parse_time
from jurydesk.core.intake.received_list import column_title, list_delimiter
from jurydesk.core.language import fill, name_list
from jurydesk.core.model.defects import Defect, Place, error, warning
from jurydesk.core.model.evaluation import Json
from jurydesk.core.model.input_file import Parts
from jurydesk.core.model.platform_entry import PlatformEntry
from jurydesk.core.readers.text_file import read_text

MAX_TABLE_BYTES = 64 << 20
MAX_CELL = 16 << 20
"""Characters of one cell: grand-challenge writes all metrics of an evaluation into one."""
TABLES = (".csv", ".json")
RESULTS = ("Username",)
"""First title of Codabench's results, which alone are in an archive of their own.

An archive in a folder may be a participant's: no other table in it is believed.
"""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RecordTable:
    """Rows of a CSV file by the titles of its first line."""

    place: Parts
    path: Path
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def has(self, *titles: str) -> bool:
        """Return whether the table has all of these columns."""
        known = set(map(column_title, self.header))
        return known.issuperset(map(column_title, titles))

    def records(self) -> Iterator[Mapping[str, str]]:
        """Yield each row by the titles as they are compared; missing cells are empty."""
        titles = [column_title(cell) for cell in self.header]
        for row in self.rows:
            yield dict.fromkeys(titles, "") | dict(zip(titles, row, strict=False))


@dataclass(slots=True)
class Download:
    """What the files of one platform say together.

    `places` leads from the place of a file, or of an archive with all files in it, to the id of its
    entry. `records` are the files that the platform wrote, which are no submissions. `missing` are
    the names that it failed to deliver, `without_file` the ids known from a table alone,
    `odd_times` the times that could not be read, and `moved` the ids with several exact times.
    """

    platform: str
    entries: dict[str, PlatformEntry] = field(default_factory=dict)
    places: dict[Parts, str] = field(default_factory=dict)
    records: set[Path] = field(default_factory=set)
    missing: list[str] = field(default_factory=list)
    jobs: list[Json] = field(default_factory=list)
    defects: list[Defect] = field(default_factory=list)
    failed: set[str] = field(default_factory=set)
    odd_times: list[str] = field(default_factory=list)
    moved: set[str] = field(default_factory=set)

    def time(self, text: str) -> datetime | None:
        """Return a time in UTC; keep a text that is none."""
        found = utc_time(text)
        if text.strip() and found is None:
            self.odd_times.append(text.strip())
        return found

    @property
    def without_file(self) -> list[str]:
        """Ids that only a table knows."""
        given = {*self.places.values(), *self.failed}
        return [key for key in self.entries if key not in given]

    def update(self, key: str, **values: object) -> None:
        """Set what is known of an entry; what is empty changes nothing."""
        known = self.entries.get(key) or PlatformEntry(self.platform, key)
        news = {name: value for name, value in values.items() if value not in ("", None, {})}
        if (
            known.received_known == "exact"
            and news.get("received", known.received) != known.received
        ):
            self.moved.add(key)
        for name in ("server", "full", "details"):
            if name in news:
                news[name] = {**getattr(known, name), **news[name]}  # type: ignore[dict-item]
        self.entries[key] = replace(known, **news)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class DownloadFiles:
    """Files below what was given, each with its place: names from the top folder on.

    `archives` are the places of archives, those that could not be unpacked included, and `given`
    those of what was given, which `local` places begin with. `tables` and
    `documents` (JSON) are the readable ones that no participant can have written: those that were
    given, and those directly in what was given.
    """

    files: Mapping[Parts, Path]
    archives: frozenset[Parts]
    given: frozenset[Parts]
    tables: tuple[RecordTable, ...]
    documents: tuple[tuple[Parts, Path, Json], ...]
    defects: tuple[Defect, ...] = ()
    _below: dict[Parts, list[Parts]] = field(default_factory=dict)
    _members: dict[Parts, set[str]] = field(default_factory=dict)

    @classmethod
    def of(
        cls, files: Mapping[Parts, Path], archives: frozenset[Parts], given: frozenset[Parts]
    ) -> DownloadFiles:
        """Read the tables among files."""
        tables: list[RecordTable] = []
        documents: list[tuple[Parts, Path, Json]] = []
        defects: list[Defect] = []
        found = cls(files, archives, given, (), ())
        for place, path in files.items():
            if path.suffix.lower() not in TABLES or not found.is_outer(place):
                continue
            is_near = len(found.local(place)) < 3
            read = read_text(path, limit=MAX_TABLE_BYTES, damaged="replace")
            text = read.data or ""
            defects += read.defects
            if path.suffix.lower() == ".csv":
                try:
                    table = read_table(place, path, text)
                    if table and (is_near or table.header[:1] == RESULTS):
                        tables.append(table)
                except csv.Error as problem:
                    text = fill("The table is damaged: {problem}.", problem)
                    defects.append(error(Place(str(path)), text))
            elif is_near and (content := read_json(text)) is not None:
                documents.append((place, path, content))
        return replace(
            found, tables=tuple(tables), documents=tuple(documents), defects=tuple(defects)
        )

    def below(self, place: Parts) -> Sequence[Parts]:
        """Return the places of all files at or below a place."""
        if not self._below:
            for one in self.files:
                for end in range(1, len(one) + 1):
                    self._below.setdefault(one[:end], []).append(one)
        return self._below.get(place, ())

    def members_of(self, place: Parts) -> frozenset[str]:
        """Return the names directly in a folder or an archive."""
        if not self._members:
            for one in (*self.files, *self.archives):
                for end in range(1, len(one)):
                    self._members.setdefault(one[:end], set()).add(one[end])
        return frozenset(self._members.get(place, ()))

    def names(self) -> Iterator[tuple[Parts, str]]:
        """Yield every place of a file or an archive on the way to it, with its last name, once.

        The folders above what was given are left out.
        """
        seen: dict[Parts, None] = {}
        for place in (*self.archives, *self.files):
            for end in range(len(place), len(place) - len(self.local(place)), -1):
                if place[:end] in seen:
                    break
                seen[place[:end]] = None
        for place in sorted(seen, key=lambda one: (len(self.local(one)), one)):
            yield place, place[-1]

    def local(self, place: Parts) -> Parts:
        """Return a place from what was given on."""
        for end in range(1, len(place) + 1):
            if place[:end] in self.given:
                return place[end - 1 :]
        return place

    def is_outer(self, place: Parts) -> bool:
        """Return whether a file was given, is in what was given, or in an archive in a folder."""
        depth = len(self.local(place))
        return depth <= 2 or (
            depth == 3 and place[:-1] in self.archives and place[:-2] not in self.archives
        )


def read_table(place: Parts, path: Path, text: str) -> RecordTable | None:
    """Read a CSV file; None if it is empty. Raises csv.Error."""
    before = csv.field_size_limit(MAX_CELL)
    try:
        given = csv.reader(io.StringIO(text, newline=""), delimiter=list_delimiter(text))
        rows = [tuple(row) for row in given if any(row)]
    finally:
        csv.field_size_limit(before)
    return RecordTable(place, path, rows[0], tuple(rows[1:])) if rows else None


class NumberText(str):
    """Number of a JSON file, as it is written."""

    __slots__ = ()


def read_json(text: str) -> Json:
    """Read JSON whose numbers stay as they are written; None if it is damaged."""
    try:
        return json.loads(
            text, parse_float=NumberText, parse_int=NumberText, parse_constant=NumberText
        )
    except (ValueError, RecursionError):
        return None


def number_leaves(value: Json, name: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    """Yield the numbers of nested JSON, with their names joined by dots."""
    if isinstance(value, NumberText):
        yield name, str(value)
    elif isinstance(value, dict) and depth < 8:
        for key, one in value.items():
            yield from number_leaves(one, f"{name}.{key}" if name else str(key), depth + 1)
    elif isinstance(value, list) and depth < 8:
        for number, one in enumerate(value[:1000]):
            inner = name if len(value) == 1 else f"{name}.{number}" if name else str(number)
            yield from number_leaves(one, inner, depth + 1)


def beginning(path: Path, size: int) -> str:
    """Return the text of a file's first bytes; what is not UTF-8 is replaced."""
    with path.open("rb") as file:
        return file.read(size).decode("utf-8-sig", "replace")


def utc_time(text: str) -> datetime | None:
    """Return a time in UTC, which is also the zone of one without; None if it is none."""
    text = text.strip()
    if match := re.fullmatch(r"(\d\d)/(\d\d)/(\d{4}) (\d\d:\d\d:\d\d)", text):
        text = f"{match[3]}-{match[1]}-{match[2]} {match[4]}"  # EvalAI: month first
    try:
        return parse_time(text, UTC) if text else None
    except TimeError:
        return None


def lacking_columns(table: RecordTable, wanted: Sequence[str]) -> Iterator[Defect]:
    """Yield a warning if a table lacks columns."""
    lacking = [title for title in wanted if not table.has(title)]
    if lacking:
        found = fill("The table has no column {titles}.", name_list(lacking, 6))
        yield warning(Place(str(table.path)), found, "What it would say stays unknown.")


def without_copy_number(name: str) -> str:
    """Return a file's name without the number that browsers add to a second download."""
    return re.sub(r" \(\d{1,3}\)(?=(?:\.[^./ ]+)*$)", "", name)


def last_part(address: str) -> str:
    """Return the last part of an address, without its query."""
    return re.split(r"[?#]", address.strip())[0].rstrip("/").rpartition("/")[2]
