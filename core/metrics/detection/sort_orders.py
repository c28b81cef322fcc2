"""Orders of unstable sorts, needed to reproduce the ties of the original programs.

Each sort ends with insertions, which are stable: its result is a stable sort of the partitioned
array, and parts without ties need no partitioning. Sources: torch7, lib/TH/generic/THTensorMath.c
(also torch 1.4); libstdc++, bits/stl_algo.h and bits/stl_heap.h (torch 2); numpy,
npysort/quicksort.cpp (arrays of text).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from jurydesk.core.model.evaluation import FloatArray, IntArray

TORCH7_LARGEST = 10
"""Size of a part that torch7 leaves to the insertions; whole arrays have one element more."""
STD_LARGEST = 16
NUMPY_LARGEST = 16


def torch7_descending(values: FloatArray) -> IntArray:
    """Return the indices (n,) that sort `values` (n,), without NaN, as torch7 and torch 1.4 do."""
    if len(values) <= TORCH7_LARGEST + 1:
        return np.argsort(-values, kind="stable")
    return _partitioned_order(-values, TORCH7_LARGEST, _torch7_partition)


def std_descending(values: FloatArray) -> IntArray:
    """Return the indices (n,) that sort `values` (n,), without NaN, as torch 2 does.

    Its sort is libstdc++'s introsort, which sorts a part by a heap after too many partitions.
    """
    return _partitioned_order(-values, STD_LARGEST, _std_partition, _heap_sort)


def numpy_text_descending(texts: Sequence[str]) -> IntArray:
    """Return the reversed order (n,) in which numpy's quicksort sorts texts (n,)."""
    keys = np.unique(np.array(texts, np.str_), return_inverse=True)[1].reshape(-1)
    return _partitioned_order(keys, NUMPY_LARGEST, _numpy_partition)[::-1]


Keys = FloatArray | IntArray
Partition = Callable[[Keys, IntArray, int, int], tuple[int, int]]
"""Partitions a part, first to last; returns the last index of the left and the first of the right
part."""


def _partitioned_order(
    values: Keys,
    largest: int,
    partition: Partition,
    sort_rest: Callable[[Keys, IntArray, int, int], None] | None = None,
) -> IntArray:
    """Return the order of a quicksort, ascending, that leaves parts of `largest` to insertions."""
    order = np.arange(len(values))
    keys = values.copy()
    parts = [(0, len(keys) - 1, 2 * (max(len(keys), 1).bit_length() - 1))]
    while parts:
        first, last, depth = parts.pop()
        if last - first + 1 <= largest or not _has_ties(keys[first : last + 1]):
            continue
        if depth == 0 and sort_rest is not None:
            sort_rest(keys, order, first, last)
            continue
        end, start = partition(keys, order, first, last)
        parts.append((first, end, depth - 1))
        parts.append((start, last, depth - 1))
    return order[np.argsort(keys, kind="stable")]


def _has_ties(values: Keys) -> bool:
    ascending = np.sort(values)
    return bool((ascending[1:] == ascending[:-1]).any())


def _swap(keys: Keys, order: IntArray, i: int, j: int) -> None:
    keys[i], keys[j] = keys[j], keys[i]
    order[i], order[j] = order[j], order[i]


def _scan(
    keys: Keys, order: IntArray, from_left: IntArray, from_right: IntArray, *, passes: bool = False
) -> tuple[int, int]:
    """Swap the stops of two scans until they cross; return where each stops then.

    The scans stop at values that are not smaller, and not greater, than the pivot. Swapped
    elements are never scanned again, so the stops of both can be listed beforehand: the k-th stop
    from the left is swapped with the k-th from the right. After crossing, each may also stop at an
    element that the other has moved. Scans that meet on an element end there unless both `passes`.
    """
    shorter = min(len(from_left), len(from_right))
    swaps = int(np.count_nonzero(from_left[:shorter] < from_right[:shorter]))
    one, other = from_left[:swaps], from_right[:swaps]
    for array in (keys, order):
        array[one], array[other] = array[other], array[one]
    met = passes and swaps < shorter and bool(from_left[swaps] == from_right[swaps])
    rest = slice(swaps + met, swaps + met + 1)
    next_left = int(min([*from_left[rest], *other[-1:]]))
    next_right = int(max([*from_right[rest], *one[-1:]], default=-1))
    return next_left, next_right


def _stops(keys: Keys, pivot: float, first: int, last: int) -> tuple[IntArray, IntArray]:
    """Return the stops of both scans from `first` to `last`, each in the order of its scan."""
    part = keys[first : last + 1]
    return first + np.flatnonzero(part >= pivot), first + np.flatnonzero(part <= pivot)[::-1]


def _torch7_partition(keys: Keys, order: IntArray, first: int, last: int) -> tuple[int, int]:
    """Partition around the median of three; scans that meet on an element both step past it."""
    _swap(keys, order, (first + last) >> 1, first + 1)
    if keys[first + 1] > keys[last]:
        _swap(keys, order, first + 1, last)
    if keys[first] > keys[last]:
        _swap(keys, order, first, last)
    if keys[first + 1] > keys[first]:
        _swap(keys, order, first + 1, first)
    from_left = _stops(keys, float(keys[first]), first + 2, last)[0]
    from_right = _stops(keys, float(keys[first]), first + 1, last - 1)[1]
    start, end = _scan(keys, order, from_left, from_right, passes=True)
    _swap(keys, order, first, end)
    return end - 1, start


def _std_partition(keys: Keys, order: IntArray, first: int, last: int) -> tuple[int, int]:
    """Partition around the median of three, which stays first in the left part."""
    left, middle, right = first + 1, first + (last + 1 - first) // 2, last
    a, b, c = keys[left], keys[middle], keys[right]
    if a < b:
        median = middle if b < c else right if a < c else left
    else:
        median = left if a < c else right if b < c else middle
    _swap(keys, order, first, median)
    from_left, from_right = _stops(keys, float(keys[first]), first + 1, last)
    start, _ = _scan(keys, order, from_left, from_right)
    return start - 1, start


def _numpy_partition(keys: Keys, order: IntArray, first: int, last: int) -> tuple[int, int]:
    """Partition around the median of three, which ends up between the parts.

    numpy would sort a part by a heap after too many partitions, which no input is known to reach.
    """
    middle = first + ((last - first) >> 1)
    if keys[middle] < keys[first]:
        _swap(keys, order, middle, first)
    if keys[last] < keys[middle]:
        _swap(keys, order, last, middle)
    if keys[middle] < keys[first]:
        _swap(keys, order, middle, first)
    pivot = float(keys[middle])
    _swap(keys, order, middle, last - 1)
    from_left = _stops(keys, pivot, first + 1, last - 1)[0]
    from_right = _stops(keys, pivot, first, last - 2)[1]
    start, _ = _scan(keys, order, from_left, from_right)
    _swap(keys, order, start, last - 1)
    return start - 1, start + 1


def _heap_sort(keys: Keys, order: IntArray, first: int, last: int) -> None:
    """Sort a part by a heap, ascending, as libstdc++'s make_heap and sort_heap do."""
    part = list(zip(keys[first : last + 1].tolist(), order[first : last + 1].tolist(), strict=True))
    for parent in range(len(part) // 2 - 1, -1, -1):
        _sift(part, parent, len(part), part[parent])
    for end in range(len(part) - 1, 0, -1):
        value, part[end] = part[end], part[0]
        _sift(part, 0, end, value)
    keys[first : last + 1] = [key for key, _ in part]
    order[first : last + 1] = [place for _, place in part]


def _sift(heap: list[tuple[float, int]], top: int, size: int, value: tuple[float, int]) -> None:
    """Move the hole at `top` down to a leaf, then `value` up from there, by its key alone."""
    hole, child = top, 2 * top + 2
    while child < size:
        if heap[child][0] < heap[child - 1][0]:
            child -= 1
        heap[hole] = heap[child]
        hole, child = child, 2 * child + 2
    if child == size:
        heap[hole] = heap[child - 1]
        hole = child - 1
    while hole > top and heap[(hole - 1) // 2][0] < value[0]:
        heap[hole] = heap[(hole - 1) // 2]
        hole = (hole - 1) // 2
    heap[hole] = value
