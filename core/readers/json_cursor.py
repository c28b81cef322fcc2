"""Cursor in a JSON file: a value, its path, and the defects found there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Generic, TypeVar

from jurydesk.core.language import fill, join_messages, name_list, translatable
from jurydesk.core.model.defects import Defect, Place, error, note, warning
from jurydesk.core.model.evaluation import Json
from jurydesk.core.readers.bounded_defects import BoundedDefects
from jurydesk.core.readers.json_file import JsonFile

T = TypeVar("T")
KINDS = {
    bool: translatable("true or false"),
    dict: translatable("an object"),
    float: translatable("a fraction"),
    int: translatable("a whole number"),
    list: translatable("a list"),
    str: translatable("text"),
    type(None): "null",
}
SHOWN_CHARACTERS = 40
MAX_FRACTION = 2**53
"""Largest float up to which all whole numbers are floats."""


@dataclass(frozen=True, slots=True)
class Attribute(Generic[T]):
    """Required member of an object; `parse` returns None for a value of another type."""

    name: str
    expected: str
    parse: Callable[[Json], T | None]

    def of(self, holder: dict[str, Json]) -> T | None:
        """Return the attribute's value; None if it is missing or invalid."""
        return self.parse(holder.get(self.name))


@dataclass(slots=True, eq=False)
class JsonCursor:
    """Value of a JSON file with its path, which reports what is wrong with it.

    Readers look at the values of a long list directly, and move a cursor to an invalid one.

    Attributes:
        file: File, which knows the lines of the elements of its top-level lists.
        defects: Defects of the file, shared by all its cursors.
        value: Value at the cursor; None if there is none.
        path: JSON path of the value, empty for the whole file.
        key, index: Top-level member that contains the value, and the index of its element.
    """

    file: JsonFile
    defects: BoundedDefects
    value: Json
    path: str = ""
    key: str = ""
    index: int | None = None

    @classmethod
    def of(cls, file: JsonFile) -> JsonCursor:
        """Return a cursor at the whole value of a file, with the file's defects."""
        return cls(file, BoundedDefects(file.defects), file.data)

    def __getitem__(self, step: str | int) -> JsonCursor:
        """Return a cursor at a member of this object, or at an element of this list."""
        if isinstance(step, int):
            path = f"{self.path}[{step}]"
            index = step if self.path == self.key else self.index
            return JsonCursor(self.file, self.defects, self.value[step], path, self.key, index)
        value = self.value.get(step) if isinstance(self.value, dict) else None
        path, key = (f"{self.path}.{step}", self.key) if self.path else (step, step)
        return JsonCursor(self.file, self.defects, value, path, key, self.index)

    def at(self, path: str, value: Json = None) -> JsonCursor:
        """Return a cursor at another path, whose place has no line."""
        return JsonCursor(self.file, self.defects, value, path)

    @property
    def place(self) -> Place:
        """Place of the value, with the line of the element that contains it."""
        line = None
        if self.key and self.index is not None:
            line = self.file.line(self.key, self.index)
        return Place(str(self.file.path), line=line, json_path=self.path or None)

    def fault(self, found: str, expected: str = "", hint: str = "") -> Defect:
        """Return an error at this value without reporting it."""
        return error(self.place, found, expected, hint)

    def error(self, found: str, expected: str = "", hint: str = "") -> None:
        """Report an error at this value."""
        self.defects.append(self.fault(found, expected, hint))

    def warning(self, found: str, expected: str = "", hint: str = "", *, count: int = 1) -> None:
        """Report a warning at this value."""
        self.defects.append(warning(self.place, found, expected, hint, count=count))

    def note(self, found: str, hint: str = "", *, count: int = 1) -> None:
        """Report information about this value."""
        self.defects.append(note(self.place, found, hint, count=count))

    def top_list(self, attribute: Attribute[list[Json]], expected: str) -> JsonCursor | None:
        """Return a cursor at a list of the file's object; report an error if there is none."""
        if not isinstance(self.value, dict):
            self.error(fill("The file holds {type}.", describe_value(self.value)), expected)
            return None
        if self.value and attribute.name not in self.value:
            self.report_missing(attribute.name, attribute.expected)
            return None
        return None if self.read(attribute) is None else self[attribute.name]

    def report_missing(self, name: str, expected: str) -> None:
        """Report a member that this object lacks, with those that it has instead."""
        found = self.describe_fault(name)
        if not get_close_matches(name, self.value, n=1):
            has = name_list([f'"{one[:SHOWN_CHARACTERS]}"' for one in self.value])
            found = join_messages([found, fill("Its members are {names}.", has)])
        self[name].error(found, expected)

    def read(self, attribute: Attribute[T]) -> T | None:
        """Return a member of this object; report an error and return None if it is invalid."""
        if not isinstance(self.value, dict):
            found = fill("The element is {type}.", describe_value(self.value))
            self.error(found, "An object is expected.")
            return None
        value = attribute.of(self.value)
        if value is None:
            self.report_invalid(attribute)
        return value

    def report_invalid(self, *attributes: Attribute[Any], phrase: str = "") -> None:
        """Report the invalid ones among the members of this object, named by `phrase`."""
        for attribute in attributes:
            if attribute.of(self.value) is None:
                fault = self.describe_fault(attribute.name)
                found = fill("{phrase}: {fault}", phrase, fault) if phrase else fault
                self[attribute.name].error(found, attribute.expected)

    def describe_fault(self, name: str) -> str:
        """Describe why a member of this object is invalid."""
        if name in self.value:
            return fill('"{name}" is {type}.', name, describe_value(self.value[name]))
        found = fill('"{name}" is missing.', name)
        for meant in get_close_matches(name, self.value, n=1):
            return join_messages([found, fill('Is "{meant}" meant?', meant)])
        return found


def describe_value(value: Json, *known: type) -> str:
    """Describe a JSON value in a few words: a scalar by type and value, a list by its types.

    A value of one of the types `known`, which only its size makes invalid, is written as it is.
    """
    if type(value) in known:
        return _shorten(str(value))
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            number = _shorten(str(value))
            return fill("the number {value}", number)
        case str():
            return fill('the text "{shown}"', _shorten(value))
        case [_, *_]:
            return _describe_list(*dict.fromkeys(map(_kind, value)))
    return _kind(value)


def _kind(value: Json) -> str:
    """Return the kind of a value; what replaced an object while it was parsed is one."""
    return KINDS.get(type(value), KINDS[dict])


def _shorten(text: str) -> str:
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[:SHOWN_CHARACTERS]}…"


def _describe_list(phrase: str, *others: str) -> str:
    if not others:
        return fill("a list of {phrase}", phrase)
    second_phrase, *more = others
    if not more:
        return fill("a list of {phrase} and {second_phrase}", phrase, second_phrase)
    third_phrase = join_messages(more, " and ")
    return fill(
        "a list of {phrase} and {second_phrase} and {third_phrase}",
        phrase,
        second_phrase,
        third_phrase,
    )


def parse_id(value: Json) -> str | None:
    """Return an id (text or a whole number) as text; None for anything else."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return parse_text(value)


def parse_ids(value: Json) -> tuple[str, ...] | None:
    """Return a list of ids; None for anything else."""
    if not isinstance(value, list):
        return None
    ids = tuple(parsed for entry in value if (parsed := parse_id(entry)) is not None)
    return ids if len(ids) == len(value) else None


def parse_list(value: Json) -> list[Json] | None:
    """Return a list; None for anything else."""
    return value if isinstance(value, list) else None


def parse_text(value: Json) -> str | None:
    """Return text; None for anything else."""
    return value if isinstance(value, str) else None


def parse_whole_number(value: Json) -> int | None:
    """Return a whole number, also from its digits as text or as a fraction; otherwise None."""
    if isinstance(value, str):
        return int(value) if value.isascii() and value.isdecimal() and len(value) < 10 else None
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) <= MAX_FRACTION else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None
