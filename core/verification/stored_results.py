"""Results of a desk against themselves and their stamps, and against their inputs.

Scores that are means, sums or combinations of stored rows are computed again from these; with the
inputs at hand, rows are scored again as well.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.desk.item_queries import load_item_columns, load_stamps
from jurydesk.core.language import fill
from jurydesk.core.model.stamp import is_added

if TYPE_CHECKING:
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.desk import Desk, Summary
    from jurydesk.core.model.evaluation import Evaluation, FloatArray, ItemTable, Json, MetricInfo

RELATIVE_TOLERANCE = 1e-6
"""Networks add in float32."""
ABSOLUTE_TOLERANCE = 1e-12


def contradictions(
    desk: Desk,
    task: AnyTask,
    summaries: Sequence[Summary],
    check: Callable[[], None] = lambda: None,
) -> Iterator[tuple[str, str]]:
    """Yield a system and a sentence for each score that its rows do not give or its stamp lacks.

    `check` is called for every system, and may raise to stop.
    """
    known = {info.name: info for info in task.scoring.metrics}
    stamps = load_stamps(desk)
    for one in summaries:
        check()
        for sentence in (
            *_contradictions_of_rows(task, known, one, load_item_columns(desk, one.id)),
            *_contradictions_of_stamp(one, stamps.get(one.id)),
        ):
            yield one.system, sentence


def _contradictions_of_rows(
    task: AnyTask, known: Mapping[str, MetricInfo], one: Summary, items: ItemTable
) -> Iterator[str]:
    for score in one.scores:
        info = known.get(score.metric) or task.scoring.metric_named(score.metric)
        again = None if info is None else _from_rows(info, items)
        if again is not None and not _is_close(score.value, again):
            yield fill(
                "{system}, {metric}: the desk has {value}, its items give {again}.",
                *(one.system, score.metric, repr(score.value), repr(again)),
            )


def _from_rows(info: MetricInfo, items: ItemTable) -> float | None:
    """Return a score as its rows give it; None if it does not follow from rows."""
    columns = items.columns
    if info.aggregate == "own":
        if info.combine is None or not set(info.statistics) <= columns.keys():
            return None
        rows = np.column_stack([columns[name] for name in info.statistics])
        return float(info.combine(rows))
    column = columns.get(info.name)
    if column is None or not np.isfinite(column).any():
        return None
    return float(np.nanmean(column) if info.aggregate == "mean" else np.nansum(column))


def _is_close(one: float, other: float) -> bool:
    if math.isnan(one) or math.isnan(other):
        return True  # undefined by a rule of the competition
    return math.isclose(one, other, rel_tol=RELATIVE_TOLERANCE, abs_tol=ABSOLUTE_TOLERANCE)


def differences_from_inputs(stored: Evaluation, again: Evaluation) -> Iterator[str]:
    """Yield a sentence for each score and column that scoring the inputs does not give."""
    scores = {score.metric: score.value for score in again.scores}
    added = {info.name for info in stored.metrics if is_added(info)}
    for score in (one for one in stored.scores if one.metric not in added):
        value = scores.get(score.metric, math.nan)
        if not _same(np.array([score.value]), np.array([value])):
            yield fill(
                "{system}, {metric}: the desk has {value}, its files give {again}.",
                *(stored.system, score.metric, repr(score.value), repr(value)),
            )
    if list(stored.items.ids) != list(again.items.ids):
        yield fill("{system}: the items are not those of its files.", stored.system)
        return
    for name, column in stored.items.columns.items():
        other = again.items.columns.get(name)
        if name not in added and (other is None or not _same(column, other)):
            yield fill("{system}: the column {name} is not that of its files.", stored.system, name)


def _same(one: FloatArray, other: FloatArray) -> bool:
    tolerances = {"rtol": RELATIVE_TOLERANCE, "atol": ABSOLUTE_TOLERANCE}
    return one.shape == other.shape and bool(np.allclose(one, other, equal_nan=True, **tolerances))


def _contradictions_of_stamp(summary: Summary, stamp: Json) -> Iterator[str]:
    """Yield a sentence for each score that is not that of the stamp, if the result has one."""
    stamped = {one["metric"]: one["value"] for one in (stamp or {}).get("scores", ())}
    for score in summary.scores:
        value = stamped.get(score.metric)
        if value is not None and not _is_close(score.value, value):
            yield fill(
                "{system}, {metric}: the desk has {value}, its stamp {again}.",
                *(summary.system, score.metric, repr(score.value), repr(value)),
            )
