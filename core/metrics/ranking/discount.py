"""Rank discounts of cumulated gain."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Literal

import numpy as np

from jurydesk.core.model.evaluation import FloatArray, IntArray

Discount = Literal["log2", "icfhr"]
_LARGEST_TABLE = 1 << 20


def _log2(rank: int) -> float:
    """Järvelin and Kekäläinen, "Cumulated gain-based evaluation", TOIS 20 (2002)."""
    return math.log2(rank + 1)


def _icfhr(rank: int) -> float:
    """ICFHR 2014 competition program; the second rank weighs more than the first."""
    return 1.0 if rank == 1 else math.log(rank)


_RULES: dict[Discount, Callable[[int], float]] = {"log2": _log2, "icfhr": _icfhr}


def discounts(rule: Discount, ranks: IntArray) -> FloatArray:
    """Return the divisors (items,) of the gains at ranks (items,), which are 1-based.

    The logarithms are the C library's: NumPy's differ in the last bit on some processors.
    """
    highest = int(ranks.max(initial=1))
    if highest < _LARGEST_TABLE:
        return _table(rule, 1 << highest.bit_length())[ranks]
    distinct, codes = np.unique(ranks, return_inverse=True)
    return np.array([_RULES[rule](rank) for rank in distinct.tolist()])[codes]


def binary_logarithms(numbers: IntArray) -> FloatArray:
    """Return log2 (n,) of integers (n,) above 1."""
    return discounts("log2", numbers - 1)


@lru_cache(maxsize=4)
def _table(rule: Discount, size: int) -> FloatArray:
    return np.array([float("nan"), *map(_RULES[rule], range(1, size))])
