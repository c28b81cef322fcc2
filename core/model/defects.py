"""Defects of users' files: severity, place, finding and hint."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from jurydesk.core.system.paths import distinct_names

T = TypeVar("T")
_LINE_ENDS = re.compile(r"[\n\r\t\v\f\x1c-\x1e\x85\u2028\u2029]")


class Severity(StrEnum):
    """Severity of a defect: an error stops scoring, a warning or a note does not."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Place:
    """Location of a defect: a file with a line and column, or with a JSON path."""

    path: str
    line: int | None = None
    column: int | None = None
    json_path: str | None = None

    @property
    def name(self) -> str:
        """Name of the file without its folder."""
        return self.path.replace("\\", "/").rsplit("/", 1)[-1]

    def format(self, name: str) -> str:
        """Return the place as text, with `name` for the file; line ends in it are escaped."""
        name = escape_line_ends(name)
        if self.line is not None:
            where = f"{name}, line {self.line}"
            return f"{where}, column {self.column}" if self.column is not None else where
        return f"{name}, {self.json_path}" if self.json_path else name

    def __str__(self) -> str:
        return self.format(self.name)


@dataclass(frozen=True, slots=True)
class Defect:
    """One problem at one place of a user's file.

    `found` says what is wrong, `expected` what is right, and `hint` what to do; each is a full
    sentence or empty. `count` is the number of occurrences, of which `place` is the first.
    `repair` names a repair that is safe to apply, if there is one.
    """

    severity: Severity
    place: Place
    found: str
    expected: str = ""
    hint: str = ""
    count: int = 1
    repair: str | None = None

    def format(self, name: str) -> str:
        """Return the defect as one or two lines of text, with `name` for its file."""
        advice = " ".join(part for part in (self.expected, self.hint) if part)
        head = f"{self.severity}  {self.place.format(name)}: {self.found}"
        return f"{head}\n       {advice}" if advice else head

    def __str__(self) -> str:
        return self.format(self.place.name)


def escape_line_ends(name: str) -> str:
    """Return a name of one line: line ends and tabs are escaped."""
    return _LINE_ENDS.sub(lambda match: repr(match[0])[1:-1], name)


def error(place: Place, found: str, expected: str = "", hint: str = "") -> Defect:
    """Return a defect that makes scoring impossible or meaningless."""
    return Defect(Severity.ERROR, place, found, expected, hint)


def warning(
    place: Place, found: str, expected: str = "", hint: str = "", *, count: int = 1
) -> Defect:
    """Return a defect that does not prevent scoring but that the user should know of."""
    return Defect(Severity.WARNING, place, found, expected, hint, count)


def note(place: Place, found: str, hint: str = "", *, count: int = 1) -> Defect:
    """Return information that is not a fault."""
    return Defect(Severity.NOTE, place, found, "", hint, count)


def format_defects(defects: Sequence[Defect]) -> list[str]:
    """Return the defects as text; files of the same name are distinguished by their folders."""
    names = distinct_names({defect.place.path for defect in defects})
    return [defect.format(names[defect.place.path]) for defect in defects]


def has_errors(defects: Iterable[Defect]) -> bool:
    """Return whether any of the defects prevents scoring."""
    return any(defect.severity is Severity.ERROR for defect in defects)


def name_list(names: Sequence[str], shown: int = 3) -> str:
    """Return the first names and the number of others: `cv4, cv9, cv11 and 9 more`."""
    head = ", ".join(names[:shown])
    return head if len(names) <= shown else f"{head} and {len(names) - shown:,} more"


def counted(count: int, noun: str, plural: str = "") -> str:
    """Return a count with its noun: `1 story`, `1,938 sequences`."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


@dataclass(frozen=True, slots=True, eq=False)
class Reading(Generic[T]):
    """Result of a reader: the data (None after errors) and the defects."""

    data: T | None
    defects: tuple[Defect, ...]
    name: str = ""
    """Name of the system in the file, if any."""
    about: str = ""
