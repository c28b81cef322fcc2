"""Precision and recall over blocks of equal scores, as kws-eval computes them.

Source: Puigcerver et al., ICDAR 2017 competition on handwritten keyword spotting; kws-eval.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from jurydesk.core.metrics.elementary import by_value
from jurydesk.core.metrics.ranking.discount import binary_logarithms
from jurydesk.core.metrics.spotting.protocols import SpottingRules
from jurydesk.core.model.evaluation import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class BlockCurves:
    """Points of the precision-recall curves of several lists.

    List `i` owns the points `starts[i]:starts[i + 1]` of `recall` and `precision`; `gain` (lists,)
    is its discounted gain, `relevant` (lists,) the number of its relevant boxes.
    """

    starts: IntArray
    recall: FloatArray
    precision: FloatArray
    gain: FloatArray
    relevant: IntArray

    def average_precisions(self, *, trapezoid: bool) -> FloatArray:
        """Return the average precision (lists,) of each list; 0 for one without points."""
        weight = self.precision.copy()
        first = np.zeros(len(weight), np.bool_)
        filled = np.flatnonzero(np.diff(self.starts))
        first[self.starts[filled]] = True
        later = np.flatnonzero(~first)
        if trapezoid:
            weight[later] = (self.precision[later] + self.precision[later - 1]) / 2
        values = np.zeros(len(self.relevant))
        if len(filled):
            steps = np.zeros(len(weight))
            steps[later] = self.recall[later - 1] * weight[later]
            begins = self.starts[filled]
            values[filled] = np.add.reduceat(self.recall * weight, begins)
            values[filled] -= np.add.reduceat(steps, begins)
        return values

    def ndcg(self) -> FloatArray:
        """Return the normalized discounted gain (lists,) of each list; 0 if nothing is relevant."""
        most = int(self.relevant.max(initial=0))
        ideal = np.concatenate([[0.0], np.cumsum(1 / binary_logarithms(np.arange(2, most + 2)))])
        best = ideal[self.relevant]
        found: FloatArray = np.divide(self.gain, best, out=np.zeros(len(best)), where=best > 0)
        return found

    def precision_at(self, recalls: FloatArray, *, trapezoid: bool) -> FloatArray:
        """Return the precision (lists, levels) at ascending levels of recall, 0 beyond the last."""
        values = np.zeros((len(self.relevant), len(recalls)))
        for row, (start, stop) in enumerate(pairwise(self.starts.tolist())):
            recall, precision = self.recall[start:stop], self.precision[start:stop]
            at = np.searchsorted(recall, recalls, "left")
            reached = at < len(recall)
            point = at[reached]
            found = precision[point] if len(point) else np.empty(0)
            if trapezoid and len(point):
                before = np.maximum(point - 1, 0)
                gap = recall[point] - recall[before]
                share = np.divide(
                    recall[point] - recalls[reached], gap, out=np.zeros(len(gap)), where=gap > 0
                )
                found = share * precision[before] + (1 - share) * found
            values[row, reached] = found
        return values


def block_curves(
    owner: IntArray,
    scores: FloatArray,
    is_hit: BoolArray,
    relevant: IntArray,
    rules: SpottingRules,
) -> BlockCurves:
    """Return the curves of lists, given their boxes (n,) by list and in the order of scores.

    Args:
        owner: List of each box, ascending.
        scores: Scores of the boxes, equal where they are compared as equal.
        is_hit: Which boxes are hits; the others are false positives.
        relevant: Number of relevant boxes of each list.
        rules: Whether blocks collapse, and precision is interpolated.
    """
    count = len(relevant)
    begins = np.ones(len(owner), np.bool_)
    begins[1:] = owner[1:] != owner[:-1]
    if rules.collapse:
        begins[1:] |= scores[1:] != scores[:-1]
    else:
        begins[:] = True
    at = np.flatnonzero(begins)
    ends = np.append(at[1:], len(owner))
    sizes = ends - at
    hit_sums = np.concatenate([[0], np.cumsum(is_hit)])
    lists = owner[at]
    offsets = np.searchsorted(owner, np.arange(count))
    listed = ends - offsets[lists]
    found = hit_sums[ends] - hit_sums[offsets[lists]]
    precision = 1 - (listed - found) / np.maximum(listed, 1)
    recall = np.where(relevant[lists] > 0, found / np.maximum(relevant[lists], 1), 1.0)
    block_hits = hit_sums[ends] - hit_sums[at]
    wrong = (sizes - block_hits).astype(np.float32) / sizes.astype(np.float32)
    purity = np.float32(1) - wrong  # in single precision, as in kws-eval
    gains = np.repeat(by_value(math.exp2, purity.astype(np.float64)) - 1, sizes)
    ranks = np.arange(len(owner)) - offsets[owner] + 1
    gain = np.asarray(np.bincount(owner, gains / binary_logarithms(ranks + 1), count), np.float64)
    lists, precision, recall = _add_misses(lists, precision, recall, relevant, hit_sums, offsets)
    starts = np.searchsorted(lists, np.arange(count + 1))
    if rules.interpolate:
        precision = _maxima_from_right(precision, lists)
    return BlockCurves(starts, recall, precision, gain, relevant)


def _add_misses(
    lists: IntArray,
    precision: FloatArray,
    recall: FloatArray,
    relevant: IntArray,
    hit_sums: IntArray,
    offsets: IntArray,
) -> tuple[IntArray, FloatArray, FloatArray]:
    """Add the point of a list of which nothing is listed: precision 1 at recall 0.

    Misses below other boxes repeat the last point, which changes neither area nor curve.
    """
    empty = np.setdiff1d(np.flatnonzero(relevant > 0), lists)
    order = np.argsort(np.concatenate([lists, empty]), kind="stable")
    return (
        np.concatenate([lists, empty])[order],
        np.concatenate([precision, np.ones(len(empty))])[order],
        np.concatenate([recall, np.zeros(len(empty))])[order],
    )


def _maxima_from_right(values: FloatArray, lists: IntArray) -> FloatArray:
    """Return the largest value of each list at a point or after it, in windows that double."""
    result = values.copy()
    step = 1
    while step < len(values):
        same = lists[step:] == lists[:-step]
        if not same.any():
            break
        rows = np.flatnonzero(same)
        result[rows] = np.maximum(result[rows], result[rows + step])
        step *= 2
    return result
