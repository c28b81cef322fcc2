"""Pairs of listed and judged words that agree in some columns, found without a loop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from core.model import IntArray

Column = npt.NDArray[np.integer[Any]]
Pairs = tuple[IntArray, IntArray]
"""Rows of the results and rows of the relevance file, in the order of both files."""

MOST_PAIRS = 2**21
PIECE = 2**16
_FACTORS = [np.uint64(pow(0x9E3779B97F4A7C15, 2 * n + 1, 2**64)) for n in range(8)]
_FILTER_BITS = np.uint64(18)
"""Few rows pass by chance beside a competition's 5,000 words, and the filter stays in the cache."""


def equal_rows(listed: Sequence[Column], judged: Sequence[Column]) -> Iterator[Pairs]:
    """All pairs of rows with equal values in every column, a few million at a time.

    `judged` is the small side. A pair is proposed by a key of its values and then compared value
    by value, so that a collision of keys costs time and nothing else.
    """
    judged_keys = _keys(judged)
    order = np.argsort(judged_keys, kind="stable")
    ordered = judged_keys[order]
    rows = _possible_rows(listed, ordered)
    wanted = _keys([column[rows] for column in listed])
    lows, highs = np.searchsorted(ordered, wanted), np.searchsorted(ordered, wanted, side="right")
    for chunk in _chunks(highs - lows):
        counts = (highs - lows)[chunk]
        listed_rows = np.repeat(rows[chunk], counts)
        within = np.arange(len(listed_rows)) - np.repeat(np.cumsum(counts) - counts, counts)
        judged_rows = order[np.repeat(lows[chunk], counts) + within]
        agree = np.ones(len(listed_rows), np.bool_)
        for left, right in zip(listed, judged, strict=True):
            agree &= left[listed_rows] == right[judged_rows]
        yield listed_rows[agree], judged_rows[agree]


def _keys(columns: Sequence[Column]) -> npt.NDArray[np.uint64]:
    keys = np.zeros(len(columns[0]), np.uint64)
    for column, factor in zip(columns, _FACTORS, strict=False):
        keys += column.astype(np.uint64) * factor
    return keys


def _possible_rows(
    columns: Sequence[Column], wanted: npt.NDArray[np.uint64]
) -> npt.NDArray[np.int64]:
    """The rows whose key begins with the same bits as a wanted one: few, and all that matter.

    The columns are looked at in pieces that stay in the processor's cache.
    """
    shift = np.uint64(64) - _FILTER_BITS
    possible = np.zeros(2 ** int(_FILTER_BITS), np.bool_)
    possible[wanted >> shift] = True
    found = [np.empty(0, np.int64)]
    for start in range(0, len(columns[0]), PIECE):
        keys = _keys([column[start : start + PIECE] for column in columns])
        found.append(np.flatnonzero(possible[keys >> shift]) + start)
    return np.concatenate(found)


def _chunks(counts: IntArray) -> Iterator[slice]:
    """Consecutive rows that make about `MOST_PAIRS` pairs together."""
    ends = np.cumsum(counts)
    start = 0
    while start < len(counts):
        before = ends[start - 1] if start else 0
        end = max(start + 1, int(np.searchsorted(ends, before + MOST_PAIRS, side="right")))
        yield slice(start, end)
        start = end
