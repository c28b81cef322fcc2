"""Unstable descending sort of torch7, needed to reproduce its order of ties.

torch7 used Sedgewick's quicksort (median of three; parts of up to ten elements are left to a final
insertion pass). The insertion pass is stable, so it is equivalent to a stable sort of the
partitioned array, and parts without ties need no partitioning.
Source: torch7, lib/TH/generic/THTensorMath.c.
"""

from __future__ import annotations

import numpy as np

from jurydesk.core.model.evaluation import FloatArray, IntArray

CUT_OFF = 10  # parts of up to 10 elements, and whole arrays of up to 11, see no partitioning


def torch_descending(values: FloatArray) -> IntArray:
    """Return the indices (n,) that sort `values` (n,), without NaN, as torch7 does."""
    order = np.arange(len(values))
    if len(values) > CUT_OFF + 1 and _has_ties(values):
        keys = values.copy()
        _partition_ties(keys, order)
        return order[np.argsort(-keys, kind="stable")]
    return np.argsort(-values, kind="stable")


def _has_ties(values: FloatArray) -> bool:
    ascending = np.sort(values)
    return bool((ascending[1:] == ascending[:-1]).any())


def _partition_ties(keys: FloatArray, order: IntArray) -> None:
    parts = [(0, len(keys) - 1)]
    while parts:
        left, right = parts.pop()
        if right - left >= CUT_OFF and _has_ties(keys[left : right + 1]):
            middle, after = _partition(keys, order, left, right)
            parts.append((left, middle))
            parts.append((after, right))


def _swap(keys: FloatArray, order: IntArray, i: int, j: int) -> None:
    keys[i], keys[j] = keys[j], keys[i]
    order[i], order[j] = order[j], order[i]


def _partition(keys: FloatArray, order: IntArray, left: int, right: int) -> tuple[int, int]:
    """Partition around the median of three; return the end of the left and start of the right part.

    The two scans stop at values that are not greater, and not smaller, than the pivot. Swapped
    elements are never scanned again, so the stops of both scans can be listed beforehand: the
    k-th stop from the left is swapped with the k-th from the right until they cross.
    """
    _swap(keys, order, (left + right) >> 1, left + 1)
    if keys[left + 1] < keys[right]:
        _swap(keys, order, left + 1, right)
    if keys[left] < keys[right]:
        _swap(keys, order, left, right)
    if keys[left + 1] < keys[left]:
        _swap(keys, order, left + 1, left)
    pivot = keys[left]

    part = keys[left + 2 : right + 1]
    from_left = left + 2 + np.flatnonzero(part <= pivot)
    part = keys[left + 1 : right]
    from_right = left + 1 + np.flatnonzero(part >= pivot)[::-1]
    shorter = min(len(from_left), len(from_right))
    swaps = int(np.count_nonzero(from_left[:shorter] < from_right[:shorter]))
    one, other = from_left[:swaps], from_right[:swaps]
    for array in (keys, order):
        array[one], array[other] = array[other], array[one]

    # If both scans meet on one element, both step past it. After crossing, each may also stop at
    # an element that the other has moved.
    met = swaps < shorter and from_left[swaps] == from_right[swaps]
    rest = slice(swaps + met, swaps + met + 1)
    first = int(min([*from_left[rest], *other[-1:]]))
    last = int(max([*from_right[rest], *one[-1:]]))
    _swap(keys, order, left, last)
    return last - 1, first
