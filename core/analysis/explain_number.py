"""Search for the options that give a number from a paper or a message."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

from jurydesk.core.analysis.comparison.item_differences import ItemDifference, item_differences
from jurydesk.core.competition.task import Inputs, Task
from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.language import fill, translatable
from jurydesk.core.model.evaluation import Evaluation, Json, UsageError
from jurydesk.core.model.input_file import files_by_role

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

MAX_VARIANTS = 256
ROUNDING_TOLERANCE = 0.5 + 1e-6
"""Tolerance of a rounded number, in units of its last decimal."""


@dataclass(frozen=True, slots=True)
class TargetNumber:
    """Number with as many decimals as were written."""

    value: float
    decimals: int

    def is_met(self, found: float) -> bool:
        """Return whether `found`, or `found` in percent, rounds or truncates to the number."""
        return any(self._is_written(found * scale) for scale in (1.0, 100.0))

    def difference(self, found: float) -> float:
        """Return `found` minus the number, in percent if that is nearer; NaN if undefined."""
        return min((found * scale - self.value for scale in (1.0, 100.0)), key=abs)

    def _is_written(self, found: float) -> bool:
        if not math.isfinite(found):
            return False
        unit = 10.0**self.decimals
        written, exact = round(self.value * unit), found * unit
        return abs(exact - written) <= ROUNDING_TOLERANCE or math.trunc(exact) == written


def parse_target(text: str) -> TargetNumber:
    """Parse a text such as `0.231` or `23.1`; raise UsageError if it is not a number."""
    try:
        number = Decimal(text.strip().rstrip("%").strip().replace(",", "."))
    except InvalidOperation:
        number = Decimal("NaN")
    exponent = number.as_tuple().exponent
    if not number.is_finite() or not isinstance(exponent, int):
        raise UsageError(fill('"{text}" is not a number.', text))
    return TargetNumber(float(number), max(0, -exponent))


@dataclass(frozen=True, slots=True)
class Explanation:
    """Options that were tried: the `changes` from the options in use, and the score they give.

    `metric` differs from the requested one only if another metric gives the number; `moves` are the
    items that differ, the largest difference first, if the options give the number. `difference` is
    the score minus the number, in the scale of the number.
    """

    changes: tuple[tuple[str, Json], ...]
    metric: str
    value: float
    moves: tuple[ItemDifference, ...]
    is_match: bool = True
    difference: float = 0.0
    stamps: tuple[Json, ...] = ()
    """Stamps of the results before and after the changes, if the options give the number."""


def variants(options: Any) -> Iterator[tuple[tuple[tuple[str, Json], ...], Any]]:
    """Yield all combinations of options with choices, with their changes, the fewest first."""
    chosen = []
    for entry in fields(options):
        current = getattr(options, entry.name)
        values = (False, True) if isinstance(current, bool) else entry.metadata.get("choices", ())
        if values and isinstance(current, str | bool):
            chosen.append([(entry.name, value) for value in values if value != current])
    found = (
        changes
        for count in range(len(chosen) + 1)
        for options_changed in itertools.combinations(chosen, count)
        for changes in itertools.product(*options_changed)
    )
    for changes in itertools.islice(found, MAX_VARIANTS):
        yield changes, replace(options, **dict(changes))


def explain(
    task: Task[Any, Any, Any],
    inputs: Inputs,
    options: Any,
    metric: str,
    number: TargetNumber,
    run: Run,
) -> list[Explanation]:
    """Score one submission with every choice of options; those that give the number come first.

    Of these, the fewest changes come first, and the requested metric before others; options that
    only add changes to others that give the number are left out. The other choices follow with the
    requested metric, the nearest first. Options with which the files cannot be scored are skipped.
    Raises Cancelled.
    """
    found: list[Explanation] = []
    others: list[Explanation] = []
    base: Evaluation | None = None
    for count, (changes, changed) in enumerate(variants(options)):
        run.report(count, 0, translatable("trying other options"))
        evaluation = _score(task, inputs, changed, run)
        if evaluation is None:
            continue
        base = base or evaluation
        for one in evaluation.scores:
            difference = number.difference(one.value)
            if not number.is_met(one.value):
                if one.metric == metric and math.isfinite(difference):
                    others.append(Explanation(changes, metric, one.value, (), False, difference))
            elif not _is_known(found, changes, one.metric):
                moves = _moves(task, base, evaluation, one.metric, run)
                stamps = (base.stamp, evaluation.stamp)
                found.append(
                    Explanation(changes, one.metric, one.value, moves, True, difference, stamps)
                )
    found.sort(key=lambda one: (one.metric != metric, len(one.changes)))
    others.sort(key=lambda one: (abs(one.difference), len(one.changes)))
    return found + others


def _is_known(found: list[Explanation], changes: tuple[tuple[str, Json], ...], metric: str) -> bool:
    """Return whether a subset of the changes gives the number already."""
    return any(one.metric == metric and set(one.changes) <= set(changes) for one in found)


def _score(task: Task[Any, Any, Any], inputs: Inputs, options: Any, run: Run) -> Evaluation | None:
    try:
        result = score_submissions(task, files_by_role(inputs), options, run, resamples=0)
    except UsageError:
        return None
    return next(iter(result.evaluations), None)


def _moves(
    task: Task[Any, Any, Any], base: Evaluation, other: Evaluation, metric: str, run: Run
) -> tuple[ItemDifference, ...]:
    return () if base is other else tuple(item_differences(task, base, other, metric, run.check))
