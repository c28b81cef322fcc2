from __future__ import annotations

import json
import math

import numpy as np
import pytest

from jurydesk.core.execution.run import Cancelled
from jurydesk.core.metrics.fid.kernel_distance import (
    ResampledKernelDistances,
    clip_distance,
    kernel_distance,
    subset_kernel_distance,
)
from jurydesk.core.metrics.fid.picture_manifolds import manifold_scores
from jurydesk.core.metrics.fid.picture_measures import NAMES, picture_measures
from support.oracles import oracle

QUICK = tuple(name for name in NAMES if name != "kid")
"""Measures but the one of a hundred subsets."""
CASES = json.loads(oracle("neural/picture_measures.json").read_text())["cases"]


def features(seed, n, width, shift, spread):
    rows = np.random.RandomState(seed).randn(n, width) * spread + shift
    return np.maximum(rows, 0) if seed % 2 else rows


@pytest.fixture(params=CASES)
def case(request):
    return CASES[request.param]


@pytest.fixture
def sides(case):
    return [features(*side) for side in case["sides"]]


def test_kid_of_subsets_equals_that_of_torch_fidelity(case, sides):
    found = subset_kernel_distance(*sides, subsets=case["subsets"], size=case["subset_size"])
    assert found.value == pytest.approx(case["kid"], abs=1e-9)
    assert found.error == pytest.approx(case["kid_std"], abs=1e-9)


def test_kid_of_all_pictures_equals_that_of_torch_fidelity(case, sides):
    if case["kid_full"] is None:
        pytest.skip("torch-fidelity has sides of equal size only")
    assert kernel_distance(*sides).value == pytest.approx(case["kid_full"], abs=1e-9)


def test_precision_and_its_like_equal_those_of_torch_fidelity_and_prdc(case, sides):
    found = picture_measures(QUICK, *sides)
    for name in ("precision", "recall", "density", "coverage"):
        assert found[name].value == pytest.approx(case[name], abs=1e-6), name


def test_cmmd_equals_its_definition(case, sides):
    assert clip_distance(*sides).value == pytest.approx(case["cmmd"], abs=1e-6)


def test_features_in_half_the_precision_give_the_same_measures(case, sides):
    found = picture_measures(QUICK, *(side.astype(np.float32) for side in sides))
    assert found["cmmd"].value == pytest.approx(case["cmmd"], abs=1e-5)
    assert found["precision"].value == pytest.approx(case["precision"], abs=1e-6)


def test_blocks_of_rows_change_no_measure(monkeypatch, sides):
    whole = picture_measures(QUICK, *sides)
    for module in ("kernel_distance", "picture_manifolds"):
        monkeypatch.setattr(f"jurydesk.core.metrics.fid.{module}.BLOCK", 7)
    parts = picture_measures(QUICK, *sides)
    for name in QUICK:
        assert parts[name].value == pytest.approx(whole[name].value, rel=1e-12, abs=1e-12)
        assert parts[name].error == pytest.approx(whole[name].error, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("compute", [kernel_distance, clip_distance])
def test_the_error_is_that_of_leaving_out_each_picture_in_turn(compute):
    sides = [features(20, 9, 4, 0.0, 1.0), features(22, 7, 4, 0.4, 1.0)]
    variance = 0.0
    for side, rows in enumerate(sides):
        left = [
            compute(*(np.delete(one, i, 0) if k == side else one for k, one in enumerate(sides)))
            for i in range(len(rows))
        ]
        values = np.array([one.value for one in left])
        variance += (len(rows) - 1) / len(rows) * np.square(values - values.mean()).sum()
    assert compute(*sides).error == pytest.approx(math.sqrt(variance), rel=1e-9)


def test_the_error_of_a_share_is_that_of_a_mean():
    real, generated = features(30, 20, 5, 0.0, 1.0), features(32, 30, 5, 0.3, 1.0)
    inside = manifold_scores(real, generated).precision
    expected = inside.std(ddof=1) / math.sqrt(30)
    assert picture_measures(("precision",), generated, real)["precision"].error == expected


def test_the_error_of_kid_covers_the_spread_of_repeated_samples():
    found = [
        kernel_distance(
            features(100 + 2 * i, 60, 6, 0.0, 1.0), features(500 + 2 * i, 50, 6, 0.5, 1.0)
        )
        for i in range(60)
    ]
    spread = np.std([one.value for one in found], ddof=1)
    assert 0.7 < np.mean([one.error for one in found]) / spread < 1.4


def test_a_copy_of_a_real_picture_is_precise_though_features_are_rounded():
    real = features(40, 40, 300, 3.0, 1.0)
    found = manifold_scores(real, real[:10])
    assert found.precision.all()
    assert (found.density > 0).all()


def test_resampling_every_picture_once_gives_kid_of_all():
    one, other = features(50, 12, 4, 0.0, 1.0), features(52, 9, 4, 0.2, 1.0)
    drawn = ResampledKernelDistances(one, other).draw(np.ones(12))
    assert drawn == pytest.approx(kernel_distance(one, other).value, rel=1e-12)


def test_a_picture_drawn_twice_is_not_compared_with_its_copy():
    one, other = features(50, 4, 3, 0.0, 1.0), features(52, 9, 3, 0.2, 1.0)
    resampled = ResampledKernelDistances(one, other)
    assert resampled.draw(np.array([2.0, 2, 0, 0])) == pytest.approx(
        kernel_distance(one[:2], other).value, rel=1e-12
    )
    assert math.isnan(resampled.draw(np.array([4.0, 0, 0, 0])))


def test_too_few_pictures_have_no_neighbours():
    with pytest.raises(ValueError, match="5 features"):
        manifold_scores(features(0, 5, 3, 0, 1), features(2, 9, 3, 0, 1))


def test_computation_stops_when_it_is_cancelled():
    def stop():
        raise Cancelled

    with pytest.raises(Cancelled):
        picture_measures(("kid",), features(0, 5, 3, 0, 1), features(2, 9, 3, 0, 1), stop)


def test_a_feature_without_length_does_not_spoil_cmmd():
    one = np.vstack([np.zeros(4), features(2, 8, 4, 0.0, 1.0)])
    assert math.isfinite(clip_distance(one, features(4, 8, 4, 0.0, 1.0)).value)
