"""Means over two crossed samples, such as raters and stories: their errors, and resamples.

Ratings of one rater are alike, and so are ratings of one story, so that neither is a group of the
other. Sources: Cameron, Gelbach and Miller, Robust Inference with Multiway Clustering (2011), for
errors; Owen, The Pigeonhole Bootstrap (2007), for resamples; McCullagh, Resampling and Exchangeable
Arrays (2000).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from jurydesk.core.model.evaluation import FloatArray, IntArray
from jurydesk.core.statistics.bootstrap import ResamplingPlan, counts
from jurydesk.core.statistics.paired_tests import Pair


class CrossedErrors:
    """The standard errors of means (systems,) of cells, each of a row and a column.

    `parts` (cells, systems) are what each cell adds to the means above its share of them, so that
    they sum to 0; `rows` and `columns` (cells,) say where each cell is.
    """

    def __init__(self, parts: FloatArray, rows: IntArray, columns: IntArray) -> None:
        sums = [_sums(parts, codes) for codes in (rows, columns)]
        self.rows, self.columns = (len(one) for one in sums)
        self._scaled = [one * np.sqrt(len(one) / max(1, len(one) - 1)) for one in sums]
        self._of_rows, self._of_columns = (one.T @ one for one in self._scaled)
        self._of_cells = parts.T @ parts

    @property
    def degrees(self) -> int:
        """Degrees of freedom of the errors: those of the smaller sample."""
        return min(self.rows, self.columns) - 1

    @property
    def spread(self) -> FloatArray:
        """Rows (rows and columns, systems) whose products are the covariances of the means."""
        return np.concatenate(self._scaled)

    def of_means(self) -> FloatArray:
        """Return the standard errors (systems,)."""
        return self._error(*(np.diag(one) for one in self._parts))

    def of_differences(self, pairs: Sequence[Pair]) -> FloatArray:
        """Return the standard errors (pairs,) of differences of means."""
        first, second = ([pair[side] for pair in pairs] for side in (0, 1))
        return self._error(
            *(
                np.diag(one)[first] + np.diag(one)[second] - 2 * one[first, second]
                for one in self._parts
            )
        )

    @property
    def _parts(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        return self._of_rows, self._of_columns, self._of_cells

    @staticmethod
    def _error(rows: FloatArray, columns: FloatArray, cells: FloatArray) -> FloatArray:
        """Return the cells count in both samples; less than one sample tells there cannot be."""
        larger = np.maximum(rows, columns)
        return np.sqrt(np.maximum(np.maximum(rows + columns - cells, larger), 0.0))


def _sums(parts: FloatArray, codes: IntArray) -> FloatArray:
    _, place = np.unique(codes, return_inverse=True)
    sums = np.zeros((int(place.max(initial=-1)) + 1, parts.shape[1]))
    np.add.at(sums, place, parts)
    return sums


def pigeonhole_means(
    sums: FloatArray, numbers: FloatArray, plan: ResamplingPlan
) -> Iterator[tuple[slice, FloatArray]]:
    """Yield resampled means (resamples, columns, systems) of drawn rows, with their places.

    `sums` and `numbers` (rows, columns, systems) are those of the values of every cell. NaN where
    no drawn row has a value. Drawing columns too is left to the caller.
    """
    shape, done = sums.shape, 0
    for draws in plan.draws():
        weights = counts(draws)
        total, number = (weights @ one.reshape(shape[0], -1) for one in (sums, numbers))
        with np.errstate(invalid="ignore", divide="ignore"):
            means = (total / number).reshape(len(draws), *shape[1:])
        yield slice(done, done + len(draws)), means
        done += len(draws)
