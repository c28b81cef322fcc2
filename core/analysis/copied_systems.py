"""Submissions that are one another's copies, told from the values of their items."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from jurydesk.core.model.defects import counted, name_list
from jurydesk.core.model.evaluation import BoolArray, FloatArray, ItemTable

FEWEST = 10
"""Systems that share fewer telling items are not suspected."""
SHARE = 0.8


@dataclass(frozen=True, slots=True)
class CopiedPair:
    """Two systems whose items have the same values: `same` of `telling` ones, by their ids.

    An item tells something where its values are no round numbers, which chance repeats.
    """

    first: str
    second: str
    same: tuple[str, ...]
    telling: int

    def sentence(self, nouns: tuple[str, str]) -> str:
        """The suspicion, with its evidence."""
        items = counted(self.telling, *nouns)
        return (
            f"{self.first} and {self.second} have the same values in {len(self.same):,} of "
            f"{items} ({name_list(self.same)}): one may be a copy of the other."
        )


Marks = Mapping[str, bytes]
"""The values of each telling item of a system, by the item's id."""


def find_copies(marks: Mapping[str, Marks]) -> tuple[CopiedPair, ...]:
    """Every two of these systems that agree on most telling items.

    Which of two is the copy, nothing here can say.
    """
    found = []
    for first, second in _sharing(marks):
        common = marks[first].keys() & marks[second].keys()
        same = sorted(key for key in common if marks[first][key] == marks[second][key])
        telling = max(len(marks[first]), len(marks[second]))
        if len(same) >= FEWEST and len(same) >= SHARE * telling:
            found.append(CopiedPair(first, second, tuple(same), telling))
    return tuple(found)


def telling_marks(items: ItemTable, names: Sequence[str]) -> Marks:
    """The values of these columns, of all where the items have none of these."""
    shown = [name for name in names if name in items.columns] or list(items.columns)
    values = [items.columns[name] for name in shown]
    if not values:
        return {}
    table = np.ascontiguousarray(np.column_stack(values))
    rows = np.flatnonzero(_is_telling(table)).tolist()
    return {items.ids[row]: table[row].tobytes() for row in rows}


def _is_telling(table: FloatArray) -> BoolArray:
    """Which rows hold a value that is no multiple of 0.1: AP 0.5 or P@10 0.3 tell nothing."""
    tenths = table * 10
    return np.asarray((np.abs(tenths - np.round(tenths)) > 1e-6).any(axis=1))


def _sharing(marks: Mapping[str, Marks]) -> list[tuple[str, str]]:
    """The pairs of systems that share a mark at one of their first telling items.

    Copies share most of their items, so that a few of them find every pair without comparing all.
    """
    owners: dict[tuple[str, bytes], list[str]] = defaultdict(list)
    for system in sorted(marks):
        for key in sorted(marks[system])[: 4 * FEWEST]:
            owners[key, marks[system][key]].append(system)
    pairs = {
        (one, other)
        for systems in owners.values()
        for place, one in enumerate(systems)
        for other in systems[place + 1 :]
    }
    return sorted(pairs)
