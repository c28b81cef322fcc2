"""Tables that follow from the items of results: items, differences of systems, changed items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from jurydesk.core.analysis.comparison.item_differences import ItemDifference
from jurydesk.core.analysis.comparison.pairwise import TIE_TOLERANCE, PairedItems
from jurydesk.core.language import fill, translatable
from jurydesk.core.model.evaluation import Evaluation, FloatArray, MetricInfo
from jurydesk.core.tables.columns import Column, NumberColumn, TextColumn
from jurydesk.core.tables.table_file import unique_names

DIFFERENCE, DISAGREEMENT, BEST, SPREAD = "difference", "disagreement", "best", "spread"
"""Names of columns of a comparison."""
ITEMS, DIFFERENCES, CHANGES = "item table", "difference table", "changed items"
"""Kinds of tables; a format has the form after it, such as `item table csv`."""


def item_table(evaluation: Evaluation, names: Sequence[str]) -> list[Column]:
    """Return the ids of the items, and their columns of these names; raises KeyError."""
    items = evaluation.items
    numbers = (NumberColumn(name, name, items.columns[name]) for name in names)
    return [TextColumn("item", "Item", items.ids), *numbers]


def value_spread(values: FloatArray) -> FloatArray:
    """Return the difference between the best and the worst system; `values` is (items, systems)."""
    known = np.isfinite(values)
    high = np.where(known, values, -np.inf).max(axis=1)
    return np.asarray(high - np.where(known, values, np.inf).min(axis=1))


def best_systems(values: FloatArray, names: Sequence[str], *, higher_is_better: bool) -> list[str]:
    """Return the best system on each item (items, systems), or how many share the best value."""
    gains = np.where(np.isfinite(values), values if higher_is_better else -values, -np.inf)
    best = gains >= gains.max(axis=1, keepdims=True) - TIE_TOLERANCE
    counts, first = best.sum(axis=1).tolist(), best.argmax(axis=1).tolist()
    return [
        names[one] if count == 1 else fill("{count} share it", count)
        for one, count in zip(first, counts, strict=True)
    ]


def difference_table(
    items: PairedItems,
    systems: tuple[str, str],
    others: Mapping[str, FloatArray],
    metric: MetricInfo | None = None,
) -> list[Column]:
    """Return the values of two systems, their difference, and the other systems' values.

    With other systems, the best one and the spread precede all values.
    """
    names = unique_names([*systems, *others])
    number = partial(
        NumberColumn,
        decimals=metric.decimals if metric else 4,
        doubtful=range(len(items.ids) if metric and metric.doubt else 0),
    )
    scores = [items.first, items.second, *others.values()]
    first, second, *more = (
        number(name, name, one) for name, one in zip(names, scores, strict=True)
    )
    columns: list[Column] = [TextColumn("item", "Item", items.ids)]
    if others:
        values = np.column_stack(scores)
        best = best_systems(values, names, higher_is_better=items.higher_is_better)
        spread = value_spread(values)
        columns += [
            TextColumn(BEST, translatable("Best"), best, tooltip=translatable("Best system.")),
            number(SPREAD, translatable("Spread"), spread,
                   tooltip=translatable("From the worst to the best.")),
        ]  # fmt: skip
    return [
        *columns,
        first,
        second,
        number(DIFFERENCE, translatable("Difference"), items.differences,
               tooltip=fill("{first} less {second}.", *systems)),
        number(DISAGREEMENT, translatable("Size"), np.abs(items.differences),
               tooltip=translatable("Absolute difference.")),
        *more,
    ]  # fmt: skip


def changed_entries(items: PairedItems, column: str = "") -> list[ItemDifference]:
    """Return the items whose value changed from the second to the first, largest change first."""
    order = items.by_disagreement()
    rows = order[np.abs(items.differences[order]) > TIE_TOLERANCE].tolist()
    return [
        ItemDifference(items.ids[row], column, float(items.second[row]), float(items.first[row]))
        for row in rows
    ]
