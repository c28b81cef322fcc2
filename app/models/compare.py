"""Two systems' items as a table, and the sentences that say whether their difference is real."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from app import format
from app.models.columns import Column, NumberColumn, TextColumn
from core.comparison import Comparison, PerItem
from core.model import FloatArray, ItemTable, MetricInfo

DIFFERENCE = "difference"


def compare_columns(
    items: PerItem,
    systems: tuple[str, str],
    metric: MetricInfo,
    noun: str,
    others: Mapping[str, FloatArray],
) -> tuple[Column, ...]:
    """The ids, both systems' values, their difference, and the values of the other systems."""
    first, second = systems
    ids = TextColumn("item", noun.capitalize(), items.ids)
    shown = [
        NumberColumn(first, first, items.first, metric.decimals, metric.summary),
        NumberColumn(second, second, items.second, metric.decimals, metric.summary),
        NumberColumn(
            DIFFERENCE,
            "Difference",
            items.differences,
            metric.decimals,
            f"{first} less {second}.",
        ),
        NumberColumn(
            "disagreement",
            "Size",
            np.abs(items.differences),
            metric.decimals,
            "How far the two are apart, whoever is better.",
        ),
    ]
    more = [NumberColumn(name, name, column, metric.decimals) for name, column in others.items()]
    return (ids, *shown, *more)


def of_items(items: PerItem, table: ItemTable, metric: str) -> FloatArray:
    """Another system's values of these items (items,), NaN where it has none."""
    place = {key: row for row, key in enumerate(table.ids)}
    values = table.columns.get(metric)
    rows = np.array([place.get(key, -1) for key in items.ids], dtype=np.int64)
    if values is None or not len(values):
        return np.full(len(rows), np.nan)
    return np.where(rows >= 0, values[rows], np.nan)


def counts_sentence(items: PerItem, nouns: tuple[str, str]) -> str:
    """On how many items the first is better, worse and the same."""
    of_all = format.counted(len(items.ids), *nouns)
    better, worse, same = (format.count(n) for n in (items.wins, items.losses, items.ties))
    return f"better on {better}, worse on {worse}, the same on {same} of {of_all}"


def verdict(found: Comparison) -> str:
    """The difference with its interval and p value."""
    decimals = found.metric.decimals
    parts = [f"difference {format.signed(found.difference, decimals)}"]
    limits = found.interval
    if limits is not None:
        ends = f"{format.signed(limits.low, decimals)} to {format.signed(limits.high, decimals)}"
        parts.append(f"{format.percent(limits.level)} interval {ends}")
    if found.tests and math.isfinite(found.p):
        shown = "p < 0.001" if found.p < 0.001 else f"p = {found.p:.3f}"
        parts.append(f"{shown} ({found.tests[0].name})")
    return " · ".join(parts)


def tests_tip(found: Comparison) -> str:
    """Every test of the difference, one a line."""
    lines = [
        f"{test.name}: p = {test.p:.4f}" + (f", {test.rounds:,} rounds" if test.rounds else "")
        for test in found.tests
    ]
    return "\n".join([*lines, f"seed {found.seed}"]) if lines else ""
