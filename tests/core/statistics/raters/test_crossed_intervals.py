from __future__ import annotations

import math
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from jurydesk.core.model.evaluation import FloatArray
from jurydesk.core.statistics.bootstrap import ResamplingPlan, count_draws
from jurydesk.core.statistics.raters.crossed_intervals import CrossedErrors, pigeonhole_means

SANDWICH = """
library(sandwich)
scores <- read.csv(commandArgs(trailingOnly = TRUE)[1], header = FALSE)
model <- lm(V3 ~ 1, data = scores)
cat(sprintf("%.17g", vcovCL(model, cluster = scores[1:2], type = "HC0", multi0 = TRUE)[1, 1]))
"""
RNG = np.random.default_rng(12)
ROWS, COLUMNS = (one.ravel() for one in np.meshgrid(np.arange(6), np.arange(9), indexing="ij"))
VALUES = RNG.normal(size=(54, 3)) + RNG.normal(size=(6, 3))[ROWS] + RNG.normal(size=(9, 3))[COLUMNS]


def errors(values: FloatArray, rows: FloatArray, columns: FloatArray) -> CrossedErrors:
    return CrossedErrors((values - values.mean(axis=0)) / len(values), rows, columns)


def brute_variance(values: FloatArray) -> float:
    """Return the variance of one column's mean from rows, columns and cells, one by one."""
    parts = (values - values.mean()) / len(values)
    of_rows = sum(parts[row == ROWS].sum() ** 2 for row in range(6)) * 6 / 5
    of_columns = sum(parts[column == COLUMNS].sum() ** 2 for column in range(9)) * 9 / 8
    return max(of_rows + of_columns - (parts**2).sum(), of_rows, of_columns)


def test_errors_equal_those_of_brute_force() -> None:
    found = errors(VALUES, ROWS, COLUMNS)
    assert (found.rows, found.columns, found.degrees) == (6, 9, 5)
    expected = [math.sqrt(brute_variance(column)) for column in VALUES.T]
    assert found.of_means() == pytest.approx(expected, rel=1e-12)


def test_differences_are_treated_as_columns() -> None:
    expected = math.sqrt(brute_variance(VALUES[:, 0] - VALUES[:, 2]))
    found = errors(VALUES, ROWS, COLUMNS).of_differences([(0, 2)])
    assert found[0] == pytest.approx(expected, rel=1e-12)


def test_names_and_order_of_raters_change_nothing() -> None:
    order = RNG.permutation(54)
    again = errors(VALUES[order], 40 - 7 * ROWS[order], COLUMNS[order])
    assert again.of_means() == pytest.approx(errors(VALUES, ROWS, COLUMNS).of_means(), rel=1e-12)


def test_identical_rows_add_no_information() -> None:
    alike = np.repeat(RNG.normal(size=6), 9)[:, None]
    found = errors(alike, ROWS, COLUMNS).of_means()[0]
    assert found == pytest.approx(alike[::9].std(ddof=1) / math.sqrt(6), rel=1e-12)


@pytest.mark.parity
def test_errors_equal_those_of_sandwich(tmp_path: Path) -> None:
    if shutil.which("Rscript") is None:
        pytest.skip("R is not installed")
    kept = [column for column in VALUES.T if _is_two_way(column)]
    path = tmp_path / "scores.csv"
    for column in kept:
        rows = zip(ROWS.tolist(), COLUMNS.tolist(), column.tolist(), strict=True)
        path.write_text("".join(f"{a},{b},{c!r}\n" for a, b, c in rows), encoding="utf-8")
        done = subprocess.run(
            ["Rscript", "-e", SANDWICH, str(path)], capture_output=True, text=True, check=False
        )
        if "there is no package" in done.stderr:
            pytest.skip("R's package sandwich is not installed")
        found = errors(column[:, None], ROWS, COLUMNS).of_means()[0]
        assert found**2 == pytest.approx(float(done.stdout), rel=1e-10)
    assert kept


def _is_two_way(column: FloatArray) -> bool:
    """Return whether the variance of both samples exceeds that of each alone."""
    parts = (column - column.mean()) / len(column)
    sums = [sum(parts[codes == one].sum() ** 2 for one in set(codes)) for codes in (ROWS, COLUMNS)]
    return min(sums) > (parts**2).sum()


def test_drawn_rows_give_the_means_of_their_ratings() -> None:
    sums, numbers = RNG.normal(size=(4, 5, 2)), RNG.integers(0, 2, (4, 5, 2)).astype(float)
    plan = ResamplingPlan(4, 30)
    ((place, found),) = pigeonhole_means(sums * numbers, numbers, plan)
    (draws,) = plan.draws()
    assert (place, found.shape) == (slice(0, 30), (30, 5, 2))
    for weights, means in zip(count_draws(draws), found, strict=True):
        drawn = [row for row, count in enumerate(weights) for _ in range(int(count))]
        for at in np.ndindex(5, 2):
            own = [sums[(row, *at)] for row in drawn if numbers[(row, *at)]]
            assert means[at] == pytest.approx(np.mean(own) if own else math.nan, nan_ok=True)
