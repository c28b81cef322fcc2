from __future__ import annotations

import math
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
import scipy.special
import scipy.stats

from jurydesk.core.model.evaluation import FloatArray
from jurydesk.core.statistics import group_intervals
from jurydesk.core.statistics.bootstrap import ResamplingPlan, percentile_interval, resampled_means
from jurydesk.core.statistics.group_intervals import (
    mean_intervals,
    studentized_quantiles,
    studentized_resamples,
)
from jurydesk.core.statistics.groups import Groups
from jurydesk.core.statistics.quantiles import beta_quantile, normal_quantile, student_quantile
from jurydesk.core.statistics.ratio_means import ratio_means

SANDWICH = """
library(sandwich)
scores <- read.csv(commandArgs(trailingOnly = TRUE)[1], header = FALSE)
model <- lm(V2 ~ 1, data = scores)
cat(sprintf("%.17g", sqrt(vcovCL(model, cluster = scores$V1, type = "HC0")[1, 1])))
"""
RNG = np.random.default_rng(4)
CODES = np.repeat(np.arange(12), RNG.integers(2, 9, 12))
COLUMNS = RNG.exponential(size=(len(CODES), 3))
GROUPS = Groups(CODES, 12)


def ends(columns: FloatArray, groups: Groups, method: str = "studentized") -> list[list[float]]:
    found = mean_intervals(columns, groups, ResamplingPlan(groups.count, 400), method)  # type: ignore[arg-type]
    return [[one.low, one.high] for one in found if one is not None]


class TestErrors:
    def test_cluster_robust_errors_equal_brute_force(self) -> None:
        found = ratio_means(*GROUPS.totals(COLUMNS))
        for column, mean, error in zip(COLUMNS.T, found.mean, found.error, strict=True):
            assert mean == pytest.approx(column.mean(), rel=1e-14)
            parts = [(column[code == CODES] - column.mean()).sum() for code in range(12)]
            expected = math.sqrt(12 / 11 * sum(part**2 for part in parts)) / len(column)
            assert error == pytest.approx(expected, rel=1e-12)

    def test_groups_of_one_item_give_the_errors_of_the_t_test(self) -> None:
        found = ratio_means(*Groups.singletons(len(COLUMNS)).totals(COLUMNS))
        np.testing.assert_allclose(found.error, scipy.stats.sem(COLUMNS), rtol=1e-12)

    @pytest.mark.parity
    def test_errors_equal_those_of_statsmodels(self) -> None:
        api = pytest.importorskip("statsmodels.api", reason="statsmodels is not installed")
        found = ratio_means(*GROUPS.totals(COLUMNS))
        for number, column in enumerate(COLUMNS.T):
            model = api.OLS(column, np.ones(len(column)))
            fitted = model.fit(cov_type="cluster", cov_kwds={"groups": CODES})
            assert found.error[number] == pytest.approx(fitted.bse[0], rel=1e-10)

    @pytest.mark.parity
    def test_errors_equal_those_of_sandwich(self, tmp_path: Path) -> None:
        if shutil.which("Rscript") is None:
            pytest.skip("R is not installed")
        rows = "".join(
            f"{code},{value!r}\n" for code, value in zip(CODES, COLUMNS[:, 0].tolist(), strict=True)
        )
        path = tmp_path / "scores.csv"
        path.write_text(rows, encoding="utf-8")
        done = subprocess.run(
            ["Rscript", "-e", SANDWICH, str(path)], capture_output=True, text=True, check=False
        )
        if "there is no package" in done.stderr:
            pytest.skip("R's package sandwich is not installed")
        found = ratio_means(*GROUPS.totals(COLUMNS))
        assert found.error[0] == pytest.approx(float(done.stdout), rel=1e-10)


class TestIntervals:
    @pytest.mark.parametrize("method", ["studentized", "t", "percentile"])
    def test_names_of_groups_change_nothing(self, method: str) -> None:
        renamed = Groups.of_labels([f"keyword {(7 * code) % 12}" for code in CODES.tolist()])
        assert ends(COLUMNS, renamed, method) == ends(COLUMNS, GROUPS, method)

    @pytest.mark.parametrize("method", ["studentized", "t", "percentile"])
    def test_copies_of_every_item_add_no_information(self, method: str) -> None:
        doubled = Groups(np.repeat(CODES, 2), 12)
        once, twice = ends(COLUMNS, GROUPS, method), ends(np.repeat(COLUMNS, 2, 0), doubled, method)
        np.testing.assert_allclose(twice, once, rtol=1e-9)

    def test_percentiles_of_groups_of_one_item_equal_those_of_items_exactly(self) -> None:
        plan = ResamplingPlan(len(COLUMNS), 300)
        columns = COLUMNS.copy()
        columns[3, 1] = math.nan
        expected = [percentile_interval(column) for column in resampled_means(columns, plan).T]
        assert (
            mean_intervals(columns, Groups.singletons(len(columns)), plan, "percentile") == expected
        )

    def test_the_t_interval_equals_scipy_s_for_groups_of_one_item(self) -> None:
        column = COLUMNS[:, 0]
        expected = scipy.stats.ttest_1samp(column, 0).confidence_interval()
        ((low, high),) = ends(column[:, None], Groups.singletons(len(column)), "t")
        assert (low, high) == pytest.approx(tuple(expected), rel=1e-10)

    def test_the_studentized_interval_is_longer_on_the_skewed_side(self) -> None:
        ((low, high),) = ends(COLUMNS[:, :1], GROUPS)
        assert high - COLUMNS[:, 0].mean() > COLUMNS[:, 0].mean() - low

    def test_four_groups_have_no_t_interval_but_percentiles(self) -> None:
        few, groups = COLUMNS[:8], Groups(np.repeat(np.arange(4), 2), 4)
        assert ends(few, groups) == []
        assert ends(few, groups, "t") == []
        assert len(ends(few, groups, "percentile")) == 3

    def test_undefined_items_belong_to_no_group(self) -> None:
        columns = COLUMNS[:, :1].copy()
        columns[CODES == 5] = math.nan
        kept = CODES != 5
        rest = Groups.of_labels(CODES[kept].tolist())
        assert ends(columns, GROUPS, "t")[0] == pytest.approx(ends(COLUMNS[kept, :1], rest, "t")[0])


@pytest.mark.parametrize("degrees", [1.0, 2.0, 4.0, 9.0, 19.5, 37.0, 1937.0])
@pytest.mark.parametrize("probability", [0.6, 0.975, 0.99995])
def test_quantiles_equal_scipy_s(degrees: float, probability: float) -> None:
    expected = scipy.special.stdtrit(degrees, probability)
    assert student_quantile(degrees, probability) == pytest.approx(expected, rel=1e-10)
    expected = scipy.special.ndtri(probability)
    assert normal_quantile(probability) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("parameters", [(0.4, 3.2), (1.0, 40.0), (3.0, 4.5), (180.2, 1.0)])
@pytest.mark.parametrize("probability", [1e-4, 0.025, 0.5, 0.975])
def test_beta_quantiles_equal_scipy_s(parameters: tuple[float, float], probability: float) -> None:
    expected = scipy.stats.beta.ppf(probability, *parameters)
    assert beta_quantile(probability, *parameters) == pytest.approx(expected, rel=1e-9)


def test_resampled_t_is_that_of_the_drawn_groups_with_an_item() -> None:
    """Compare with the t of each resample by its definition; a group may lack a column's items."""
    dice = np.random.default_rng(5)
    sizes = np.array([[3.0, 2.0], [0.0, 1.0], [2.0, 0.0], [4.0, 0.0], [1.0, 5.0], [2.0, 2.0]])
    sums = dice.normal(2.0, 1.0, sizes.shape) * sizes
    means, plan = ratio_means(sums, sizes), ResamplingPlan(len(sizes), 60, 3)
    expected = []
    for draw in np.concatenate(list(plan.draws())):
        row = []
        for column, mean in enumerate(means.mean):
            drawn = [one for one in draw if sizes[one, column] > 0]
            total = sizes[drawn, column].sum()
            deviation = sums[drawn, column].sum() / total - mean if drawn else math.nan
            residuals = sums[drawn, column] - (mean + deviation) * sizes[drawn, column]
            count = len(drawn)
            spread = (residuals**2).sum()
            defined = count > 1 and len(set(drawn)) > 1
            error = math.sqrt(count / (count - 1) * spread) / total if defined else math.nan
            row.append(deviation / error)
        expected.append(row)
    found = studentized_resamples(means, plan)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)
    assert np.isfinite(found).mean() > 0.9


@pytest.mark.parametrize(("undefined", "is_known"), [(1, True), (2, False)])
def test_one_undefined_resample_of_a_hundred_is_the_limit(
    monkeypatch: pytest.MonkeyPatch, undefined: int, is_known: bool
) -> None:
    t = np.linspace(-2, 2, 100)[:, np.newaxis]
    t[:undefined] = np.nan
    monkeypatch.setattr(group_intervals, "studentized_resamples", lambda *_: t)
    means = ratio_means(np.ones((3, 1)), np.ones((3, 1)))
    found = studentized_quantiles(means, ResamplingPlan(3, 100), 0.95)
    assert np.isfinite(found).all() == is_known


def test_resampled_t_of_groups_of_equal_size_is_scipy_s() -> None:
    """A group is one value of five items; a t statistic is the same in any unit."""
    values = np.random.default_rng(5).normal(2.0, 1.0, (6, 1))
    means, plan = ratio_means(5 * values, np.full((6, 1), 5.0)), ResamplingPlan(6, 40, 3)
    expected = []
    for draw in np.concatenate(list(plan.draws())):
        drawn = values[draw, 0]
        deviation = drawn.mean() - values.mean()
        expected.append(deviation / scipy.stats.sem(drawn) if len(set(draw)) > 1 else math.nan)
    found = studentized_resamples(means, plan)[:, 0]
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)
