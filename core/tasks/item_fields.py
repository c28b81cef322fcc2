"""Members of references that divide the items into slices: of images, albums and questions."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from functools import partial
from typing import TypeVar

from jurydesk.core.model.evaluation import Json
from jurydesk.core.model.evidence_columns import EvidenceColumn, EvidenceRow
from jurydesk.core.model.json_text import parse_json

Key = TypeVar("Key", bound=Hashable)
Fields = tuple[tuple[str, str], ...]
"""Names and texts of members."""
FIELDS = "fields"
"""Name of the evidence column, and of the attribute of an item's evidence."""
LONGEST = 200
"""Characters of a member that names a slice."""
RARE = 50
"""A member of fewer than one in so many items is no column."""


def short_members(entry: Mapping[str, Json], without: Collection[str]) -> Fields:
    """Return the texts, numbers and lists of texts of an object, but for those named `without`."""
    texts = ((name, _text(entry[name])) for name in entry if name and name not in without)
    return tuple((name, text) for name, text in texts if text and len(text) <= LONGEST)


def _text(value: Json) -> str:
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return ", ".join(map(str, value))
    return str(value) if isinstance(value, str | int | float) else ""


def with_equal_names(fields: Mapping[Key, Fields]) -> dict[Key, Fields]:
    """Return the members with every name that at least a fiftieth of the items have.

    The limit bounds the size; an item without a member has an empty text.
    """
    times = Counter(name for one in fields.values() for name, _ in one)
    names = [name for name, count in times.items() if count * RARE >= len(fields)]
    if not names:
        return dict.fromkeys(fields, ())
    texts = {key: dict(one) for key, one in fields.items()}
    return {key: tuple((name, held.get(name, "")) for name in names) for key, held in texts.items()}


def fields_column(fields: Sequence[Fields]) -> dict[str, EvidenceColumn]:
    """Return the members of all items as a column of evidence; none if no item has any."""
    if not any(fields):
        return {}
    return {FIELDS: EvidenceColumn.texts([json.dumps(dict(one)) for one in fields])}


def fields_of_row(row: EvidenceRow) -> dict[str, str]:
    """Return the members in an item's evidence; a desk is a stranger's file."""
    try:
        held = parse_json(row.get(FIELDS, "") or "{}")
    except ValueError:
        return {}
    members = held.items() if isinstance(held, dict) else ()
    return {name: value for name, value in members if isinstance(value, str)}


def field_attributes(
    shown: Callable[[], Iterable[object]],
) -> dict[str, Callable[[], Sequence[str]]]:
    """Return an attribute for each member of the first evidence; all have the same names."""

    def values(name: str) -> list[str]:
        return [getattr(one, FIELDS, {}).get(name, "") for one in shown()]

    names = getattr(next(iter(shown()), None), FIELDS, {})
    return {name: partial(values, name) for name in names}
