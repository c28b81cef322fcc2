"""What is wrong with a user's file, said so that the user can mend it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from jurydesk.core.system.paths import distinct_names

_LINE_ENDS = re.compile(r"[\n\r\t\v\f\x1c-\x1e\x85\u2028\u2029]")


class Severity(StrEnum):
    """How much a defect matters: an error stops scoring, a warning or a note does not."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a defect was found: a file with a line, or with a path into its JSON."""

    path: str
    line: int | None = None
    column: int | None = None
    json_path: str | None = None

    @property
    def name(self) -> str:
        """The file's own name."""
        return self.path.replace("\\", "/").rsplit("/", 1)[-1]

    def said(self, name: str) -> str:
        """The place in words, with this name for the file; it may hold line ends, as any name."""
        name = _LINE_ENDS.sub(lambda found: repr(found[0])[1:-1], name)
        if self.line is not None:
            where = f"{name}, line {self.line}"
            return f"{where}, column {self.column}" if self.column is not None else where
        return f"{name}, {self.json_path}" if self.json_path else name

    def __str__(self) -> str:
        return self.said(self.name)


@dataclass(frozen=True, slots=True)
class Defect:
    """One thing wrong with one place of a user's file.

    `found` is what stands there, `expected` what should, `hint` what to do about it; each is a
    full sentence or empty. `count` says how often the same thing was found (the place is the
    first). `repair` names a repair that is safe to apply, where there is one.
    """

    severity: Severity
    place: Place
    found: str
    expected: str = ""
    hint: str = ""
    count: int = 1
    repair: str | None = None

    def said(self, name: str) -> str:
        """Return the defect in one or two lines, with this name for its file."""
        advice = " ".join(part for part in (self.expected, self.hint) if part)
        head = f"{self.severity}  {self.place.said(name)}: {self.found}"
        return f"{head}\n       {advice}" if advice else head

    def __str__(self) -> str:
        return self.said(self.place.name)

    def to_json(self) -> dict[str, Any]:
        """Return the defect as plain JSON values; `from_json` reads it back."""
        return {**asdict(self), "severity": str(self.severity)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Defect:
        """Return the defect that `to_json` wrote."""
        place = Place(**data["place"])
        return cls(**{**data, "severity": Severity(data["severity"]), "place": place})


def error(place: Place, found: str, expected: str = "", hint: str = "") -> Defect:
    """Return a defect that makes the number impossible or meaningless."""
    return Defect(Severity.ERROR, place, found, expected, hint)


def warning(
    place: Place, found: str, expected: str = "", hint: str = "", *, count: int = 1
) -> Defect:
    """Return a defect that is scored all the same, and that the user should know of."""
    return Defect(Severity.WARNING, place, found, expected, hint, count)


def note(place: Place, found: str, hint: str = "", *, count: int = 1) -> Defect:
    """Something worth knowing that is no fault."""
    return Defect(Severity.NOTE, place, found, "", hint, count)


def format_defects(defects: Sequence[Defect]) -> list[str]:
    """Return the defects as text; files of the same name are told apart by their folders."""
    names = distinct_names({defect.place.path for defect in defects})
    return [defect.said(names[defect.place.path]) for defect in defects]


def has_errors(defects: Iterable[Defect]) -> bool:
    """Return whether scoring must be refused."""
    return any(defect.severity is Severity.ERROR for defect in defects)


def name_list(names: Sequence[str], shown: int = 3) -> str:
    """Return the first few of many names, for a sentence: `cv4, cv9, cv11 and 9 more`."""
    head = ", ".join(names[:shown])
    return head if len(names) <= shown else f"{head} and {len(names) - shown:,} more"


def counted(count: int, noun: str, plural: str = "") -> str:
    """Return a count and its noun, for a sentence: `1 story`, `1,938 sequences`."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"
