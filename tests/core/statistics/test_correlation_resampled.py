"""Correlations of many resamples at once, compared with one resample at a time."""

from __future__ import annotations

import numpy as np
import pytest

from jurydesk.core.statistics import correlation_resampled
from jurydesk.core.statistics.bootstrap import ResamplingPlan
from jurydesk.core.statistics.correlation import KINDS
from jurydesk.core.statistics.correlation_resampled import resampled_correlations


def one_by_one(one, other, measure, plan):
    found = []
    for draws in plan.draws():
        for drawn in draws:
            a, b = one[drawn], other[drawn]
            varies = np.ptp(a) > 0 and np.ptp(b) > 0
            found.append(measure(a, b) if varies else np.nan)
    return np.array(found)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("items", [3, 4, 17, 200])
@pytest.mark.parametrize("ties", [False, True])
def test_many_resamples_give_what_single_ones_give(kind, items, ties):
    pytest.importorskip("scipy.stats")
    generator = np.random.default_rng(items)
    one = generator.normal(size=items)
    other = one + generator.normal(size=items)
    if ties:
        one, other = np.round(one), np.round(other) + 4.0
        one[0], other[0] = 9.0, -9.0
    plan = ResamplingPlan(items, 150, 3)
    found = resampled_correlations(one, other, kind, KINDS[kind], plan)
    np.testing.assert_allclose(found, one_by_one(one, other, KINDS[kind], plan), atol=1e-12)
    assert items > 3 or np.isnan(found).any()


def test_kendall_s_tau_in_parts_equals_that_of_the_whole(monkeypatch):
    pytest.importorskip("scipy.stats")
    one, other = np.random.default_rng(1).integers(0, 5, size=(2, 60)).astype(float)
    plan = ResamplingPlan(60, 40, 3)
    held = resampled_correlations(one, other, "kendall", KINDS["kendall"], plan)
    monkeypatch.setattr(correlation_resampled, "MOST_PAIRED", 59)
    loose = resampled_correlations(one, other, "kendall", KINDS["kendall"], plan)
    np.testing.assert_allclose(held, loose, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_the_computation_can_be_cancelled(kind):
    def stop(done):
        raise InterruptedError

    one, other = np.random.default_rng(1).normal(size=(2, 9))
    with pytest.raises(InterruptedError):
        resampled_correlations(one, other, kind, KINDS[kind], ResamplingPlan(9, 5, 1), stop)


@pytest.mark.parametrize("kind", KINDS)
def test_a_resample_in_which_one_column_is_constant_has_no_correlation(kind):
    """The sum of seven times 0.3 is rounded, so that their mean is another number."""
    one = np.array([0.3] * 6 + [1.07])
    other = np.random.default_rng(7).normal(size=7)
    plan = ResamplingPlan(7, 100, 3)
    drawn = np.concatenate(list(plan.draws()))
    expected = (drawn < 6).all(axis=1) | (drawn == 6).all(axis=1)
    found = resampled_correlations(one, other, kind, KINDS[kind], plan)
    assert expected.sum() > 20
    np.testing.assert_array_equal(np.isnan(found), expected)
