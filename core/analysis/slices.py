"""Slices: the board of some of the items, by what is known of them.

An item is in a slice or not for all systems alike. Where a column differs between systems, its
mean over them counts: `ap < 0.2` are the items that are hard for all, not those of one system.
"""

from __future__ import annotations

import difflib
import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jurydesk.core.analysis.item_attributes import ItemAttributes
from jurydesk.core.analysis.item_query import (
    free_words,
    match_rows,
    parse_conditions,
    unmatched_conditions,
)
from jurydesk.core.model.defects import counted, name_list
from jurydesk.core.model.evaluation import BoolArray, FloatArray, UsageError

MOST_GROUPS = 24
FEW_VALUES = 8
"""A number column with more values than these is cut into quarters."""


@dataclass(frozen=True, slots=True)
class ItemSlice:
    """Some of the items (or of the units that hold them), by their ids, and what they are."""

    title: str
    ids: frozenset[str]
    noun: tuple[str, str]

    @property
    def size(self) -> str:
        """How many they are: `412 queries`."""
        return counted(len(self.ids), *self.noun)


def slice_by_query(attributes: ItemAttributes, query: str) -> ItemSlice:
    """The items that fit a query; UsageError where there is no such column, or no such item."""
    names = {name.casefold(): name for name in attributes.names}
    asked = [names[_existing(one.name, names, query)] for one in parse_conditions(query)]
    numbers = {name.casefold(): attributes.number(name) for name in asked}
    texts = {name.casefold(): attributes.text(name) for name in ("id", *asked)}
    if free_words(query):
        texts[""] = attributes.told()
    known = {name: column for name, column in numbers.items() if column is not None}
    told = {name: _folded(column) for name, column in texts.items() if column is not None}
    found = match_rows(query, len(attributes.ids), known, told)
    if found is None:
        raise UsageError("A slice needs a query, such as a word or NAME < NUMBER.")
    if not found.any():
        odd = unmatched_conditions(query, known, told)
        raise UsageError(f"No {attributes.noun[0]} fits “{query}”. {_no_condition(odd)}".strip())
    return _slice(attributes, found, " ".join(query.split()))


def _folded(texts: Sequence[str]) -> list[str]:
    return [text.casefold() for text in texts]


def _no_condition(odd: Sequence[str]) -> str:
    """What was taken for words, though it looks like a condition; nothing where nothing was."""
    if not odd:
        return ""
    return (
        f"“{odd[0]}” is no condition and was looked for as text: a condition is NAME < NUMBER "
        "(or <=, >, >=, =, !=) or NAME = TEXT (or !=)."
    )


def _existing(name: str, names: dict[str, str], query: str) -> str:
    """The name itself; UsageError with what may be meant where there is no such column."""
    if name in names:
        return name
    near = difflib.get_close_matches(name, names, n=1)
    known = name_list(list(names.values()), 12)
    meant = f"Did you mean {names[near[0]]}?" if near else f"There are: {known}."
    raise UsageError(f'There is no column "{name}" to slice by in “{query}”. {meant}')


def _slice(attributes: ItemAttributes, chosen: BoolArray, title: str) -> ItemSlice:
    ids = frozenset(attributes.ids[row] for row in np.flatnonzero(chosen).tolist())
    return ItemSlice(title, ids, attributes.noun)


def slices_by_column(attributes: ItemAttributes, name: str) -> list[ItemSlice]:
    """One slice for each value of a column; numbers of many values are cut into quarters.

    UsageError where there is no such column, or where its texts are too many to be groups.
    """
    names = {known.casefold(): known for known in attributes.names}
    name = names[_existing(name.casefold(), names, name)]
    texts = attributes.text(name)
    if texts is not None:
        return _by_text(attributes, name, texts)
    values = attributes.number(name)
    if values is None or not np.isfinite(values).any():
        raise UsageError(f"{name} is undefined for every {attributes.noun[0]}.")
    return _by_number(attributes, name, values)


def _by_text(attributes: ItemAttributes, name: str, texts: Sequence[str]) -> list[ItemSlice]:
    counts = Counter(text for text in texts if text)
    if len(counts) > MOST_GROUPS:
        raise UsageError(
            f"{name} has {len(counts):,} different values, more than {MOST_GROUPS}: ask for some "
            f"of them, as {name}=VALUE."
        )
    kept = np.array(texts, dtype=object)
    ordered = sorted(counts, key=lambda text: (not text.isdigit(), _number(text), text))
    return [_slice(attributes, kept == text, f"{name} {text}") for text in ordered]


def _number(text: str) -> int:
    return int(text) if text.isdigit() else 0


def _by_number(attributes: ItemAttributes, name: str, values: FloatArray) -> list[ItemSlice]:
    known = np.unique(values[np.isfinite(values)])
    if len(known) <= FEW_VALUES:
        return [
            _slice(attributes, values == value, f"{name} {value:g}") for value in known.tolist()
        ]
    finite = values[np.isfinite(values)]
    edges = np.unique(np.quantile(finite, (0, 0.25, 0.5, 0.75, 1), method="inverted_cdf")).tolist()
    found = []
    for low, high in itertools.pairwise(edges):
        first = low == edges[0]
        inside = (values >= low if first else values > low) & (values <= high)
        sign = "" if first else "over "
        found.append(_slice(attributes, inside, f"{name} {sign}{low:.4g} to {high:.4g}"))
    return found
