"""Typed access to members of JSON objects, with a message if one is missing or of another type."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Generic, TypeVar

from jurydesk.core.language import fill, join_messages, translatable
from jurydesk.core.model.evaluation import Json

T = TypeVar("T")
KINDS = {
    bool: translatable("true or false"),
    dict: translatable("an object"),
    float: translatable("a fraction"),
    int: translatable("a whole number"),
    list: translatable("a list"),
    str: translatable("text"),
}


@dataclass(frozen=True, slots=True)
class AttributeMismatch:
    """Missing attribute or attribute of another type, in sentences for the user."""

    found: str
    expected: str


@dataclass(frozen=True, slots=True)
class Attribute(Generic[T]):
    """Required member of an object; `parse` returns None for a value of another type."""

    name: str
    expected: str
    parse: Callable[[Json], T | None]

    def of(self, holder: dict[str, Json]) -> T | AttributeMismatch:
        """Return the attribute's value, or the mismatch."""
        raw = holder.get(self.name)
        if raw is None:
            return self._missing_mismatch(holder)
        value = self.parse(raw)
        return (
            AttributeMismatch(
                fill('"{name}" is {type}.', self.name, json_type_name(raw)), self.expected
            )
            if value is None
            else value
        )

    def _missing_mismatch(self, holder: dict[str, Json]) -> AttributeMismatch:
        if self.name in holder:
            return AttributeMismatch(fill('"{name}" is null.', self.name), self.expected)
        meant = get_close_matches(self.name, holder, n=1)
        found = fill('"{name}" is missing.', self.name)
        if meant:
            found = join_messages([found, fill('Is "{meant}" meant?', meant[0])])
        return AttributeMismatch(found, self.expected)


def json_type_name(value: Json) -> str:
    """Return the type of a JSON value in words, with the types of a list's elements."""
    if isinstance(value, list) and value:
        return _list_name(*dict.fromkeys(map(_scalar_type_name, value)))
    return _scalar_type_name(value)


def _list_name(phrase: str, *others: str) -> str:
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


def _scalar_type_name(value: Json) -> str:
    return "null" if value is None else KINDS[type(value)]


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
    """Return a whole number, also from text; None for anything else."""
    if isinstance(value, str) and value.isdecimal() and len(value) < 10:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
