"""Titles of a form's questions: which item, system and statement each is about."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

SEPARATORS = re.compile(r"(?<!\s)\s+[|/–—-]\s+|(?:(?<!\s)\s+)?[|:]\s+")
_GRID = re.compile(r"(?P<title>.*?)\s*\[(?P<row>[^\[\]]*)\]\s*")
FORM_PLACE = re.compile(r"\{(item|system|statement)\}")


@dataclass(frozen=True, slots=True)
class QuestionTitle:
    """A column of a form, with the item, system and statement of its question."""

    column: str
    item: str
    system: str
    statement: str


def split_titles(
    columns: Sequence[str], form: str, known: Mapping[str, Collection[str]]
) -> list[QuestionTitle]:
    """Return what each question is about.

    With a `form` such as `{item} by {system}: {statement}` columns that do not fit are left out.
    Otherwise the parts of a title are known systems and items, and the rest is the statement; a
    grid's row is the last part.
    """
    if form:
        return list(_by_form(columns, form))
    return [_by_parts(column, known) for column in columns]


def _by_form(columns: Sequence[str], form: str) -> Iterator[QuestionTitle]:
    pattern, end, seen = "", 0, set()
    for place in FORM_PLACE.finditer(form):
        pattern += re.escape(form[end : place.start()])
        pattern += f"(?P={place[1]})" if place[1] in seen else f"(?P<{place[1]}>.+?)"
        seen.add(place[1])
        end = place.end()
    compiled = re.compile(pattern + re.escape(form[end:]))
    for column in columns:
        match = compiled.fullmatch(column.strip())
        if match is not None:
            found = {name: text.strip() for name, text in match.groupdict().items()}
            item, statement = found.get("item", column), found.get("statement", "rating")
            yield QuestionTitle(column, item, found.get("system", ""), statement)


def _by_parts(column: str, known: Mapping[str, Collection[str]]) -> QuestionTitle:
    grid = _GRID.fullmatch(column)
    title, row = (grid["title"], grid["row"]) if grid else (column, "")
    parts = [part.strip() for part in SEPARATORS.split(title) if part.strip()]
    parts += [row.strip()] if row.strip() else []
    system = next((part for part in parts if part in known.get("systems", ())), "")
    rest = [part for part in parts if part != system]
    item = next((part for part in rest if part in known.get("items", ())), "")
    if not item:
        item = rest[0] if rest else column
    statement = " ".join(part for part in rest if part != item)
    return QuestionTitle(column, item, system, statement or "rating")
