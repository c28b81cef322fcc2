from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from jurydesk.core.model.evaluation import FloatArray
from jurydesk.core.statistics import bootstrap
from jurydesk.core.statistics.bootstrap import ResamplingPlan
from jurydesk.core.statistics.group_tests import PairedGroups, group_t_test
from jurydesk.core.statistics.groups import Groups
from jurydesk.core.statistics.paired_tests import (
    Pair,
    RandomisationPlan,
    all_pairs,
    bootstrap_p,
    holm,
    mean_differences,
    pairs_to_test,
    randomisation_test,
    resampled_differences,
    rounds_for,
    wilcoxon,
)

NAN = float("nan")
VALUES = arrays.arrays(np.float64, (9, 3), elements=st.floats(-10, 10) | st.just(NAN))


def systems(items: int = 40, count: int = 5, seed: int = 0, missing: float = 0.0) -> FloatArray:
    """Return values (items, systems) that are correlated; some of them undefined."""
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(items, 1)) + rng.normal(size=(items, count)) * 0.5
    values += np.linspace(0, 0.4, count)
    values[rng.random(values.shape) < missing] = NAN
    return values


def one_lacks_items() -> FloatArray:
    """Return two systems, of which the first lacks values for some items."""
    values = systems(count=2)
    values[:10, 0] = NAN
    return values


def t_test(values: FloatArray, pairs: Sequence[Pair]) -> FloatArray:
    return group_t_test(PairedGroups(values, pairs, Groups.singletons(len(values))))


class TestReferences:
    @pytest.mark.parametrize("items", [5, 40, 200])
    def test_t_equals_scipy_s_ttest_rel(self, items: int) -> None:
        values = systems(items)
        pairs = all_pairs(5)
        expected = [scipy.stats.ttest_rel(values[:, a], values[:, b]).pvalue for a, b in pairs]
        np.testing.assert_allclose(t_test(values, pairs), expected, rtol=1e-9)

    @pytest.mark.parametrize("items", [5, 40, 200])
    def test_wilcoxon_equals_scipy_s(self, items: int) -> None:
        values = systems(items)
        pairs = all_pairs(5)
        expected = [scipy.stats.wilcoxon(values[:, a], values[:, b]).pvalue for a, b in pairs]
        np.testing.assert_array_equal(wilcoxon(values, pairs), expected)

    @given(st.lists(st.integers(-3, 3), min_size=1, max_size=8).filter(any))
    def test_ties_and_zeros_of_few_items_have_the_exact_p_of_all_signs(
        self, differences: list[int]
    ) -> None:
        known = [one for one in differences if one]
        ranks = scipy.stats.rankdata(np.abs(known))
        signs = np.array(list(itertools.product((0, 1), repeat=len(known))))
        sums, observed = signs @ ranks, ranks[np.array(known) > 0].sum()
        tail = min((sums <= observed).sum(), (sums >= observed).sum())
        values = np.c_[np.array(differences, np.float64), np.zeros(len(differences))]
        expected = min(1.0, 2 * tail / len(sums))
        assert wilcoxon(values, [(0, 1)])[0] == pytest.approx(expected)

    def test_randomization_approximates_the_exact_permutation_test(self) -> None:
        values = systems(items=9, count=2)
        exact = scipy.stats.permutation_test(
            (values[:, 0], values[:, 1]),
            lambda one, other, axis: np.mean(one - other, axis=axis),
            permutation_type="samples",
            n_resamples=2**9,
            vectorized=True,
        ).pvalue
        (found,) = randomisation_test(values, [(0, 1)], RandomisationPlan(9, 50_000))
        assert found == pytest.approx(exact, abs=0.01)

    def test_randomization_counts_rounds_as_noreen_does(self) -> None:
        values, plan = systems(items=30, count=2), RandomisationPlan(30, 500, seed=7)
        apart = values[:, 0] - values[:, 1]
        swaps = np.concatenate(list(plan.swaps()))
        turned = np.where(swaps, -apart, apart).mean(axis=1)
        reached = np.abs(turned) >= abs(apart.mean())
        (found,) = randomisation_test(values, [(0, 1)], plan)
        assert found == (reached.sum() + 1) / 501

    def test_the_resamples_are_those_of_the_intervals(self) -> None:
        values, plan = systems(items=30, count=2), ResamplingPlan(30, 100, seed=3)
        apart = values[:, 0] - values[:, 1]
        expected = [apart[row].mean() for block in plan.draws() for row in block]
        found = resampled_differences(values, [(0, 1)], plan)[:, 0]
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)

    def test_holm_multiplies_by_the_number_of_remaining_tests(self) -> None:
        # by hand: 4 x 0.005, 3 x 0.01, 2 x 0.03, and no less than the one before
        found = holm(np.array([0.01, 0.04, 0.03, 0.005, NAN]))
        np.testing.assert_allclose(found, [0.03, 0.06, 0.06, 0.02, NAN])


class TestUndefinedItems:
    @given(VALUES)
    def test_a_pair_is_compared_on_its_common_items(self, values: FloatArray) -> None:
        pairs = all_pairs(3)
        for number, (one, other) in enumerate(pairs):
            both = np.isfinite(values[:, one]) & np.isfinite(values[:, other])
            found = mean_differences(values, pairs)
            if both.any():
                expected = (values[both, one] - values[both, other]).mean()
                assert found[number] == pytest.approx(expected, abs=1e-9)
            else:
                assert np.isnan(found[number])

    def test_missing_items_of_other_systems_change_nothing(self) -> None:
        values = systems(missing=0.2)
        alone = values[:, :2]
        plan, swaps = ResamplingPlan(40, 200), RandomisationPlan(40, 200)
        np.testing.assert_allclose(
            resampled_differences(values, [(0, 1), (2, 3)], plan)[:, 0],
            resampled_differences(alone, [(0, 1)], plan)[:, 0],
            atol=1e-12,
        )
        together = randomisation_test(values, [(0, 1), (2, 3)], swaps)
        assert together[0] == randomisation_test(alone, [(0, 1)], swaps)[0]

    @pytest.mark.parametrize("values", [systems(count=3, missing=0.3), one_lacks_items()])
    def test_resampled_differences_use_the_common_items(self, values: FloatArray) -> None:
        pairs, swaps, plan = (
            all_pairs(values.shape[1]),
            RandomisationPlan(40, 400, seed=5),
            ResamplingPlan(40, 200),
        )
        tosses = np.concatenate(list(swaps.swaps()))
        draws = np.concatenate(list(plan.draws()))
        p, resampled = (
            randomisation_test(values, pairs, swaps),
            resampled_differences(values, pairs, plan),
        )
        for number, (one, other) in enumerate(pairs):
            apart = values[:, one] - values[:, other]
            turned = np.nansum(np.where(tosses, -apart, apart), axis=1)
            reached = np.abs(turned) >= abs(np.nansum(apart)) - 1e-9
            assert p[number] == (reached.sum() + 1) / 401
            expected = np.nanmean(apart[draws], axis=1)
            np.testing.assert_allclose(resampled[:, number], expected, rtol=0, atol=1e-12)

    def test_systems_without_a_common_item_are_not_compared(self) -> None:
        values = np.array([[1.0, NAN], [NAN, 2.0]])
        assert np.isnan(randomisation_test(values, [(0, 1)], RandomisationPlan(2, 10))).all()
        assert np.isnan(t_test(values, [(0, 1)])).all()
        assert np.isnan(wilcoxon(values, [(0, 1)])).all()
        assert np.isnan(resampled_differences(values, [(0, 1)], ResamplingPlan(2, 10))).all()
        assert np.isnan(bootstrap_p(np.full(3, NAN), NAN))


class TestInvariants:
    @pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
    def test_the_order_of_systems_changes_no_number(self, order: tuple[int, ...]) -> None:
        values = systems(count=3, missing=0.1)
        straight = randomisation_test(values, all_pairs(3), RandomisationPlan(40, 300))
        turned = values[:, list(order)]
        pairs = [(order.index(a), order.index(b)) for a, b in all_pairs(3)]
        np.testing.assert_array_equal(
            randomisation_test(turned, pairs, RandomisationPlan(40, 300)), straight
        )

    def test_equal_systems_do_not_differ_significantly(self) -> None:
        values = systems(count=1)[:, [0, 0]]
        assert randomisation_test(values, [(0, 1)], RandomisationPlan(40, 100))[0] == 1.0
        assert t_test(values, [(0, 1)])[0] == 1.0
        assert wilcoxon(values, [(0, 1)])[0] == 1.0
        assert (
            bootstrap_p(resampled_differences(values, [(0, 1)], ResamplingPlan(40, 100))[:, 0], 0)
            == 1.0
        )

    def test_the_order_of_two_systems_changes_only_the_sign(self) -> None:
        values = systems(count=2)
        assert mean_differences(values, [(0, 1)]) == -mean_differences(values, [(1, 0)])
        plan = RandomisationPlan(40, 300)
        assert randomisation_test(values, [(0, 1)], plan) == randomisation_test(
            values, [(1, 0)], plan
        )

    @given(st.lists(st.floats(0, 1), max_size=8))
    def test_corrected_values_are_never_smaller_and_keep_the_order(self, p: list[float]) -> None:
        given = np.array(p)
        corrected = holm(given)
        assert (corrected >= given).all()
        assert (np.diff(corrected[np.argsort(given, kind="stable")]) >= 0).all()

    @pytest.mark.parametrize("block", [1, 70 * 8 * 3, 1 << 20])
    def test_random_signs_do_not_depend_on_the_memory_of_a_block(
        self, block: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        whole = np.concatenate(list(RandomisationPlan(70, 20).swaps()))
        monkeypatch.setattr(bootstrap, "BLOCK_BYTES", block)
        monkeypatch.setattr("jurydesk.core.statistics.paired_tests.BLOCK_BYTES", block)
        np.testing.assert_array_equal(
            np.concatenate(list(RandomisationPlan(70, 20).swaps())), whole
        )
        assert 0.4 < whole.mean() < 0.6

    def test_there_are_enough_rounds_for_holm_s_first_step(self) -> None:
        assert rounds_for(1) == 10_000
        assert 1 / (rounds_for(1225) + 1) < 0.05 / 1225

    def test_the_check_is_called_and_can_cancel(self) -> None:
        heard: list[int] = []
        randomisation_test(systems(), [(0, 1)], RandomisationPlan(40, 100), heard.append)
        resampled_differences(systems(), [(0, 1)], ResamplingPlan(40, 50), heard.append)
        assert heard == [100, 50]


def test_a_pair_without_common_items_has_no_difference() -> None:
    values = np.array([[1.0, 0.0, NAN], [3.0, 1.0, NAN], [5.0, NAN, 2.0]])
    found = mean_differences(values, [(0, 1), (0, 2), (1, 2)])
    np.testing.assert_array_equal(found, [1.5, 3.0, NAN])


def test_a_resample_as_far_from_the_mean_as_the_difference_counts() -> None:
    resampled = np.array([-2.0, 0.0, 2.0])
    assert bootstrap_p(resampled, 2.0) == (2 + 1) / (3 + 1)
    assert bootstrap_p(resampled, 2.0 + 1e-6) == (0 + 1) / (3 + 1)


class TestTestedPairs:
    def test_all_pairs_of_two_hundred_systems_are_tested(self):
        scores = np.linspace(0, 1, 200)
        assert pairs_to_test(scores, higher=True) == all_pairs(200)

    @pytest.mark.parametrize("higher", [True, False])
    def test_of_more_systems_neighbours_and_the_best_ones_with_all(self, higher):
        scores = np.random.default_rng(1).permutation(1000) / 1000
        pairs = pairs_to_test(scores, higher=higher)
        order = np.argsort(-scores if higher else scores).tolist()
        wanted = {frozenset(pair) for pair in itertools.pairwise(order)}
        wanted |= {frozenset((best, one)) for best in order[:3] for one in order if one != best}
        assert {frozenset(pair) for pair in pairs} == wanted
        assert len(pairs) == len(wanted)
        assert all(one < other for one, other in pairs)
