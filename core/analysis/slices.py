"""Slices: subsets of items by their attributes.

A slice has the same items for all systems. A column that differs between systems is averaged:
`ap < 0.2` selects items that are hard for all systems, not for one.
"""

from __future__ import annotations

import difflib
import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from jurydesk.core.analysis.item_attributes import ItemAttributes
from jurydesk.core.analysis.item_query import (
    free_words,
    match_rows,
    parse_conditions,
    unmatched_conditions,
)
from jurydesk.core.language import Message, counted, fill, join_messages, name_list
from jurydesk.core.model.decoding import whole_number
from jurydesk.core.model.evaluation import BoolArray, FloatArray, UsageError

MAX_GROUPS = 24
MAX_VALUES = 8
"""A number column with more distinct values is split at its quartiles."""


@dataclass(frozen=True, slots=True)
class ItemSlice:
    """Subset of the items (or of units) by id, with a title.

    The title is the query, or one of the titles of `slices_by_column` for `column`. `others` are
    the other slices of the column, whose claims hold together with those of this one.
    """

    title: str
    ids: frozenset[str]
    noun: tuple[str, str]
    column: str = ""
    others: tuple[ItemSlice, ...] = ()

    @property
    def size(self) -> str:
        """Number of items, such as `412 queries`."""
        return counted(len(self.ids), *self.noun)


def slice_by_query(attributes: ItemAttributes, query: str) -> ItemSlice:
    """Select the items that match a query; raise UsageError for an unknown column or no match."""
    names = {name.casefold(): name for name in attributes.names}
    used = [names[_require_column(one.name, names, query)] for one in parse_conditions(query)]
    columns = {name.casefold(): attributes.number(name) for name in used}
    text_columns = {name.casefold(): attributes.text(name) for name in ("id", *used)}
    if free_words(query):
        text_columns[""] = attributes.explanations()
    numbers = {name: column for name, column in columns.items() if column is not None}
    texts = {
        name: _fold_case(column) for name, column in text_columns.items() if column is not None
    }
    found = match_rows(query, len(attributes.ids), numbers, texts)
    if found is None:
        raise UsageError("A slice needs a query, such as a word or NAME < NUMBER.")
    if not found.any():
        unmatched = unmatched_conditions(query, numbers, texts)
        hint = _condition_hint(unmatched)
        found_none = fill("No {noun} matches “{query}”.", Message(attributes.noun[0]), query)
        raise UsageError(join_messages([found_none, hint]))
    return _slice(attributes, found, " ".join(query.split()))


def find_slice(attributes: ItemAttributes, title: str, column: str) -> ItemSlice:
    """Return the slice of a title and column (empty for a query).

    Raises UsageError if the items have no such slice.
    """
    if not column:
        return slice_by_query(attributes, title)
    for one in slices_by_column(attributes, column):
        if one.title == title:
            return one
    raise UsageError(
        fill("There is no slice “{title}” by the column {column}.", Message(title), column)
    )


def _fold_case(texts: Sequence[str]) -> list[str]:
    return [text.casefold() for text in texts]


def _condition_hint(unmatched: Sequence[str]) -> str:
    """Explain the form of a condition, if a part of the query looks like one."""
    if not unmatched:
        return ""
    return fill(
        "“{unmatched}” is not a condition and was searched for as text. A condition is "
        "NAME < NUMBER (or <=, >, >=, =, !=) or NAME = TEXT (or !=).",
        unmatched[0],
    )


def _require_column(name: str, names: dict[str, str], query: str) -> str:
    """Return the name; raise UsageError with suggestions if there is no such column."""
    if name in names:
        return name
    similar = difflib.get_close_matches(name, names, n=1)
    known = name_list(list(names.values()), 12)
    advice = (
        fill("Did you mean {names}?", names[similar[0]])
        if similar
        else fill("Available: {names}.", known)
    )
    raise UsageError(
        fill('There is no column "{name}" in “{query}”. {advice}', name, query, advice)
    )


def _slice(
    attributes: ItemAttributes, chosen: BoolArray, title: str, column: str = ""
) -> ItemSlice:
    ids = frozenset(attributes.ids[row] for row in np.flatnonzero(chosen).tolist())
    return ItemSlice(title, ids, attributes.noun, column)


def slices_by_column(attributes: ItemAttributes, name: str) -> list[ItemSlice]:
    """Return a slice per value of a column, or per quartile of a number column.

    Raises UsageError if there is no such column, or if its texts are too many.
    """
    names = {known.casefold(): known for known in attributes.names}
    name = names[_require_column(name.casefold(), names, name)]
    texts = attributes.text(name)
    if texts is not None:
        return _with_others(_slices_by_text(attributes, name, texts))
    values = attributes.number(name)
    if values is None or not np.isfinite(values).any():
        raise UsageError(
            fill("{name} is undefined for every {noun}.", name, Message(attributes.noun[0]))
        )
    return _with_others(_slices_by_number(attributes, name, values))


def _with_others(slices: Sequence[ItemSlice]) -> list[ItemSlice]:
    return [
        replace(one, others=(*slices[:number], *slices[number + 1 :]))
        for number, one in enumerate(slices)
    ]


def _slices_by_text(attributes: ItemAttributes, name: str, texts: Sequence[str]) -> list[ItemSlice]:
    counts = Counter(text for text in texts if text)
    if len(counts) > MAX_GROUPS:
        raise UsageError(
            fill(
                "{name} has {counts:,} different values, more than {max_groups}: select some "
                "with {name2}=VALUE.",
                name,
                len(counts),
                MAX_GROUPS,
                name,
            )
        )
    values = np.array(texts, dtype=object)
    numbers = {text: whole_number(text) for text in counts}
    ordered = sorted(counts, key=lambda text: (numbers[text] is None, numbers[text] or 0, text))
    return [_slice(attributes, values == text, f"{name} {text}", name) for text in ordered]


def _slices_by_number(attributes: ItemAttributes, name: str, values: FloatArray) -> list[ItemSlice]:
    known = np.unique(values[np.isfinite(values)])
    if len(known) <= MAX_VALUES:
        return [
            _slice(attributes, values == value, f"{name} {value:g}", name)
            for value in known.tolist()
        ]
    finite = values[np.isfinite(values)]
    edges = np.unique(np.quantile(finite, (0, 0.25, 0.5, 0.75, 1), method="inverted_cdf")).tolist()
    found = []
    for low, high in itertools.pairwise(edges):
        first = low == edges[0]
        inside = (values >= low if first else values > low) & (values <= high)
        title = fill(
            "{name} {low:.4g} to {high:.4g}" if first else "{name} over {low:.4g} to {high:.4g}",
            *(name, low, high),
        )
        found.append(_slice(attributes, inside, title, name))
    return found
