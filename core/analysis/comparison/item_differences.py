"""Items on which two evaluations of a system differ, with the reasons."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from jurydesk.core.competition.task import Task
from jurydesk.core.language import Message, fill, join_messages, translatable
from jurydesk.core.model.evaluation import (
    Evaluation,
    FloatArray,
    ItemTable,
    MetricInfo,
    ScoredItem,
)
from jurydesk.core.tables.columns import Column, NumberColumn, TextColumn

TOLERANCE = 1e-12
"""Values with a smaller difference are equal."""
RELATIVE_TOLERANCE = 1e-6
"""So are values that differ by the rounding of a program in single precision, such as rusteval."""
MAX_REASONS = 5_000
"""Number of items, those with the largest differences, for which reasons are computed."""


@dataclass(frozen=True, slots=True)
class ItemDifference:
    """Item with two values of a column (NaN if missing), and the known reasons."""

    item: str
    column: str
    before: float
    after: float
    reasons: tuple[str, ...] = ()


def change_table(
    items: Sequence[ItemDifference],
    noun: str = "item",
    heads: tuple[str, str] = ("before", "after"),
    metric: MetricInfo | None = None,
) -> list[Column]:
    """Return the items with both values of a metric, their difference, and known reasons.

    `heads` are the titles of the values.
    """
    number = partial(
        NumberColumn,
        decimals=metric.decimals if metric else 4,
        doubtful=range(len(items) if metric and metric.doubt else 0),
    )
    before, after = (
        np.array([getattr(one, side) for one in items], np.float64) for side in ("before", "after")
    )
    columns: list[Column] = [
        TextColumn("item", fill("{noun:capital}", Message(noun)), [one.item for one in items]),
        number("before", heads[0], before),
        number("after", heads[1], after),
        number("difference", translatable("Difference"), after - before),
    ]
    reasons = reason_column(items)
    return [*columns, reasons] if any(reasons.values) else columns


def reason_column(items: Sequence[ItemDifference]) -> TextColumn:
    """Return the known reasons of each difference."""
    reasons = [join_messages(one.reasons) for one in items]
    return TextColumn("reason", translatable("Reason"), reasons, is_prose=True)


def item_differences(
    task: Task[Any, Any, Any],
    before: Evaluation,
    after: Evaluation,
    metric: str,
    check: Callable[[], None] = lambda: None,
) -> list[ItemDifference]:
    """Return the items whose value of the metric differs, the largest difference first.

    If items have no value of the metric, its statistics are compared. Between the profiles
    published and corrected the task gives the reasons. `check` may raise to cancel.
    """
    names = _columns(task, before.items, after.items, metric)
    found = sorted(_differing_items(before.items, after.items, names), key=_size)
    reasons = _Reasons(task, before, after)
    explained = []
    for number, one in enumerate(found):
        check()
        known = reasons.of(one.item) if number < MAX_REASONS else ()
        explained.append(ItemDifference(one.item, one.column, one.before, one.after, known))
    return explained


def _columns(
    task: Task[Any, Any, Any], before: ItemTable, after: ItemTable, metric: str
) -> Sequence[str]:
    """Return the metric's own column, else those of its statistics, else all shared ones."""
    shared = [name for name in before.columns if name in after.columns]
    if metric in shared:
        return (metric,)
    try:
        statistics = set(task.metric(metric).statistics)
    except KeyError:
        statistics = set()
    return [name for name in shared if name in statistics] or shared


def _differing_items(
    before: ItemTable, after: ItemTable, names: Sequence[str]
) -> Iterator[ItemDifference]:
    ids = sorted({*before.ids, *after.ids})
    first, second = _places(before, ids), _places(after, ids)
    seen: set[str] = set()
    for name in names:
        one, other = _values(before, name, first), _values(after, name, second)
        same = np.isclose(one, other, rtol=RELATIVE_TOLERANCE, atol=TOLERANCE, equal_nan=True)
        alone = (first < 0) != (second < 0)
        for row in np.flatnonzero(~same | alone).tolist():
            if ids[row] not in seen:
                seen.add(ids[row])
                yield ItemDifference(ids[row], name, float(one[row]), float(other[row]))


def _places(items: ItemTable, ids: Sequence[str]) -> np.ndarray[Any, np.dtype[np.int64]]:
    place = {key: row for row, key in enumerate(items.ids)}
    return np.array([place.get(key, -1) for key in ids], dtype=np.int64)


def _values(items: ItemTable, name: str, places: np.ndarray[Any, np.dtype[np.int64]]) -> FloatArray:
    if not len(items):
        return np.full(len(places), np.nan)
    return np.where(places >= 0, items.columns[name][places], np.nan)


def _size(one: ItemDifference) -> tuple[float, str]:
    difference = abs(one.after - one.before)
    return (-difference if math.isfinite(difference) else -math.inf, one.item)


class _Reasons:
    """Reasons given by the task for differences between published and corrected."""

    def __init__(self, task: Task[Any, Any, Any], before: Evaluation, after: Evaluation) -> None:
        self._task = task
        pair = {before.profile: before, after.profile: after}
        self._pair = None
        if pair.keys() == {"published", "corrected"}:
            self._pair = (_Rows(pair["published"].items), _Rows(pair["corrected"].items))

    def of(self, item: str) -> tuple[str, ...]:
        """Return the reasons as sentences; empty if the task has none."""
        if self._pair is None:
            return ()
        one, other = (rows.scored_item(item) for rows in self._pair)
        return tuple(self._task.presentation.explain_difference(one, other))


class _Rows:
    """Items by id, with a cache for evidence that several items share."""

    def __init__(self, items: ItemTable) -> None:
        self._items = items
        self._rows = {key: row for row, key in enumerate(items.ids)}
        self._last: tuple[int, Any] = (-1, None)

    def scored_item(self, item: str) -> ScoredItem:
        """Return the item with its numbers and evidence; without both if it is missing."""
        row = self._rows.get(item)
        if row is None:
            return ScoredItem(item, {}, None)
        columns: Mapping[str, FloatArray] = self._items.columns
        values = {name: float(column[row]) for name, column in columns.items()}
        return ScoredItem(item, values, self._evidence(row))

    def _evidence(self, row: int) -> Any:
        shared = self._items.evidence_of
        number = row if shared is None else int(shared[row])
        if self._last[0] != number:
            self._last = (number, self._items.show(row))
        return self._last[1]
