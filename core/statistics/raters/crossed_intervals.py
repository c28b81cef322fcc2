"""Standard errors and resamples of means over two crossed samples, such as raters and stories.

Ratings of the same rater are correlated, and so are ratings of the same story, but neither is
nested in the other. Sources: Cameron, Gelbach and Miller, Robust Inference with Multiway Clustering
(2011), for errors; Owen, The Pigeonhole Bootstrap (2007), for resamples; McCullagh, Resampling and
Exchangeable Arrays (2000).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from jurydesk.core.model.evaluation import FloatArray, IntArray
from jurydesk.core.statistics.bootstrap import ResamplingPlan, count_draws
from jurydesk.core.statistics.paired_tests import Pair


class CrossedErrors:
    """Standard errors of means (systems,) over cells of crossed rows and columns.

    `parts` (cells, systems) are the deviations of each cell's contribution to the means, which sum
    to 0; `rows` and `columns` (cells,) are the codes of each cell.
    """

    def __init__(self, parts: FloatArray, rows: IntArray, columns: IntArray) -> None:
        sums = [_sums(parts, codes) for codes in (rows, columns)]
        self.rows, self.columns = (len(one) for one in sums)
        self._scaled = [one * np.sqrt(len(one) / max(1, len(one) - 1)) for one in sums]
        self._of_rows, self._of_columns = (one.T @ one for one in self._scaled)
        self._of_cells = parts.T @ parts

    @property
    def degrees(self) -> int:
        """Degrees of freedom: those of the smaller sample."""
        return min(self.rows, self.columns) - 1

    @property
    def spread(self) -> FloatArray:
        """Factor (rows + columns, systems) whose products are the covariances of the means."""
        return np.concatenate(self._scaled)

    def of_means(self) -> FloatArray:
        """Return the standard errors (systems,)."""
        return self._error(*(np.diag(one) for one in self._parts))

    def of_differences(self, pairs: Sequence[Pair]) -> FloatArray:
        """Return the standard errors (pairs,) of the differences of means."""
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
        # Cells count in both samples; the error is at least that of either sample alone.
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
    """Yield slices of the resamples with the means (resamples, columns, systems) of drawn rows.

    `sums` and `numbers` (rows, columns, systems) are the sums and counts of the values of every
    cell. A mean is NaN if no drawn row has a value. The caller draws the columns.
    """
    shape, done = sums.shape, 0
    for draws in plan.draws():
        weights = count_draws(draws)
        total, number = (weights @ one.reshape(shape[0], -1) for one in (sums, numbers))
        with np.errstate(invalid="ignore", divide="ignore"):
            means = (total / number).reshape(len(draws), *shape[1:])
        yield slice(done, done + len(draws)), means
        done += len(draws)
