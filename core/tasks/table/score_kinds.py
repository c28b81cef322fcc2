"""Kinds of scores: range and direction of a column, from its name and its values."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from jurydesk.core.competition.task_registry import find_competition
from jurydesk.core.model.evaluation import (
    TABLE_SOURCE,
    Better,
    FloatArray,
    MetricInfo,
    column_summary,
    weighted_mean,
)
from jurydesk.core.readers.foreign_tables.column_roles import is_count_name, is_lower_better
from jurydesk.core.tasks.table.table_options import Kind, TableOptions

RANGES: dict[Kind, tuple[float, float]] = {
    "0/1": (0.0, 1.0),
    "share": (0.0, 1.0),
    "count": (0.0, math.inf),
    "real": (-math.inf, math.inf),
}
SMALL = 10.0
"""Largest absolute value that is shown with four decimals."""
WEIGHT = "weight"
"""Column of the weights of items."""


def infer_kind(values: FloatArray) -> Kind:
    """Return the kind of defined values: 0/1, shares of 1, counts, or real numbers."""
    if np.isin(values, (0.0, 1.0)).all():
        return "0/1"
    low, high = float(values.min()), float(values.max())
    if low >= 0 and high <= 1:
        return "share"
    return "count" if low >= 0 and bool((values == np.floor(values)).all()) else "real"


def declare_metrics(
    scores: Mapping[str, FloatArray], options: TableOptions, *, weighted: bool
) -> tuple[MetricInfo, ...]:
    """Return the declarations of scores (pairs,), of which the first ranks."""
    return tuple(
        _declare(name, values, options, weighted=weighted, first=number == 0)
        for number, (name, values) in enumerate(scores.items())
    )


def metric_kind(name: str, values: FloatArray, options: TableOptions) -> Kind:
    """Return the kind of a score: as given, else as its values show."""
    defined = values[np.isfinite(values)]
    return options.kinds().get(name) or (infer_kind(defined) if len(defined) else "real")


def _declare(
    name: str, values: FloatArray, options: TableOptions, *, weighted: bool, first: bool
) -> MetricInfo:
    """Return the declaration of a score from its values in all rows of a file.

    Kind, range and direction are those of the options if given. `first` is the column that ranks.
    """
    defined = values[np.isfinite(values)]
    kind = metric_kind(name, values, options)
    low, high = RANGES[kind]
    if kind == "real" and len(defined) and float(defined.min()) >= 0:
        low = 0.0
    low, high = options.ranges().get(name, (low, high))
    largest = float(np.abs(defined).max()) if len(defined) else 0.0
    return MetricInfo(
        name,
        name,
        column_summary(name, weighted=weighted),
        (low, high),
        direction(name, options),
        TABLE_SOURCE,
        aggregate="own" if weighted else "mean",
        statistics=(name, WEIGHT) if weighted else (),
        combine=weighted_mean if weighted else None,
        headline=first,
        decimals=4 if largest <= SMALL else 2,
    )


def direction(name: str, options: TableOptions) -> Better:
    """Return whether more or less of a score is better: as given, else by its name."""
    if name in options.higher:
        return "higher"
    if name in options.lower or is_lower_better(name):
        return "lower"
    return "neither" if is_count_name(name) else "higher"


def own_metrics(task_id: str) -> dict[str, MetricInfo]:
    """Return the metrics of a competition of this program that are means of their items."""
    task = find_competition(task_id) if task_id else None
    if task is None:
        return {}
    return {info.name: info for info in task.scoring.metrics if info.aggregate == "mean"}
