"""Quantiles of the normal and Student's t distributions without SciPy, whose import is slow.

Source of the continued fraction of the incomplete beta function: Press et al., Numerical Recipes
(2007), section 6.4.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

TINY = 1e-300
STEPS = 10_000


@lru_cache(maxsize=256)
def normal_quantile(probability: float) -> float:
    """Return the standard normal quantile of a probability (0.5 to 1)."""
    return _root(lambda z: 0.5 * math.erfc(z / math.sqrt(2)), 1 - probability)


@lru_cache(maxsize=256)
def student_quantile(degrees: float, probability: float) -> float:
    """Return the quantile of Student's t distribution of a probability (0.5 to 1)."""
    return _root(lambda t: _upper_tail(t, degrees), 1 - probability)


def _root(upper_tail: Callable[[float], float], tail: float) -> float:
    """Return the argument where a decreasing function equals `tail`, by bisection from 0."""
    low, high = 0.0, 1.0
    while upper_tail(high) > tail:
        low, high = high, 2 * high
    while (middle := (low + high) / 2) not in (low, high):
        low, high = (middle, high) if upper_tail(middle) > tail else (low, middle)
    return high


def _upper_tail(t: float, degrees: float) -> float:
    x = degrees / (degrees + t * t)
    half = degrees / 2
    logarithm = math.lgamma(half + 0.5) - math.lgamma(half) - math.lgamma(0.5)
    if x == 1.0:
        return 0.5
    front = math.exp(logarithm + half * math.log(x) + 0.5 * math.log1p(-x))
    if x < (half + 1) / (half + 2.5):
        return 0.5 * front * _fraction(half, 0.5, x) / half
    return 0.5 * (1 - front * _fraction(0.5, half, 1 - x) / 0.5)


def _fraction(a: float, b: float, x: float) -> float:
    """Return the continued fraction of the incomplete beta function (Lentz's method)."""
    c, d = 1.0, 1 / _nonzero(1 - (a + b) * x / (a + 1))
    fraction = d
    for m in range(1, STEPS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d, c = 1 / _nonzero(1 + term * d), _nonzero(1 + term / c)
            fraction *= d * c
        if abs(d * c - 1) < 1e-16:
            break
    return fraction


def _nonzero(value: float) -> float:
    return value if abs(value) > TINY else TINY
