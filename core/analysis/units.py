"""What of an evaluation a reader counts: its items, or the units that several items share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from jurydesk.core.competition.task import Task
from jurydesk.core.model.evaluation import FloatArray, IntArray, ItemTable, Units


@dataclass(frozen=True, slots=True, eq=False)
class ResamplingUnits:
    """Items, or units such as images: their ids and numbers (entries,).

    `rows` (entries,) is the item whose evidence shows each; `entry_of` (items,) the entry that
    each item belongs to. `noun` names units in the plural, and is empty for items.
    """

    ids: Sequence[str]
    noun: str
    columns: Mapping[str, FloatArray]
    rows: IntArray
    entry_of: IntArray


def resampling_units(task: Task[Any, Any, Any], items: ItemTable, profile: str) -> ResamplingUnits:
    """The items; where several share their evidence, the units that do (images, say)."""
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
    """These units alone, resampled among themselves."""
    kept = np.array([place for place, key in enumerate(units.ids) if key in ids], np.int64)

    def scores(counts: FloatArray) -> Mapping[str, float]:
        every = np.zeros(len(units.ids))
        every[kept] = counts
        return units.scores(every)

    names = tuple(units.ids[place] for place in kept.tolist())
    columns = {name: column[kept] for name, column in units.columns.items()}
    return Units(names, scores, units.noun, columns)
