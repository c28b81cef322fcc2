"""Results of a desk that contradict themselves: their rows or stamps do not give what they say.

Scores that are means, sums or combinations of stored rows are computed again from these.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from jurydesk.core.desk import Desk, Summary
from jurydesk.core.desk.item_queries import load_item_columns, load_stamps
from jurydesk.core.language import fill, translatable

if TYPE_CHECKING:
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.model.evaluation import ItemTable, Json, MetricInfo, Score

RELATIVE_TOLERANCE = 1e-6
"""Networks add in float32."""
ABSOLUTE_TOLERANCE = 1e-12
SHOWN_DIGITS = range(6, 10)
"""Numbers of significant digits, of which the last shows any difference beyond the tolerance."""
LARGE, LEGIBLE = 1e5, 1e15
"""Numbers between these are written out: six digits would round the largest to a power of 10."""
MOST_AT_ONCE = 1 << 20
"""Numbers of several columns that are added at once."""

CONTRADICTED = translatable("contradicts its items or stamp")
"""Mark of a system with a name or a score that its items or its stamp do not give."""


Sentences = tuple[str, ...]
_FOUND: WeakKeyDictionary[Desk, dict[int, tuple[Summary, Sentences]]] = WeakKeyDictionary()
"""What was found in the results of open desks, by their ids: each format of an export asks."""


def contradictions(
    desk: Desk,
    task: AnyTask,
    summaries: Sequence[Summary],
    check: Callable[[], None] = lambda: None,
) -> Iterator[tuple[str, str]]:
    """Yield a system and a sentence for each name or score that its rows or its stamp do not give.

    Scores that ratings add to the summaries are not compared: no row and no stamp has them.
    `check` is called for every system, and may raise to stop.
    """
    own = {one.id: one for one in desk.evaluations()}
    known = {info.name: info for info in task.scoring.metrics}
    found = _FOUND.setdefault(desk, {})
    stamps = load_stamps(desk)
    for one in (own[given.id] for given in summaries if given.id in own):
        check()
        if one.id not in found or found[one.id][0] != one:
            rows = _contradictions_of_rows(task, known, one, load_item_columns(desk, one.id))
            found[one.id] = one, (*rows, *_contradictions_of_stamp(one, stamps.get(one.id)))
        yield from ((one.system, sentence) for sentence in found[one.id][1])


def contradiction_marks(desk: Desk, task: AnyTask, summaries: Sequence[Summary]) -> dict[str, str]:
    """Return the mark of each system that `contradictions` names."""
    return {system: CONTRADICTED for system, _ in contradictions(desk, task, summaries)}


def _contradictions_of_rows(
    task: AnyTask, known: Mapping[str, MetricInfo], one: Summary, items: ItemTable
) -> Iterator[str]:
    totals = _totals(items)
    for score in one.scores:
        info = known.get(score.metric) or task.scoring.metric_named(score.metric)
        again = None if info is None else _from_rows(info, items, totals)
        if again is not None and not _is_close(score.value, again):
            yield fill(
                "{system}, {metric}: the desk has {value}, its items give {again}.",
                *(one.system, score.metric, *_round_apart(score.value, again)),
            )


def _totals(items: ItemTable) -> dict[str, tuple[float, int]]:
    """Return the sum and the number of the known values of each column that has any.

    A few columns at a time, so that a board of many small results is quick and none takes room.
    """
    found: dict[str, tuple[float, int]] = {}
    names = list(items.columns)
    step = max(1, MOST_AT_ONCE // max(len(items), 1))
    for first in range(0, len(names) if len(items) else 0, step):
        part = names[first : first + step]
        values = np.array([items.columns[name] for name in part])
        known = ~np.isnan(values)
        sums, counts = np.where(known, values, 0.0).sum(axis=1), known.sum(axis=1)
        finite = np.isfinite(values).any(axis=1)
        rows = zip(part, sums.tolist(), counts.tolist(), finite.tolist(), strict=True)
        found |= {name: (total, count) for name, total, count, is_finite in rows if is_finite}
    return found


def _from_rows(
    info: MetricInfo, items: ItemTable, totals: Mapping[str, tuple[float, int]]
) -> float | None:
    """Return a score as its rows give it; None if it does not follow from rows."""
    columns = items.columns
    if info.aggregate == "own":
        if info.combine is None or not set(info.statistics) <= columns.keys():
            return None
        rows = np.column_stack([columns[name] for name in info.statistics])
        return float(info.combine(rows))
    total, count = totals.get(info.name, (0.0, 0))
    return (total / count if info.aggregate == "mean" else total) if count else None


def _is_close(one: float, other: float) -> bool:
    if math.isnan(one) or math.isnan(other):
        return True  # undefined by a rule of the competition
    return math.isclose(one, other, rel_tol=RELATIVE_TOLERANCE, abs_tol=ABSOLUTE_TOLERANCE)


def _round_apart(one: float, other: float) -> tuple[str, str]:
    """Return two numbers with as many digits, six or more, as tell them apart."""
    pairs = [tuple(f"{each:{_form(each, n)}}" for each in (one, other)) for n in SHOWN_DIGITS]
    apart = (n for n, (first, second) in zip(SHOWN_DIGITS, pairs, strict=True) if first != second)
    digits = next(apart, SHOWN_DIGITS[-1])
    shown = (
        translatable("undefined")
        if math.isnan(each)
        else fill(f"{{value:{_form(each, digits)}}}", each)
        for each in (one, other)
    )
    return next(shown), next(shown)


def _form(value: float, digits: int) -> str:
    """Return the format of a number with six digits or more, which are not written as a power."""
    is_large = LARGE <= abs(value) < LEGIBLE
    return f",.{digits - SHOWN_DIGITS[0]}f" if is_large else f".{digits}g"


def _contradictions_of_stamp(summary: Summary, stamp: Json) -> Iterator[str]:
    """Yield a sentence for whatever of a result is not that of its stamp, if it has one."""
    if not stamp:
        return
    if (summary.system, summary.profile) != (stamp["system"], stamp["profile"]):
        yield fill("{system}: its stamp is that of another.", summary.system)
    stamped = {one["metric"]: one for one in stamp["scores"]}
    for score in summary.scores:
        one = stamped.pop(score.metric, None)
        if one is None:
            yield fill(
                "{system}, {metric}: its stamp lacks this score.", summary.system, score.metric
            )
            continue
        for part, kept, made in _stamped_parts(score, one):
            if math.isnan(kept) != math.isnan(made) or not _is_close(kept, made):
                metric = f"{score.metric} ({part})" if part else score.metric
                yield fill(
                    "{system}, {metric}: the desk has {value}, its stamp {again}.",
                    *(summary.system, metric, *_round_apart(kept, made)),
                )
                break
    for metric in stamped:
        yield fill("{system}, {metric}: the desk lacks this score.", summary.system, metric)


def _stamped_parts(score: Score, stamped: Json) -> Iterator[tuple[str, float, float]]:
    """Yield the numbers of a score and of its record in a stamp, with their names.

    An older stamp may lack the deviation and the interval.
    """

    def number(value: float | None) -> float:
        return math.nan if value is None else value

    yield "", score.value, number(stamped["value"])
    yield "n", score.n, stamped["n"]
    if "std" in stamped:
        yield "std", score.std, number(stamped["std"])
    if "interval" in stamped:
        interval, limits = score.interval, stamped["interval"] or {}
        for name in ("low", "high"):
            yield name, getattr(interval, name, math.nan), number(limits.get(name))
