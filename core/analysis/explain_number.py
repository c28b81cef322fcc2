"""Why is my number different? The options that give a number from a paper or a mail."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

from jurydesk.core.analysis.item_differences import ItemDifference, item_differences
from jurydesk.core.competition.task import Inputs, Task
from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.model.evaluation import Evaluation, Json, UsageError

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

MOST_VARIANTS = 256
HALF = 0.5 + 1e-6
"""How far a number may be from what was written, in units of the last decimal."""


@dataclass(frozen=True, slots=True)
class TargetNumber:
    """A number as somebody wrote it, with as many decimals as were written."""

    value: float
    decimals: int

    def is_met(self, found: float) -> bool:
        """Whether `found`, or `found` in percent, is that number when it is rounded or cut off."""
        return any(self._is_written(found * scale) for scale in (1.0, 100.0))

    def _is_written(self, found: float) -> bool:
        if not math.isfinite(found):
            return False
        unit = 10.0**self.decimals
        written, exact = round(self.value * unit), found * unit
        return abs(exact - written) <= HALF or math.trunc(exact) == written


def parse_target(text: str) -> TargetNumber:
    """The number in a text such as `0.231` or `23.1`; UsageError where it is none."""
    try:
        number = Decimal(text.strip().rstrip("%").strip().replace(",", "."))
    except InvalidOperation:
        number = Decimal("NaN")
    exponent = number.as_tuple().exponent
    if not number.is_finite() or not isinstance(exponent, int):
        raise UsageError(f'"{text}" is no number.')
    return TargetNumber(float(number), max(0, -exponent))


@dataclass(frozen=True, slots=True)
class Explanation:
    """Options that give the number: what has to change (nothing where it is empty).

    `metric` is another one than was asked for where only another one gives the number; `moves`
    are the items that differ, those that differ most first.
    """

    changes: tuple[tuple[str, Json], ...]
    metric: str
    value: float
    moves: tuple[ItemDifference, ...]


def variants(options: Any) -> Iterator[tuple[tuple[tuple[str, Json], ...], Any]]:
    """All options that differ in what has choices, with their changes, the fewest first."""
    chosen = []
    for entry in fields(options):
        now = getattr(options, entry.name)
        values = (False, True) if isinstance(now, bool) else entry.metadata.get("choices", ())
        if values and isinstance(now, str | bool):
            others = [value for value in values if value != now]
            chosen.append([None, *((entry.name, value) for value in others)])
    combinations = itertools.islice(itertools.product(*chosen), MOST_VARIANTS)
    found = [tuple(change for change in combination if change) for combination in combinations]
    for changes in sorted(found, key=len):
        yield changes, replace(options, **dict(changes))


def explain(
    task: Task[Any, Any, Any],
    inputs: Inputs,
    options: Any,
    metric: str,
    number: TargetNumber,
    run: Run,
) -> list[Explanation]:
    """Score one submission with every choice of options, and keep those that give the number.

    The fewest changes come first, the metric asked for before others. What cannot be scored with
    some options is passed over. Raises Cancelled.
    """
    found: list[Explanation] = []
    base: Evaluation | None = None
    for count, (changes, changed) in enumerate(variants(options)):
        run.report(count, 0, "trying other options")
        evaluation = _scored(task, inputs, changed, run)
        if evaluation is None:
            continue
        base = base or evaluation
        found += [
            Explanation(
                changes, one.metric, one.value, _moves(task, base, evaluation, one.metric, run)
            )
            for one in evaluation.scores
            if number.is_met(one.value) and not _is_known(found, changes, one.metric)
        ]
    return sorted(found, key=lambda one: (one.metric != metric, len(one.changes)))


def _is_known(found: list[Explanation], changes: tuple[tuple[str, Json], ...], metric: str) -> bool:
    """Whether fewer of the same changes give the number already."""
    return any(one.metric == metric and set(one.changes) <= set(changes) for one in found)


def _scored(task: Task[Any, Any, Any], inputs: Inputs, options: Any, run: Run) -> Evaluation | None:
    try:
        result = score_submissions(task, inputs, options, run, resamples=0)
    except UsageError:
        return None
    return next(iter(result.evaluations), None)


def _moves(
    task: Task[Any, Any, Any], base: Evaluation, other: Evaluation, metric: str, run: Run
) -> tuple[ItemDifference, ...]:
    """The items that differ; none where nothing was changed."""
    return () if base is other else tuple(item_differences(task, base, other, metric, run.check))
