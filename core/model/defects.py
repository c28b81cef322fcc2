"""Defects of users' files: severity, place, finding and hint."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Generic, TypeVar

from jurydesk.core.language.message import fill, join_messages, translatable
from jurydesk.core.system.paths import distinct_names

T = TypeVar("T")
_LINE_ENDS = re.compile(r"[\n\r\t\v\f\x1c-\x1e\x85\u2028\u2029]")


class Severity(StrEnum):
    """Severity of a defect: an error stops scoring, a warning or a note does not."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


WORDS = {
    Severity.ERROR: translatable("error"),
    Severity.WARNING: translatable("warning"),
    Severity.NOTE: translatable("note"),
}


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
        if self.line is None:
            return fill("{name}, {path}", name, self.json_path) if self.json_path else name
        if self.column is None:
            return fill("{name}, line {line}", name, self.line)
        return fill("{name}, line {line}, column {column}", name, self.line, self.column)

    def __str__(self) -> str:
        return self.format(self.name)


@dataclass(frozen=True, slots=True)
class Transformation:
    """Conversion after which the boxes of a file would fit: how to read them, and their scale.

    `factor` is that of the file's coordinates against the expected ones, for the scale `factor`.
    """

    convention: str
    scale: str
    factor: float | None = None


@dataclass(frozen=True, slots=True)
class Defect:
    """One problem at one place of a user's file.

    `found` says what is wrong, `expected` what is right, and `hint` what to do, or why if it is a
    `Reason`; each is a full sentence or empty. `count` is the number of occurrences, of which
    `place` is the first. `repair` names a repair that is safe to apply, if there is one, and
    `transformation` what boxes in another frame need.
    """

    severity: Severity
    place: Place
    found: str
    expected: str = ""
    hint: str = ""
    count: int = 1
    repair: str | None = None
    transformation: Transformation | None = field(default=None, compare=False)

    def format(self, name: str) -> str:
        """Return the defect as one or two lines of text, with `name` for its file."""
        head = fill(
            "{severity}  {place}: {found}",
            translatable(WORDS[self.severity]),
            self.place.format(name),
            translatable(self.found),
        )
        advice = join_messages([self.expected, self.hint])
        return fill("{head}\n       {advice}", head, advice) if advice else head

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


@dataclass(frozen=True, slots=True, eq=False)
class Reading(Generic[T]):
    """Result of a reader: the data (None after errors) and the defects."""

    data: T | None
    defects: tuple[Defect, ...]
    name: str = ""
    """Name of the system in the file, if any."""
    about: str = ""
    systems: tuple[Reading[T], ...] = ()
    """Readings of the systems, each with its name, of a file that holds several; their defects are
    those of the systems alone, and `data` is None."""
