from __future__ import annotations

import random

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from core.stats.paired import all_pairs
from core.stats.power import visible_difference
from core.stats.ranks import Rank, ranks

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
def test_a_rank_spans_what_is_not_separate(p: list[float], expected: list[tuple[int, int]]) -> None:
    found = ranks(3, THREE, np.array([0.1, 0.2, 0.1]), np.array(p), 0.05)
    assert found == [Rank(*limits) for limits in expected]


def test_the_sign_of_a_difference_says_who_is_better() -> None:
    assert ranks(2, [(0, 1)], np.array([-0.1]), np.array([0.001]), 0.05) == [Rank(2, 2), Rank(1, 1)]


@given(st.integers(1, 6), st.randoms(use_true_random=False))
def test_a_rank_never_leaves_the_board(systems: int, dice: random.Random) -> None:
    pairs = all_pairs(systems)
    p = np.array([dice.random() ** 3 for _ in pairs])
    apart = np.array([dice.random() - 0.5 for _ in pairs])
    for rank in ranks(systems, pairs, apart, p, 0.05):
        assert 1 <= rank.best <= rank.worst <= systems


@pytest.mark.parametrize("items", [100, 1000, 1938])
def test_a_t_test_sees_the_smallest_visible_difference_in_four_of_five_cases(items: int) -> None:
    difference = visible_difference(np.array([1 / np.sqrt(items)]))
    limit = scipy.stats.t.isf(0.025, items - 1)
    seen = scipy.stats.nct.sf(limit, items - 1, difference * np.sqrt(items))
    assert seen == pytest.approx(0.8, abs=0.01)


def test_nothing_is_known_of_it_without_pairs() -> None:
    assert np.isnan(visible_difference(np.array([])))
    assert np.isnan(visible_difference(np.array([float("nan")])))
