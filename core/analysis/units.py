"""Resampling units of an evaluation: its items, or units with several items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from jurydesk.core.competition.task import Task
from jurydesk.core.model.evaluation import FloatArray, IntArray, ItemTable, Units


@dataclass(frozen=True, slots=True, eq=False)
class ResamplingUnits:
    """Items, or units such as images, with their ids and columns (entries,).

    `rows` (entries,) is the item whose evidence shows each entry; `entry_of` (items,) the entry of
    each item. `noun` names units in the plural, and is empty for items.
    """

    ids: Sequence[str]
    noun: str
    columns: Mapping[str, FloatArray]
    rows: IntArray
    entry_of: IntArray


def resampling_units(task: Task[Any, Any, Any], items: ItemTable, profile: str) -> ResamplingUnits:
    """Return the items, or the units if several items share their evidence."""
    if items.evidence_of is None or task.scoring.units is None:
        every = np.arange(len(items))
        return ResamplingUnits(items.ids, "", items.columns, every, every)
    units = task.scoring.units(items, profile)
    numbers, places = np.unique(items.evidence_of, return_index=True)
    columns = {name: column[numbers] for name, column in units.columns.items()}
    ids = [units.ids[unit] for unit in numbers.tolist()]
    return ResamplingUnits(
        ids, units.noun, columns, places, np.searchsorted(numbers, items.evidence_of)
    )


def restrict_units(units: Units, ids: frozenset[str]) -> Units:
    """Restrict units to these ids, resampled among themselves."""
    selected = np.array([place for place, key in enumerate(units.ids) if key in ids], np.int64)

    def scores(counts: FloatArray) -> Mapping[str, float]:
        every = np.zeros(len(units.ids))
        every[selected] = counts
        return units.scores(every)

    names = tuple(units.ids[place] for place in selected.tolist())
    columns = {name: column[selected] for name, column in units.columns.items()}
    return Units(names, scores, units.noun, columns)
