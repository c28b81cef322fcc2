from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import scipy.stats

from jurydesk.core.model.evaluation import FloatArray
from jurydesk.core.statistics.bootstrap import ResamplingPlan
from jurydesk.core.statistics.group_tests import (
    LargestT,
    PairedGroups,
    difference_intervals,
    group_t_test,
    lowest_p,
    overrule_skewed,
    random_signs,
    randomise_groups,
    studentized_p,
)
from jurydesk.core.statistics.groups import Groups
from jurydesk.core.statistics.paired_tests import RandomisationPlan, all_pairs, randomisation_test

RNG = np.random.default_rng(6)
CODES = np.repeat(np.arange(9), RNG.integers(1, 6, 9))
GROUPS = Groups(CODES, 9)
VALUES = RNG.normal(size=(len(CODES), 4)) + np.array([0.0, 0.4, 1.5, 0.0])
PAIRS = all_pairs(4)


def brute_statistics(values: FloatArray, codes: FloatArray, signs: tuple[int, ...]) -> list[float]:
    """Return every pair's |statistic| for these signs of the groups' differences, one by one."""
    found = []
    for one, other in all_pairs(values.shape[1]):
        apart = values[:, one] - values[:, other]
        sums = [apart[codes == g].sum() for g in range(len(signs))]
        turned = sum(sign * part for sign, part in zip(signs, sums, strict=True))
        found.append(abs(turned) / math.sqrt(sum(part**2 for part in sums)))
    return found


class TestRandomisation:
    def test_few_groups_are_enumerated_as_by_brute_force(self) -> None:
        found = randomise_groups(PairedGroups(VALUES, PAIRS, GROUPS))
        every = np.array(
            [brute_statistics(VALUES, CODES, s) for s in itertools.product((1, -1), repeat=9)]
        )
        np.testing.assert_allclose(found.p, (every >= every[0] * (1 - 1e-9)).mean(axis=0))
        order = np.argsort(-every[0])
        stepped = [
            (every[:, order[step:]].max(axis=1) >= every[0, order[step]] * (1 - 1e-9)).mean()
            for step in range(6)
        ]
        np.testing.assert_allclose(found.corrected[order], np.maximum.accumulate(stepped))
        assert (found.rounds, found.lowest) == (0, 2 / 2**9)

    def test_for_one_pair_the_p_value_is_that_of_its_mean_whatever_the_group_sizes(self) -> None:
        codes = np.repeat(np.arange(20), 1 + np.arange(20) % 4)
        values = RNG.normal(size=(len(codes), 3)) + np.array([0.4, 0.0, 0.0])
        found = randomise_groups(PairedGroups(values, all_pairs(3), Groups(codes, 20)), seed=3)
        expected = randomisation_test(
            values, all_pairs(3), RandomisationPlan(20, seed=3), codes=codes
        )
        np.testing.assert_array_equal(found.p, expected)

    def test_scipy_s_exact_permutation_test_agrees_for_groups_of_one_item(self) -> None:
        values = VALUES[:10, :2]
        found = randomise_groups(PairedGroups(values, [(0, 1)], Groups.singletons(10)))
        expected = scipy.stats.permutation_test(
            (values[:, 0] - values[:, 1],),
            lambda x, axis: np.mean(x, axis=axis),
            permutation_type="samples",
            n_resamples=np.inf,
            vectorized=True,
        )
        assert found.p[0] == pytest.approx(expected.pvalue, abs=1e-12)

    def test_many_groups_are_sampled_by_the_plan_of_random_signs(self) -> None:
        values = RNG.normal(size=(40, 2)) + np.array([0.5, 0.0])
        found = randomise_groups(PairedGroups(values, [(0, 1)], Groups.singletons(40)), seed=3)
        assert found.p[0] == randomisation_test(values, [(0, 1)], RandomisationPlan(40, seed=3))[0]

    def test_a_corrected_p_value_is_never_below_the_uncorrected_one(self) -> None:
        found = randomise_groups(PairedGroups(VALUES, PAIRS, GROUPS))
        assert (found.corrected >= found.p).all()

    def test_names_of_groups_and_copies_of_items_change_nothing(self) -> None:
        once = randomise_groups(PairedGroups(VALUES, PAIRS, GROUPS))
        renamed = Groups.of_labels([f"g{(5 * code) % 9}" for code in CODES.tolist()])
        again = randomise_groups(PairedGroups(VALUES, PAIRS, renamed))
        np.testing.assert_array_equal(once.corrected, again.corrected)
        doubled = PairedGroups(np.repeat(VALUES, 2, 0), PAIRS, Groups(np.repeat(CODES, 2), 9))
        np.testing.assert_array_equal(once.corrected, randomise_groups(doubled).corrected)

    def test_an_item_that_one_system_lacks_is_left_out_of_its_pairs_only(self) -> None:
        lacking = VALUES.copy()
        lacking[[0, 7], 0] = np.nan
        found = randomise_groups(PairedGroups(lacking, PAIRS, GROUPS))
        kept = ~np.isnan(lacking[:, 0])
        first = PairedGroups(VALUES[kept], PAIRS, Groups.of_labels(CODES[kept].tolist()))
        whole = PairedGroups(VALUES, PAIRS, GROUPS)
        np.testing.assert_allclose(found.p[:3], randomise_groups(first).p[:3])
        np.testing.assert_allclose(found.p[3:], randomise_groups(whole).p[3:])

    def test_equal_systems_and_systems_without_a_common_item_are_handled(self) -> None:
        values = np.column_stack([VALUES[:, 0], VALUES[:, 0], np.full(len(VALUES), np.nan)])
        found = randomise_groups(PairedGroups(values, all_pairs(3), GROUPS))
        assert found.p[0] == found.corrected[0] == 1
        assert np.isnan(found.p[1:]).all()
        assert np.isnan(found.corrected[1:]).all()

    def test_a_constant_difference_has_the_lowest_p_value(self) -> None:
        values = np.column_stack([VALUES[:, 0] + 1, VALUES[:, 0]])
        groups = Groups.singletons(len(values))
        assert randomise_groups(PairedGroups(values, [(0, 1)], groups)).p[0] == 1 / 10_001
        few = PairedGroups(values[:8], [(0, 1)], Groups.singletons(8))
        assert randomise_groups(few).p[0] == 2 / 2**8


def test_the_t_test_for_groups_of_one_item_equals_scipy_s() -> None:
    found = PairedGroups(VALUES, [(0, 2)], Groups.singletons(len(VALUES)))
    expected = scipy.stats.ttest_rel(VALUES[:, 0], VALUES[:, 2]).pvalue
    assert group_t_test(found)[0] == pytest.approx(expected, rel=1e-10)


def test_the_studentized_bootstrap_detects_a_clear_difference() -> None:
    values = RNG.normal(size=(60, 3)) + np.array([0.0, 0.0, 1.0])
    apart = PairedGroups(values, [(0, 2)], Groups.singletons(60))
    assert studentized_p(apart, ResamplingPlan(60, 999)) < 0.01
    alike = PairedGroups(values - values.mean(axis=0), [(0, 1)], Groups.singletons(60))
    assert studentized_p(alike, ResamplingPlan(60, 999)) > 0.9


def test_swapping_a_pair_negates_its_interval() -> None:
    there = PairedGroups(VALUES, [(0, 1)], GROUPS)
    back = PairedGroups(VALUES, [(1, 0)], GROUPS)
    (one,), (other,) = (difference_intervals(pair, ResamplingPlan(9)) for pair in (there, back))
    assert one is not None
    assert other is not None
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low))


def test_the_lowest_p_value_is_one_over_all_signs_or_all_rounds() -> None:
    assert lowest_p(5) == 2 / 2**5
    assert lowest_p(40, rounds=99) == 1 / 100


def test_the_studentized_p_value_counts_the_observed_sample_as_one_more() -> None:
    """No resample is as large, so that p is 1 / (rounds + 1): Davison and Hinkley (1997), 4.2.5."""
    values = np.column_stack([RNG.normal(size=60), RNG.normal(9.0, size=60)])
    apart = PairedGroups(values, [(0, 1)], Groups.singletons(60))
    assert studentized_p(apart, ResamplingPlan(60, 99)) == 1 / 100


class TestLopsidedDifferences:
    """One system fails rarely and badly; its mean is that of the others."""

    def failing(self, items: int, systems: int, seed: int) -> FloatArray:
        dice = np.random.default_rng(seed)
        values = dice.normal(0.7, 0.05, (items, 1)) + dice.normal(0, 0.05, (items, systems))
        fails = dice.random(items) < 0.05
        values[:, 0] += np.where(fails, -0.6, 0.6 * 0.05 / 0.95)
        return values

    def decided(self, values: FloatArray) -> tuple[PairedGroups, FloatArray, FloatArray]:
        """Return the differences, the corrected p values, and those of overruled pairs."""
        paired = PairedGroups(values, all_pairs(values.shape[1]), Groups.singletons(len(values)))
        largest, plan = LargestT(500), ResamplingPlan(len(values), 500)
        limits = difference_intervals(paired, plan, observe=largest)
        corrected = randomise_groups(paired, rounds=499).corrected
        return paired, corrected, overrule_skewed(paired, corrected, limits, largest)

    def test_the_skewness_is_that_of_scipy_and_of_group_sums(self) -> None:
        values = self.failing(40, 3, 1)
        paired = PairedGroups(values, all_pairs(3), Groups.singletons(40))
        apart = [values[:, one] - values[:, other] for one, other in all_pairs(3)]
        np.testing.assert_allclose(paired.skewness, scipy.stats.skew(apart, axis=1))
        codes = np.repeat(np.arange(10), 4)
        grouped = PairedGroups(values, all_pairs(3), Groups(codes, 10))
        sums = [one.reshape(10, 4).sum(axis=1) for one in apart]
        np.testing.assert_allclose(grouped.skewness, scipy.stats.skew(sums, axis=1))

    def test_two_systems_are_decided_by_their_interval(self) -> None:
        seen = 0
        for seed in range(60):
            values = self.failing(100, 2, seed)
            paired, corrected, p = self.decided(values)
            if np.isfinite(p[0]):
                seen += 1
                (limits,) = difference_intervals(paired, ResamplingPlan(100, 500))
                assert limits is not None
                assert (p[0] < 0.05) == (not limits.low <= 0 <= limits.high)
                assert (p[0] < 0.05) != (corrected[0] < 0.05)
                assert abs(paired.skewness[0]) > 1
        assert seen

    def test_several_systems_are_decided_by_the_largest_t_of_a_resample(self) -> None:
        dice = np.random.default_rng(0)
        for seed in range(60):
            values = self.failing(100, 4, seed)
            p = self.decided(values)[2]
            for number in np.flatnonzero(np.isfinite(p)):
                one, other = all_pairs(4)[number]
                rows = dice.integers(0, 100, (2000, 100))
                largest = np.zeros(2000)
                for first, second in all_pairs(4):
                    apart = values[:, first] - values[:, second]
                    drawn = apart[rows]
                    t = (drawn.mean(axis=1) - apart.mean()) / drawn.std(axis=1, ddof=1)
                    largest = np.maximum(largest, np.abs(t))
                apart = values[:, one] - values[:, other]
                observed = abs(apart.mean()) / apart.std(ddof=1)
                assert p[number] == pytest.approx((largest >= observed).mean(), abs=0.03)
                return
        pytest.fail("no pair was overruled")

    def test_symmetric_differences_are_left_to_the_test(self) -> None:
        dice = np.random.default_rng(7)
        values = dice.normal(size=(60, 5)) + np.array([0.0, 0.3, 0.6, 0.0, 0.0])
        assert np.isnan(self.decided(values)[2]).all()


THREE = all_pairs(3)


@pytest.mark.parametrize("size", [1, 7])
def test_whole_numbers_have_the_same_statistics_in_single_precision(size: int) -> None:
    rng = np.random.default_rng(5)
    groups = Groups(np.repeat(np.arange(60), size), 60)
    values = rng.integers(0, 2, (60 * size, 3)).astype(np.float64)
    paired = PairedGroups(values, THREE, groups)
    (single,) = random_signs(60, 40, 1, paired.sign_type)
    (double,) = random_signs(60, 40, 1)
    assert (single.dtype, double.dtype) == (np.float32, np.float64)
    assert np.array_equal(single, double)
    assert np.array_equal(paired.statistics(single), paired.statistics(double))


@pytest.mark.parametrize(
    "values",
    [
        pytest.param(np.linspace(0, 1, 180).reshape(60, 3), id="fractions"),
        pytest.param(np.full((60, 3), 2.0**24 / 60 + 1).round() * [0, 1, 2], id="large counts"),
        pytest.param(np.where(np.eye(60, 3) > 0, np.nan, 1.0) * [0, 1, 2], id="missing items"),
    ],
)
def test_other_numbers_keep_double_precision(values: FloatArray) -> None:
    assert PairedGroups(values, THREE, Groups.singletons(60)).sign_type is np.float64


def test_a_giant_group_keeps_double_precision() -> None:
    codes = np.append(np.repeat(0, 400), np.arange(1, 20))
    values = np.random.default_rng(2).integers(0, 2, (419, 3)).astype(np.float64)
    paired = PairedGroups(values, THREE, Groups(codes, 20))
    assert paired.is_lopsided
    assert paired.sign_type is np.float64
