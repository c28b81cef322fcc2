"""Intervals of differences that agree with p values corrected for all pairs."""

from __future__ import annotations

import math

import numpy as np

from jurydesk.core.language import fill
from jurydesk.core.model.evaluation import FloatArray, Interval
from jurydesk.core.statistics.bootstrap import LEVEL
from jurydesk.core.statistics.quantiles import student_quantile

CLEARANCE = 1e-6
"""Relative distance of an end from 0 where rounding, or unequal groups, would contradict p."""


def corrected_intervals(
    means: FloatArray, errors: FloatArray, critical: FloatArray, corrected: FloatArray
) -> list[Interval | None]:
    """Return the interval of each pair: mean, less and plus its critical value times its error.

    All arrays are (pairs,); `critical` are t values of the steps in which the pairs were tested. An
    interval excludes 0 exactly where the corrected p is significant; None if it is undefined.
    """
    found: list[Interval | None] = []
    for mean, error, wanted, p in zip(
        *(one.tolist() for one in (means, errors, critical, corrected)), strict=True
    ):
        if not (math.isfinite(mean) and math.isfinite(error) and math.isfinite(p)):
            found.append(None)
            continue
        is_significant = p < 1 - LEVEL
        reach = _reach(abs(mean), error, wanted, is_significant=is_significant)
        method = fill("standard error times the corrected critical value {value:.2f}", wanted)
        found.append(Interval(mean - reach, mean + reach, LEVEL, method))
    return found


def _reach(size: float, error: float, critical: float, *, is_significant: bool) -> float:
    reach = critical * error if error > 0 else 0.0
    if is_significant:
        return min(reach, size * (1 - CLEARANCE)) if math.isfinite(reach) else size
    return max(reach, size * (1 + CLEARANCE))


def holm_critical(p: FloatArray, corrected: FloatArray, degrees: FloatArray) -> FloatArray:
    """Return the critical t values (pairs,) of the steps in which Holm's procedure tests pairs."""
    critical = np.full(p.shape, np.nan)
    tests = np.flatnonzero(np.isfinite(p))
    order = tests[np.argsort(p[tests], kind="stable")].tolist()
    rejected = int((corrected[order] < 1 - LEVEL).sum()) if order else 0
    for place, row in enumerate(order):
        left = max(1, len(order) - min(place, rejected))
        critical[row] = student_quantile(float(degrees[row]), 1 - (1 - LEVEL) / (2 * left))
    return critical
