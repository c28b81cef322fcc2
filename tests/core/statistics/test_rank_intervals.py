from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.statistics.group_tests import PairedGroups, randomise_groups
from jurydesk.core.statistics.groups import Groups
from jurydesk.core.statistics.paired_tests import all_pairs
from jurydesk.core.statistics.power import (
    _shrink_covariance,
    bonferroni_critical,
    largest_critical,
    minimum_detectable_differences,
)
from jurydesk.core.statistics.rank_intervals import RankInterval, ranks

THREE = all_pairs(3)  # (0, 1), (0, 2), (1, 2)


@pytest.mark.parametrize(
    ("p", "expected"),
    [
        ([1.0, 1.0, 1.0], [(1, 3), (1, 3), (1, 3)]),
        ([0.0, 0.0, 0.0], [(1, 1), (2, 2), (3, 3)]),
        ([1.0, 0.0, 0.0], [(1, 2), (1, 2), (3, 3)]),
        ([1.0, 0.0, 1.0], [(1, 2), (1, 3), (2, 3)]),
        ([0.05, 1.0, 1.0], [(1, 3), (1, 3), (1, 3)]),
        ([float("nan"), 1.0, 1.0], [(1, 3), (1, 3), (1, 3)]),
    ],
)
def test_a_rank_spans_the_systems_without_a_significant_difference(
    p: list[float], expected: list[tuple[int, int]]
) -> None:
    found = ranks(3, THREE, np.array([0.1, 0.2, 0.1]), np.array(p), 0.05)
    assert found == [RankInterval(*limits) for limits in expected]


def test_the_sign_of_a_difference_decides_which_system_is_better() -> None:
    assert ranks(2, [(0, 1)], np.array([-0.1]), np.array([0.001]), 0.05) == [
        RankInterval(2, 2),
        RankInterval(1, 1),
    ]


@given(st.integers(1, 6), st.randoms(use_true_random=False))
def test_a_rank_never_leaves_the_board(systems: int, dice: random.Random) -> None:
    pairs = all_pairs(systems)
    p = np.array([dice.random() ** 3 for _ in pairs])
    apart = np.array([dice.random() - 0.5 for _ in pairs])
    for rank in ranks(systems, pairs, apart, p, 0.05):
        assert 1 <= rank.best <= rank.worst <= systems


PISA = np.array(
    [
        (491.36, 1.94, 12, 30),
        (498.94, 2.97, 7, 26),
        (508.07, 2.26, 4, 18),
        (512.02, 2.36, 3, 17),
        (417.41, 2.42, 35, 37),
        (390.93, 2.99, 37, 38),
        (402.33, 3.29, 35, 38),
        (499.47, 2.46, 7, 25),
        (509.40, 1.74, 4, 18),
        (523.41, 1.74, 1, 6),
        (507.30, 1.97, 4, 18),
        (495.41, 2.32, 12, 26),
        (500.04, 2.65, 7, 25),
        (451.37, 3.09, 32, 34),
        (481.08, 2.32, 23, 31),
        (495.19, 1.95, 12, 26),
        (499.63, 2.20, 8, 25),
        (463.03, 3.50, 31, 34),
        (486.59, 2.78, 15, 31),
        (526.97, 2.47, 1, 6),
        (525.93, 3.12, 1, 7),
        (496.13, 1.96, 12, 26),
        (481.19, 1.95, 23, 31),
        (483.42, 1.10, 23, 31),
        (408.80, 2.49, 35, 37),
        (519.23, 2.63, 1, 11),
        (494.49, 1.71, 12, 26),
        (500.96, 2.22, 7, 24),
        (515.65, 2.60, 1, 12),
        (492.49, 2.68, 12, 31),
        (486.16, 2.56, 18, 31),
        (508.90, 1.36, 4, 18),
        (481.39, 1.46, 24, 31),
        (502.39, 2.65, 5, 24),
        (515.31, 2.91, 1, 13),
        (453.51, 2.26, 32, 34),
        (501.77, 2.56, 6, 24),
        (478.24, 3.24, 23, 32),
    ]
)
"""Mathematics of 38 countries in PISA 2018 (OECD): mean, standard error, and the simultaneous 95 %
rank intervals of csranks 1.2.2.9001: `csranks(math_score, diag(math_se^2), R=20000)`.
"""


def test_rank_intervals_are_those_of_csranks_in_its_published_example() -> None:
    """csranks keeps both directions of a rejected pair in its next step, and so rejects less.

    Every end may be one rank narrower for that, none is wider, and most are equal.
    """
    means, errors, limits = PISA[:, 0], PISA[:, 1], PISA[:, 2:].astype(int)
    drawn = np.random.default_rng(0).normal(size=(200, len(PISA)))
    apart, _ = np.linalg.qr(drawn - drawn.mean(axis=0))  # uncorrelated, each with the mean 0
    items = means + apart * np.sqrt(200 * 199) * errors
    pairs = all_pairs(len(PISA))
    tests = randomise_groups(PairedGroups(items, pairs, Groups.singletons(200)), rounds=4000)
    differences = np.array([means[one] - means[other] for one, other in pairs])
    narrower = np.array(ranks(len(PISA), pairs, differences, tests.corrected, 0.05)) - limits
    assert set(narrower[:, 0]) <= {0, 1}
    assert set(narrower[:, 1]) <= {0, -1}
    assert (narrower == 0).mean() > 0.8


@pytest.mark.parametrize("groups", [100, 1000, 1938])
def test_a_t_test_detects_the_minimum_detectable_difference_in_four_of_five_cases(
    groups: int,
) -> None:
    limit = bonferroni_critical(groups - 1, 1, 0.95)
    assert limit == pytest.approx(scipy.stats.t.isf(0.025, groups - 1))
    errors = np.array([1 / np.sqrt(groups)])
    difference, _ = minimum_detectable_differences(errors, groups - 1, limit)
    seen = scipy.stats.nct.sf(limit, groups - 1, difference * np.sqrt(groups))
    assert seen == pytest.approx(0.8, abs=0.01)


def test_more_systems_and_fewer_groups_need_a_larger_difference() -> None:
    rng = np.random.default_rng(1)
    boards = {
        (systems, groups): largest_critical(
            rng.normal(size=(groups, systems)), all_pairs(systems), 0.95, groups - 1
        )
        for systems in (2, 10)
        for groups in (10, 200)
    }
    assert boards[10, 10] > boards[10, 200] > boards[2, 200]
    assert boards[2, 200] == pytest.approx(scipy.stats.t.isf(0.025, 199), rel=0.05)
    tukey = scipy.stats.studentized_range.isf(0.05, 10, 199) / np.sqrt(2)
    assert boards[10, 200] == pytest.approx(tukey, rel=0.05)


@pytest.mark.parametrize("errors", [[], [float("nan")]])
def test_the_minimum_detectable_difference_is_undefined_without_pairs(errors: list[float]) -> None:
    assert np.isnan(minimum_detectable_differences(np.array(errors), 100, 2.0)).all()


def test_a_shrunk_covariance_keeps_the_total_variance() -> None:
    columns = np.random.default_rng(4).normal(size=(30, 5)) * np.arange(1, 6)
    covariance = np.cov(columns.T)
    assert np.trace(_shrink_covariance(covariance, 30)) == pytest.approx(np.trace(covariance))


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 4)), min_size=2, max_size=5))
def test_a_rank_interval_is_that_of_all_orders_that_the_differences_allow(
    given: list[tuple[int, int]],
) -> None:
    """By enumeration: a system that is significantly better stands before the other."""
    limits = [(low, low + length) for low, length in given]
    pairs = all_pairs(len(limits))
    apart = np.array([limits[one][0] - limits[other][0] for one, other in pairs], float)
    beyond = [(limits[a][0] > limits[b][1]) - (limits[b][0] > limits[a][1]) for a, b in pairs]
    found = ranks(len(limits), pairs, apart, np.where(np.array(beyond) != 0, 0.0, 1.0), 0.05)
    allowed = [
        order
        for order in itertools.permutations(range(len(limits)))
        if not any(
            side and (order.index(a) < order.index(b)) != (side > 0)
            for (a, b), side in zip(pairs, beyond, strict=True)
        )
    ]
    places = [{order.index(system) + 1 for order in allowed} for system in range(len(limits))]
    assert found == [RankInterval(min(one), max(one)) for one in places]
