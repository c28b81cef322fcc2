from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.metrics.fid.moments import Moments


def features(seed, n, width=5, offset=1000.0):
    return np.random.RandomState(seed).randn(n, width).astype(np.float32) + np.float32(offset)


def summed(rows, cuts):
    moments = Moments(rows.shape[1])
    for part in np.split(rows, sorted(cuts)):
        moments.add(part)
    return moments


@given(st.lists(st.integers(0, 40), max_size=6), st.integers(0, 1000))
def test_any_batches_give_the_mean_and_covariance_of_numpy(cuts, seed):
    rows = features(seed, 40)
    moments = summed(rows, cuts)
    exact = rows.astype(np.float64)
    assert moments.n == 40
    assert moments.mean == pytest.approx(exact.mean(axis=0), rel=1e-14)
    assert moments.covariance == pytest.approx(np.cov(exact, rowvar=False), rel=1e-12, abs=1e-13)


@given(st.integers(0, 30), st.integers(0, 1000))
def test_merged_sums_equal_those_of_all_features(cut, seed):
    rows = features(seed, 30)
    one, other = Moments(5), Moments(5)
    one.add(rows[:cut])
    other.add(rows[cut:])
    one.merge(other)
    whole = summed(rows, [])
    assert one.n == 30
    assert one.mean == pytest.approx(whole.mean, rel=1e-14)
    assert one.covariance == pytest.approx(whole.covariance, rel=1e-10, abs=1e-12)


def test_one_feature_has_no_covariance():
    moments = summed(features(0, 1), [])
    assert np.isnan(moments.covariance).all()
