"""Errors and degrees of freedom of means whose groups have unequal sizes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from jurydesk.core.model.evaluation import FloatArray
from jurydesk.core.statistics.bootstrap import ResamplingPlan
from jurydesk.core.statistics.group_intervals import mean_intervals
from jurydesk.core.statistics.group_tests import (
    PairedGroups,
    difference_intervals,
    group_t_test,
    randomise_groups,
)
from jurydesk.core.statistics.groups import Groups
from jurydesk.core.statistics.paired_tests import all_pairs
from jurydesk.core.statistics.power import largest_critical, minimum_detectable_differences
from jurydesk.core.statistics.ratio_means import RatioMeans, ratio_means

UNEQUAL = [
    (0.9, 0.8, 0.7, 0.9, 0.6, 0.8, 0.7, 0.8),
    *[(0.5, 0.4, 0.6), (0.2, 0.4), (0.7, 0.9), (0.3,)],
]
"""Worked by hand: one group holds half of the items.

clubSandwich 0.5.8 (R) gives 0.115114611 and 2.451886066: `coef_test(lm(v ~ 1), "CR2", cluster=g)`.
"""
VALUES = np.concatenate(UNEQUAL)
GROUPS = Groups.of_labels(np.repeat(np.arange(5), [len(one) for one in UNEQUAL]).tolist())


def giant(share: float, groups: int) -> FloatArray:
    """Return the sizes (groups, 1) of equal groups and one with a share of all items."""
    sizes = np.full((groups, 1), (1 - share) / (groups - 1))
    sizes[0] = share
    return sizes


def full_matrices(values: FloatArray, codes: FloatArray) -> tuple[float, float]:
    """Return the error CR2 and its degrees of freedom by the definition in matrices."""
    items, labels = len(values), sorted(set(codes.tolist()))
    hat = np.full((items, items), 1 / items)
    residuals, parts = values - values.mean(), []
    squares = 0.0
    for label in labels:
        own = codes == label
        size = int(own.sum())
        eigen, vectors = np.linalg.eigh(np.eye(size) - hat[np.ix_(own, own)])
        adjusted = vectors @ np.diag(eigen**-0.5) @ vectors.T
        weight = np.ones(size) @ adjusted / items
        squares += (weight @ residuals[own]) ** 2
        parts.append(weight @ (np.eye(items) - hat)[own])
    product = np.array(parts) @ np.array(parts).T
    return math.sqrt(squares), float(np.trace(product) ** 2 / (product**2).sum())


def means_of(values: FloatArray, groups: Groups) -> RatioMeans:
    return ratio_means(*groups.totals(values[:, np.newaxis]))


def test_the_error_of_a_giant_group_is_that_of_the_worked_example() -> None:
    found = means_of(VALUES, GROUPS)
    assert found.robust[0] == pytest.approx(0.115115, abs=5e-7)
    assert found.degrees[0] == pytest.approx(2.451886, abs=5e-7)
    assert found.effective[0] == pytest.approx(3.121951, abs=5e-7)
    (limits,) = mean_intervals(VALUES[:, np.newaxis], GROUPS, ResamplingPlan(5), "t")
    assert limits is not None
    assert (limits.low, limits.high) == pytest.approx((0.220170, 1.054830), abs=5e-7)
    assert limits.method == "Student's t, 2.5 degrees of freedom"


@pytest.mark.parametrize("seed", range(3))
def test_error_and_degrees_equal_those_of_full_matrices(seed: int) -> None:
    dice = np.random.default_rng(seed)
    codes = np.repeat(np.arange(7), dice.integers(1, 9, 7))
    values = dice.normal(size=len(codes))
    found = means_of(values, Groups(codes, 7))
    expected = full_matrices(values, codes)
    assert (found.robust[0], found.degrees[0]) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("share", "groups", "degrees", "effective"),
    [
        (0.5, 10, 3.2472, 3.6),
        (0.5, 20, 3.6121, 3.8),
        (0.5, 100, 3.9205, 3.96),
        (0.75, 26, 1.7350, 1.7699),
        (0.25, 40, 12.5652, 13.0),
    ],
)
def test_a_giant_group_leaves_few_degrees_of_freedom(
    share: float, groups: int, degrees: float, effective: float
) -> None:
    found = ratio_means(np.zeros((groups, 1)), giant(share, groups))
    assert found.degrees[0] == pytest.approx(degrees, abs=5e-5)
    assert found.effective[0] == pytest.approx(effective, abs=5e-5)


@pytest.mark.parametrize("size", [1, 8])
def test_equal_groups_have_the_error_and_degrees_of_the_t_test(size: int) -> None:
    values = np.random.default_rng(3).normal(size=12 * size)
    found = means_of(values, Groups(np.repeat(np.arange(12), size), 12))
    assert found.degrees[0] == 11
    assert found.robust[0] == found.error[0]
    assert found.effective[0] == pytest.approx(12)


def test_columns_with_their_own_missing_items_have_their_own_degrees() -> None:
    columns = np.column_stack([VALUES, np.where(np.arange(16) < 6, np.nan, VALUES)])
    found = ratio_means(*GROUPS.totals(columns))
    kept = GROUPS.of_items(np.arange(16) >= 6)
    assert found.degrees.tolist() == pytest.approx(
        [2.451886, means_of(VALUES[6:], kept).degrees[0]], abs=5e-7
    )


def test_the_order_of_groups_changes_nothing() -> None:
    order = np.random.default_rng(1).permutation(len(VALUES))
    found = means_of(VALUES[order], GROUPS.of_items(order))
    whole = means_of(VALUES, GROUPS)
    assert found.robust[0] == pytest.approx(whole.robust[0], rel=1e-12)
    assert found.degrees[0] == pytest.approx(whole.degrees[0], rel=1e-12)


class TestGates:
    """How few groups, or how unequal ones, have no interval."""

    def test_a_giant_group_takes_the_bootstrap_s_place_by_student_s_t(self) -> None:
        codes = np.repeat(np.arange(10), [36, *[4] * 9])
        values = np.random.default_rng(4).normal(size=(72, 1))
        for limits in (
            mean_intervals(values, Groups(codes, 10), ResamplingPlan(10, 100))[0],
            difference_intervals(
                PairedGroups(np.hstack([values, 0 * values]), [(0, 1)], Groups(codes, 10)),
                ResamplingPlan(10, 100),
            )[0],
        ):
            assert limits is not None
            assert limits.method == "Student's t, 3.2 degrees of freedom"

    def test_effectively_two_groups_have_no_interval(self) -> None:
        codes = np.repeat(np.arange(26), [75, *[1] * 25])
        values = np.random.default_rng(4).normal(size=(100, 1))
        assert mean_intervals(values, Groups(codes, 26), ResamplingPlan(26, 100)) == [None]


class TestTests:
    """Tests of systems whose groups are unequal."""

    CODES = np.repeat(np.arange(40), [156, *[4] * 39])
    GROUPS = Groups(CODES, 40)

    def board(self, systems: int) -> FloatArray:
        return np.random.default_rng(8).normal(size=(312, systems))

    def test_an_enormous_difference_is_found_among_five_systems(self) -> None:
        """The largest group holds half of the items; plain randomization gave p = 0.15."""
        values = self.board(5)
        values[:, 0] += 50
        pairs = all_pairs(5)
        found = randomise_groups(PairedGroups(values, pairs, self.GROUPS), 1, 999)
        assert found.corrected[:4].max() <= 0.002

    def test_the_t_test_has_the_degrees_of_the_groups(self) -> None:
        paired = PairedGroups(self.board(2), [(0, 1)], self.GROUPS)
        means = ratio_means(*paired.totals(slice(0, 1)))
        import scipy.stats

        t = abs(means.mean[0] / means.robust[0])
        expected = 2 * scipy.stats.t.sf(t, means.degrees[0])
        assert group_t_test(paired)[0] == pytest.approx(expected, rel=1e-9)

    def test_swaps_of_missing_items_have_the_statistics_of_their_own_sizes(self) -> None:
        values = self.board(2)
        values[:60, 0] = math.nan
        paired = PairedGroups(values, [(0, 1)], self.GROUPS)
        assert paired.is_lopsided
        signs = np.ones((1, 40))
        expected = (paired.mean[0] / paired.robust[0]) ** 2
        assert paired.statistics(signs)[0, 0] == pytest.approx(expected, rel=1e-9)

    def test_fewer_degrees_detect_larger_differences_only(self) -> None:
        errors, pairs = np.array([1.0]), [(0, 1)]
        sums = self.board(2)[:40]
        found = [
            minimum_detectable_differences(errors, one, largest_critical(sums, pairs, 0.95, one))[0]
            for one in (3.5, 39.0)
        ]
        assert found[0] > 1.4 * found[1]

    def test_identical_systems_have_no_detectable_difference(self) -> None:
        assert all(map(math.isnan, minimum_detectable_differences(np.zeros(1), 39.0, 2.0)))
