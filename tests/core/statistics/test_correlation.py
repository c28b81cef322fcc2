"""Correlations against SciPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.statistics.correlation import KINDS, correlation, mean_ranks


@pytest.fixture(scope="module")
def scipy_stats():
    return pytest.importorskip("scipy.stats")


def columns(seed, ties):
    generator = np.random.default_rng(seed)
    one = generator.normal(size=40)
    other = one + generator.normal(size=40)
    return (np.round(one), np.round(other)) if ties else (one, other)


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize(
    ("kind", "peer"),
    [("pearson", "pearsonr"), ("spearman", "spearmanr"), ("kendall", "kendalltau")],
)
def test_value_equals_scipy(scipy_stats, kind, peer, ties):
    one, other = columns(7, ties)
    expected = getattr(scipy_stats, peer)(one, other).statistic
    assert correlation(one, other, kind, resamples=20).value == pytest.approx(expected, abs=1e-12)


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=30))
def test_ranks_equal_scipy(values):
    from scipy.stats import rankdata

    assert mean_ranks(np.array(values, float)).tolist() == rankdata(values).tolist()


def test_items_that_one_column_does_not_know_are_left_out():
    one = np.array([1, 2, 3, 4, np.nan])
    other = np.array([2, 4, 6, 8, 0.0])
    assert correlation(one, other, resamples=20).value == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ([5, 5, 5, 5], "one of the columns does not vary"),
        ([1, 2, np.nan, np.nan], "fewer than three items"),
    ],
)
def test_undefined_correlation_says_why(other, reason):
    assert correlation(np.arange(4.0), np.array(other, float)).undefined == reason


@pytest.mark.parametrize("kind", KINDS)
def test_interval_lies_around_the_value_and_is_the_same_again(kind):
    one, other = columns(3, ties=False)
    found = correlation(one, other, kind, resamples=100)
    assert found.interval.low <= found.value <= found.interval.high
    assert correlation(one, other, kind, resamples=100) == found
