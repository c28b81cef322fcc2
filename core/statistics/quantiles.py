"""Quantiles of the normal, Student's t and beta distributions without SciPy, whose import is slow.

Source of the continued fraction of the incomplete beta function: Press et al., Numerical Recipes
(2007), section 6.4.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

TINY = 1e-300
STEPS = 10_000
SMALLEST_STEP = 1e-13
"""Relative precision of a beta quantile."""


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


@lru_cache(maxsize=4096)
def beta_quantile(probability: float, a: float, b: float) -> float:
    """Return the quantile of the beta distribution of a probability (0 to 1)."""
    low, high = 0.0, 1.0
    while high - low > SMALLEST_STEP * high and high > TINY:
        middle = (low + high) / 2
        is_below = _incomplete_beta(middle, a, b) < probability
        low, high = (middle, high) if is_below else (low, middle)
    return high


def _upper_tail(t: float, degrees: float) -> float:
    return 0.5 * _incomplete_beta(degrees / (degrees + t * t), degrees / 2, 0.5)


def _incomplete_beta(x: float, a: float, b: float) -> float:
    """Return the regularized incomplete beta function of x (above 0 to 1)."""
    logarithm = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    if x == 1.0:
        return 1.0
    front = math.exp(logarithm + a * math.log(x) + b * math.log1p(-x))
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(a, b, x) / a
    return 1 - front * _fraction(b, a, 1 - x) / b


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
