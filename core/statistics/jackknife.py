"""Jackknife variances of statistics over one sample, or over two crossed ones.

Sources: Efron and Tibshirani, An Introduction to the Bootstrap (1993), chapter 11; Satterthwaite,
An Approximate Distribution of Estimates of Variance Components (1946).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from jurydesk.core.model.evaluation import FloatArray
from jurydesk.core.statistics.bootstrap import LEVEL
from jurydesk.core.statistics.quantiles import student_quantile

Part = tuple[float, float]
"""A part of a variance, and its degrees of freedom."""


def jackknife_variance(values: FloatArray) -> Part:
    """Return the variance of a statistic from its values (n,) without each element in turn."""
    count = len(values)
    spread = float(((values - values.mean()) ** 2).sum())
    return (count - 1) / count * spread, count - 1


def sum_of_variances(parts: Sequence[Part]) -> Part:
    """Return the sum of independent variances, with Satterthwaite's degrees, at least 1."""
    total = sum(variance for variance, _ in parts)
    inverse = sum(variance**2 / degrees for variance, degrees in parts)
    return total, max(1.0, total**2 / inverse) if inverse > 0 else 1.0


def student_ends(value: float, variance: Part, level: float = LEVEL) -> tuple[float, float]:
    """Return the ends of Student's t interval of a value with this variance."""
    reach = student_quantile(variance[1], 0.5 + level / 2) * math.sqrt(variance[0])
    return value - reach, value + reach


def without_each(count: int) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """Return masks (count, count) that leave out each of so many elements in turn."""
    return ~np.eye(count, dtype=np.bool_)
