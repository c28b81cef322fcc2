"""Curves of precision and recall of the queries, and of all of them as one list."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from jurydesk.core.metrics.spotting.block_curves import BlockCurves, block_curves
from jurydesk.core.metrics.spotting.claims import HIT
from jurydesk.core.metrics.spotting.protocols import SpottingRules
from jurydesk.core.model.evaluation import BoolArray, IntArray
from jurydesk.core.tasks.keyword_spotting.overlap.spot_lists import SpottingMatch


def unit_curves(matching: SpottingMatch, *, interpolate: bool | None = None) -> BlockCurves:
    """Return the curve of each unit; with other interpolation than the rules' if it is given."""
    verdict = matching.claims.verdict
    counted = matching.counted(np.arange(len(verdict)))
    return curves_of(matching, verdict, counted, matching.relevant_counts, interpolate=interpolate)


def curves_of(
    matching: SpottingMatch,
    verdict: npt.NDArray[np.int8],
    counted: BoolArray,
    relevant: IntArray,
    *,
    interpolate: bool | None = None,
) -> BlockCurves:
    """Return the curve of each unit with these verdicts (n,), of which some are counted."""
    rows, owners = matching.by_unit
    kept = counted[rows]
    if not kept.all():
        rows, owners = rows[kept], owners[kept]
    rules = _with_interpolation(matching.rules, interpolate)
    return block_curves(owners, matching.scores[rows], verdict[rows] == HIT, relevant, rules)


def whole_curve(matching: SpottingMatch, *, interpolate: bool | None = None) -> BlockCurves:
    """Return the curve of all lists as one."""
    rows = matching.as_one_list
    kept = matching.counted(rows)
    rows = rows if kept.all() else rows[kept]
    is_hit = matching.claims.verdict[rows] == HIT
    total = np.array([matching.relevant_counts.sum()])
    owner = np.zeros(len(rows), np.int64)
    rules = _with_interpolation(matching.rules, interpolate)
    return block_curves(owner, matching.scores[rows], is_hit, total, rules)


def _with_interpolation(rules: SpottingRules, interpolate: bool | None) -> SpottingRules:
    return rules if interpolate is None else replace(rules, interpolate=interpolate)


def mean_of_units(curves: BlockCurves, units: IntArray, rules: SpottingRules) -> float:
    """Return the mean AP of some units, 0 without any as in kws-eval."""
    values = curves.average_precisions(trapezoid=rules.trapezoid)[units]
    return float(values.mean()) if len(values) else 0.0


def mean_and_global(matching: SpottingMatch) -> tuple[float, float]:
    """Return mAP and gAP."""
    whole = whole_curve(matching).average_precisions(trapezoid=matching.rules.trapezoid)
    mean = mean_of_units(unit_curves(matching), matching.used_units(), matching.rules)
    return mean, float(whole[0])
