"""Tables that follow from the items of results: items, differences of systems, changed items."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from jurydesk.core.analysis.item_differences import ItemDifference
from jurydesk.core.analysis.pairwise import TIE_TOLERANCE, PairedItems
from jurydesk.core.model.evaluation import Evaluation, FloatArray
from jurydesk.core.tables.columns import DataColumn
from jurydesk.core.tables.table_file import unique_names

ITEMS, DIFFERENCES, CHANGES = "item table", "difference table", "changed items"
"""Kinds of tables; a format has the form after it, such as `item table csv`."""


def item_table(evaluation: Evaluation, names: Sequence[str]) -> list[DataColumn]:
    """Return the ids of the items, and their columns of these names; raises KeyError."""
    items = evaluation.items
    return [("item", items.ids), *((name, items.columns[name].tolist()) for name in names)]


def value_spread(values: FloatArray) -> FloatArray:
    """Return the difference between the best and the worst system; `values` is (items, systems)."""
    known = np.isfinite(values)
    high = np.where(known, values, -np.inf).max(axis=1)
    return np.asarray(high - np.where(known, values, np.inf).min(axis=1))


def best_systems(
    values: FloatArray,
    names: Sequence[str],
    *,
    higher_is_better: bool,
    shared: Callable[[int], str] = "{} share it".format,
) -> list[str]:
    """Return the best system on each item (items, systems), or how many share the best value.

    `shared` words their number.
    """
    gains = np.where(np.isfinite(values), values if higher_is_better else -values, -np.inf)
    best = gains >= gains.max(axis=1, keepdims=True) - TIE_TOLERANCE
    counts, first = best.sum(axis=1).tolist(), best.argmax(axis=1).tolist()
    return [
        names[one] if count == 1 else shared(count)
        for one, count in zip(first, counts, strict=True)
    ]


def difference_table(
    items: PairedItems, systems: tuple[str, str], others: Mapping[str, FloatArray]
) -> list[DataColumn]:
    """Return the values of two systems, their difference, and the other systems' values.

    With other systems, the best one and the spread precede all values.
    """
    names = unique_names([*systems, *others])
    columns: list[DataColumn] = [("item", items.ids)]
    if others:
        values = np.column_stack([items.first, items.second, *others.values()])
        best = best_systems(values, names, higher_is_better=items.higher_is_better)
        columns += [("best", best), ("spread", value_spread(values).tolist())]
    return [
        *columns,
        (names[0], items.first.tolist()),
        (names[1], items.second.tolist()),
        ("difference", items.differences.tolist()),
        ("disagreement", np.abs(items.differences).tolist()),
        *((name, one.tolist()) for name, one in zip(names[2:], others.values(), strict=True)),
    ]


def changed_entries(items: PairedItems, column: str = "") -> list[ItemDifference]:
    """Return the items whose value changed from the second to the first, largest change first."""
    order = items.by_disagreement()
    rows = order[np.abs(items.differences[order]) > TIE_TOLERANCE].tolist()
    return [
        ItemDifference(items.ids[row], column, float(items.second[row]), float(items.first[row]))
        for row in rows
    ]


def change_table(items: Sequence[ItemDifference]) -> list[DataColumn]:
    """Return the items with both values, their difference, and known reasons."""
    reasons = [" ".join(one.reasons) for one in items]
    return [
        ("item", [one.item for one in items]),
        ("before", [one.before for one in items]),
        ("after", [one.after for one in items]),
        ("difference", [one.after - one.before for one in items]),
        *([("reason", reasons)] if any(reasons) else []),
    ]
