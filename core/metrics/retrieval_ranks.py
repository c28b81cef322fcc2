"""Ranks of the correct candidates in a matrix of similarities, in both directions.

Sources: fartashf/vsepp, `evaluation.py` (i2t, t2i); trec_eval, open_clip (orders of ties).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from jurydesk.core.model.evaluation import FloatArray, IntArray

Matrix = npt.NDArray[Any]
BLOCK_BYTES = 24 << 20
"""Memory of one block of similarities, small enough for the processor's cache to help."""
MOST_ROWS = 255
"""Rows of a block, so that counts over its rows fit into a byte."""
GATHERED_BYTES = 160 << 20
"""Memory of the columns of captions with ties that are collected at a time."""
ORDERS = ("numpy", "last", "first", "best", "worst", "expected")
"""Orders of candidates with equal similarities."""
INDEXED = ("numpy", "last", "first")
"""Orders that depend on the positions of the candidates."""
CUTOFFS = (1, 5, 10)


class SimilaritySource(Protocol):
    """Similarities (images, captions), captions sorted by image.

    `starts` (images + 1,) are the first captions of the images, `step` is the number of images in a
    block, at most `MOST_ROWS`.
    """

    @property
    def starts(self) -> IntArray:
        """First caption of each image, and the number of captions."""

    @property
    def step(self) -> int:
        """Number of images in a block."""

    def rows(self, start: int, stop: int) -> Matrix:
        """Return the similarities of some images to all captions."""

    def own(self, start: int, stop: int) -> Matrix:
        """Return those of some images to their own captions alone, bitwise as in `rows`."""


@dataclass(frozen=True, slots=True, eq=False)
class QueryRanks:
    """Ranks of the queries of one direction, counted from 0, each array (queries,).

    Attributes:
        greater: Number of candidates with a greater similarity than the best own one.
        foreign: Number of others with an equal one.
        tied: Number of own candidates with this similarity.
        rank: Rank in the chosen order of ties; the mean over all orders for `expected`.
        own, best_foreign: Similarity of the best own candidate, and of the best other one.
        top: Index of the candidate with the greatest similarity, the first of equal ones.
    """

    greater: IntArray
    foreign: IntArray
    tied: IntArray
    rank: FloatArray
    own: FloatArray
    best_foreign: FloatArray
    top: IntArray

    @property
    def worst(self) -> IntArray:
        """Rank if all others with an equal similarity are placed first."""
        return self.greater + self.foreign

    def recall(self, k: int, ties: str) -> FloatArray:
        """Return whether each rank is below `k`; its probability for `expected`."""
        found = (self.rank < k).astype(np.float64)
        if ties == "expected":
            for query in np.flatnonzero(self.foreign).tolist():
                found[query] = 1.0 - self._beyond(query, k)
        return found

    def reciprocal(self, ties: str) -> FloatArray:
        """Return the reciprocal ranks; their mean over all orders for `expected`."""
        values = 1.0 / (self.rank + 1.0)
        if ties == "expected":
            for query in np.flatnonzero(self.foreign).tolist():
                places = np.arange(1.0, self.foreign[query] + 1.0)
                beyond = self._survival(query)
                inverse = 1.0 / (self.greater[query] + 1.0 + np.append(0.0, places))
                values[query] = float((-np.diff(np.append(beyond, 0.0))) @ inverse)
        return values

    def _survival(self, query: int) -> FloatArray:
        """Return the probability that at least 0, 1, ... foreign candidates come first."""
        foreign, tied = int(self.foreign[query]), int(self.tied[query])
        left = np.arange(foreign, 0, -1.0)
        return np.append(1.0, np.cumprod(left / (left + tied)))

    def _beyond(self, query: int, k: int) -> float:
        """Return the probability of a rank of at least `k`."""
        first = k - int(self.greater[query])
        if first <= 0:
            return 1.0
        return float(self._survival(query)[first]) if first <= self.foreign[query] else 0.0


def rank_both(
    source: SimilaritySource,
    positions: IntArray,
    ties: str,
    check: Callable[[int], None],
) -> tuple[QueryRanks, QueryRanks]:
    """Rank captions for every image, and images for every caption.

    Args:
        source: Similarities, with captions sorted by image.
        positions: Original position (captions,) of each caption, which decides ties.
        ties: One of `ORDERS`.
        check: Function called with the number of finished images; it may raise to stop.

    Images without captions get NaN ranks. Captions are in the order of the source.
    """
    starts, images = source.starts, len(source.starts) - 1
    owner = np.repeat(np.arange(images), np.diff(starts))
    captions, step = len(owner), source.step
    own = np.concatenate([_own_values(source, start, step) for start in range(0, images, step)])
    i2t = _Counts(images, own.dtype)
    t2i = _Counts(captions, own.dtype)
    t2i.own[:] = own
    for start in range(0, images, step):
        stop = min(start + step, images)
        block = source.rows(start, stop)
        _count_rows(i2t, block, starts, start, positions, ties)
        _count_columns(t2i, block, starts, start)
        check(stop)
    t2i.tied[:] = 1
    t2i.foreign -= 1  # the own image equals itself
    t2i.rank[:] = t2i.greater + _share(ties, 1) * t2i.foreign
    if ties in INDEXED:
        _order_columns(t2i, source, owner, step, ties, check)
    return i2t.ranks(), t2i.ranks()


def _own_values(source: SimilaritySource, start: int, step: int) -> Matrix:
    """Return the similarity of each caption of some images to its own image."""
    stop = min(start + step, len(source.starts) - 1)
    tile = source.own(start, stop)
    counts = np.diff(source.starts[start : stop + 1])
    return tile[np.repeat(np.arange(stop - start), counts), np.arange(tile.shape[1])]


class _Counts:
    """Arrays of `QueryRanks` that are filled block by block."""

    def __init__(self, queries: int, dtype: npt.DTypeLike) -> None:
        self.greater, self.foreign, self.tied, self.top = np.zeros((4, queries), np.int64)
        self.rank = np.full(queries, np.nan)
        self.own = np.full(queries, -np.inf, dtype)
        self.best_foreign = np.full(queries, -np.inf, dtype)
        self.highest = np.full(queries, -np.inf, dtype)

    def ranks(self) -> QueryRanks:
        own, foreign = self.own.astype(np.float64), self.best_foreign.astype(np.float64)
        return QueryRanks(self.greater, self.foreign, self.tied, self.rank, own, foreign, self.top)


def _count_rows(
    counts: _Counts, block: Matrix, starts: IntArray, first: int, positions: IntArray, ties: str
) -> None:
    """Count what images rank above their own captions, and order the ties."""
    for offset, row in enumerate(block):
        image = first + offset
        begin, end = int(starts[image]), int(starts[image + 1])
        counts.top[image] = row.argmax()
        if begin == end:
            continue
        mine = row[begin:end]
        best = mine.max()
        tied = int(np.count_nonzero(mine == best))
        greater = int(np.count_nonzero(row > best))
        equal = int(np.count_nonzero(row == best)) - tied
        counts.own[image], counts.tied[image] = best, tied
        counts.greater[image], counts.foreign[image] = greater, equal
        others = [part.max() for part in (row[:begin], row[end:]) if len(part)]
        if others:
            counts.best_foreign[image] = max(others)
        if equal and ties in INDEXED:
            values = np.empty_like(row)
            values[positions] = row
            counts.rank[image] = place_in_order(values, positions[begin:end], ties)
        else:
            counts.rank[image] = greater + _share(ties, tied) * equal


def _share(ties: str, tied: int) -> float:
    """Return the share of the equal foreign candidates that come before `tied` own ones."""
    return {"worst": 1.0, "expected": 1.0 / (tied + 1)}.get(ties, 0.0)


def _count_columns(counts: _Counts, block: Matrix, starts: IntArray, first: int) -> None:
    """Add what captions rank above their own image among the images of a block."""
    own = counts.own
    counts.greater += (block > own).view(np.uint8).sum(axis=0, dtype=np.uint8)
    counts.foreign += (block == own).view(np.uint8).sum(axis=0, dtype=np.uint8)
    highest = block.max(axis=0)
    new = highest > counts.highest
    counts.top[new] = first + block[:, new].argmax(axis=0)
    counts.highest[new] = highest[new]
    begin, end = int(starts[first]), int(starts[first + len(block)])
    tile = block[:, begin:end].copy()
    sizes = np.diff(starts[first : first + len(block) + 1])
    tile[np.repeat(np.arange(len(block)), sizes), np.arange(end - begin)] = -np.inf
    highest[begin:end] = tile.max(axis=0)
    np.maximum(counts.best_foreign, highest, out=counts.best_foreign)


def _order_columns(
    counts: _Counts,
    source: SimilaritySource,
    owner: IntArray,
    step: int,
    ties: str,
    check: Callable[[int], None],
) -> None:
    """Rank the captions with ties, whose columns are collected in a further pass."""
    images, tied = len(source.starts) - 1, np.flatnonzero(counts.foreign)
    size = max(1, GATHERED_BYTES // (8 * images))
    for part in (tied[at : at + size] for at in range(0, len(tied), size)):
        columns = np.empty((len(part), images), counts.own.dtype)
        for start in range(0, images, step):
            stop = min(start + step, images)
            columns[:, start:stop] = source.rows(start, stop)[:, part].T
            check(stop)
        for caption, values in zip(part.tolist(), columns, strict=True):
            counts.rank[caption] = place_in_order(values, owner[caption : caption + 1], ties)


def place_in_order(values: Matrix, own: IntArray, ties: str) -> int:
    """Return the best place of the `own` candidates among `values`, sorted descending.

    The order of equal values is that of `ties`: the higher index first (`last`), the lower one
    (`first`), or that of NumPy's quicksort, reversed. This sort is unstable and depends on the
    processor, except for long doubles, for which NumPy has no vector instructions.
    """
    best = values[own].max()
    if ties == "numpy":
        order = np.argsort(values.astype(np.longdouble), kind="quicksort")[::-1]
        places = np.empty(len(values), np.int64)
        places[order] = np.arange(len(values))
        return int(places[own].min())
    equal = values == best
    equal[own] = False
    mine = own[values[own] == best]
    before = equal[mine.max() + 1 :] if ties == "last" else equal[: mine.min()]
    return int(np.count_nonzero(values > best)) + int(np.count_nonzero(before))


def best_candidates(
    source: SimilaritySource, count: int, check: Callable[[int], None]
) -> tuple[tuple[IntArray, FloatArray], tuple[IntArray, FloatArray]]:
    """Return indices and similarities (queries, at most `count`) of the best candidates.

    The first pair is that of images, the second that of captions; equal candidates are in the
    order of their index.
    """
    images, captions, step = len(source.starts) - 1, int(source.starts[-1]), source.step
    of_images: list[tuple[IntArray, FloatArray]] = []
    index, value = np.empty((captions, 0), np.int64), np.empty((captions, 0))
    for start in range(0, images, step):
        stop = min(start + step, images)
        block = source.rows(start, stop)
        of_images.append(_top(block, count))
        found, values = _top(np.ascontiguousarray(block.T), count)
        index = np.concatenate([index, found + start], axis=1)
        value = np.concatenate([value, values], axis=1)
        order = np.argsort(-value, axis=1, kind="stable")[:, :count]
        index = np.take_along_axis(index, order, 1)
        value = np.take_along_axis(value, order, 1)
        check(stop)
    first = [np.concatenate(parts) for parts in zip(*of_images, strict=True)]
    return (first[0], first[1]), (index, value)


def _top(block: Matrix, count: int) -> tuple[IntArray, FloatArray]:
    width = block.shape[1]
    if width > count:
        chosen = np.sort(np.argpartition(block, width - count, axis=1)[:, width - count :], axis=1)
    else:
        chosen = np.broadcast_to(np.arange(width), block.shape)
    values = np.take_along_axis(block, chosen, 1)
    order = np.argsort(-values, axis=1, kind="stable")
    index: IntArray = np.take_along_axis(chosen, order, 1)
    return index, np.take_along_axis(values, order, 1).astype(np.float64)


def fold_ranges(images: int, folds: int) -> Iterator[tuple[int, int]]:
    """Yield the first image of each of equal folds, and the one after its last."""
    size = images // folds
    for fold in range(folds):
        yield fold * size, (fold + 1) * size
