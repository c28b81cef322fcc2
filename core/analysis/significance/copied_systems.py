"""Detection of copied systems from the values of their items."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from itertools import chain

import numpy as np

from jurydesk.core.language import counted, fill, name_list
from jurydesk.core.model.evaluation import BoolArray, FloatArray, IntArray, ItemTable

MIN_SAME_ITEMS = 10
"""Systems with fewer equal distinctive items are not reported."""
MIN_SAME_SHARE = 0.8
"""Share of distinctive items that must be equal."""


@dataclass(frozen=True, slots=True)
class CopiedPair:
    """Two systems with the same values on `same` (ids) of `distinctive` items.

    An item is distinctive if its values are not round numbers, which coincide by chance.
    """

    first: str
    second: str
    same: tuple[str, ...]
    distinctive: int

    def sentence(self, nouns: tuple[str, str]) -> str:
        """Return the warning with its evidence; all items need no names."""
        items, names = counted(self.distinctive, *nouns), name_list(self.same)
        if len(self.same) == self.distinctive:
            return fill(
                "{first} and {second} have the same values in {distinctive:,} of "
                "{items}: one may be a copy of the other.",
                self.first,
                self.second,
                self.distinctive,
                items,
            )
        return fill(
            "{first} and {second} have the same values in {same:,} of {items} ({names}): "
            "one may be a copy of the other.",
            self.first,
            self.second,
            len(self.same),
            items,
            names,
        )


ItemValues = Mapping[str, bytes]
"""Values of each distinctive item of a system, by the item's id."""


def find_copies(values: Mapping[str, ItemValues]) -> tuple[CopiedPair, ...]:
    """Return the pairs of systems that agree on most distinctive items.

    The values do not show which of the two is the copy.
    """
    found = []
    candidates = _candidate_pairs(values)
    held = _numbered({one: values[one] for one in dict.fromkeys(chain.from_iterable(candidates))})
    for first, second in candidates:
        same = np.count_nonzero(held[first] == held[second])
        distinctive = max(len(values[first]), len(values[second]))
        if same >= MIN_SAME_ITEMS and same >= MIN_SAME_SHARE * distinctive:
            items = tuple(sorted(key for key, _ in values[first].items() & values[second].items()))
            found.append(CopiedPair(first, second, items, distinctive))
    return tuple(found)


def _numbered(values: Mapping[str, ItemValues]) -> dict[str, IntArray]:
    """Return numbers of the values (items,) by system, with no number in common where one lacks."""
    places: dict[str, int] = {}
    numbers: dict[tuple[str, bytes], int] = {}
    rows = [
        (
            [places.setdefault(key, len(places)) for key in own],
            [numbers.setdefault(one, len(numbers)) for one in own.items()],
        )
        for own in values.values()
    ]
    found = np.empty((len(rows), len(places)), np.int32)
    for row, (at, known) in enumerate(rows):
        found[row] = -1 - row
        found[row, at] = known
    return dict(zip(values, found, strict=True))


def distinctive_values(items: ItemTable, names: Sequence[str]) -> ItemValues:
    """Return the values of distinctive items in the named columns, or in all if none exists."""
    used = [name for name in names if name in items.columns] or list(items.columns)
    if not used:
        return {}
    table = np.ascontiguousarray(np.column_stack([items.columns[name] for name in used]))
    rows = np.flatnonzero(_is_distinctive(table)).tolist()
    return {items.ids[row]: table[row].tobytes() for row in rows}


def _is_distinctive(table: FloatArray) -> BoolArray:
    """Mark the rows with a value that is not a multiple of 0.1, unlike AP 0.5 or P@10 0.3."""
    tenths = table * 10
    return np.asarray((np.abs(tenths - np.round(tenths)) > 1e-6).any(axis=1))


def _candidate_pairs(values: Mapping[str, ItemValues]) -> list[tuple[str, str]]:
    """Return the pairs of systems that share a value among their first distinctive items.

    Copies share most items, so a few items find every pair without comparing all.
    """
    owners: dict[tuple[str, bytes], list[str]] = defaultdict(list)
    for system in sorted(values):
        for key in nsmallest(4 * MIN_SAME_ITEMS, values[system]):
            owners[key, values[system][key]].append(system)
    pairs = {
        (one, other)
        for systems in owners.values()
        for place, one in enumerate(systems)
        for other in systems[place + 1 :]
    }
    return sorted(pairs)
