from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.metrics.fid.frechet_distance import (
    Gaussian,
    _triangle,
    gaussian_frechet_distance,
)
from support.oracles import oracle

RECORDED = json.loads(oracle("neural/shared_fid.json").read_text())["runs"]
RUNS = [(name, run) for version in RECORDED.values() for name, run in version.items()]
QUICK = [(name, run) for name, run in RUNS if not name.startswith("d2048")]
"""The published root of 2048 dimensions takes ten seconds: `tests/bench/neural.py` compares it."""


@pytest.fixture(scope="module")
def recorded():
    with np.load(oracle("neural/shared_fid_features.npz")) as file:
        return {name: Gaussian.of(file[name]) for name in file.files}


def without_features(gaussian):
    return Gaussian(gaussian.mean, gaussian.covariance, gaussian.n)


def random_gaussian(seed, n, width=6):
    return Gaussian.of(np.random.RandomState(seed).randn(n, width))


@pytest.mark.parametrize(("name", "run"), QUICK)
def test_the_published_distance_equals_that_of_the_original(recorded, name, run):
    found = gaussian_frechet_distance(recorded[f"{name}_a"], recorded[f"{name}_b"])
    assert found == pytest.approx(run["fid"], rel=1e-6, abs=1e-12)


@pytest.mark.parametrize(("name", "run"), RUNS)
def test_the_exact_distance_equals_that_by_the_nuclear_norm(recorded, name, run):
    found = gaussian_frechet_distance(recorded[f"{name}_a"], recorded[f"{name}_b"], "exact")
    assert found == pytest.approx(run["exact_nuclear_norm_value"], rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(("name", "run"), QUICK)
def test_the_exact_distance_needs_no_features(recorded, name, run):
    one, other = (without_features(recorded[f"{name}_{side}"]) for side in "ab")
    found = gaussian_frechet_distance(one, other, "exact")
    assert found == pytest.approx(run["exact_nuclear_norm_value"], rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(("name", "run"), QUICK)
def test_the_root_by_scipy_gives_the_published_value(recorded, name, run):
    found = gaussian_frechet_distance(recorded[f"{name}_a"], recorded[f"{name}_b"], "sqrtm")
    assert found == pytest.approx(run["fid"], rel=1e-7, abs=1e-11)


def few(seed):
    """Return fewer features than dimensions."""
    return Gaussian.of(np.random.RandomState(seed).randn(20, 64))


def test_the_exact_trace_replaces_the_published_one_if_rounding_is_negligible():
    one, other = few(0), few(1)
    found, root = (
        gaussian_frechet_distance(one, other),
        gaussian_frechet_distance(one, other, "sqrtm"),
    )
    assert found == gaussian_frechet_distance(one, other, "exact")
    assert found == pytest.approx(root, rel=1e-5)


def test_the_published_rounding_noise_is_kept_where_it_is_visible():
    one = few(0)
    near = Gaussian.of(one.features + np.random.RandomState(2).randn(20, 64) * 1e-3)
    found, root = (
        gaussian_frechet_distance(one, near),
        gaussian_frechet_distance(one, near, "sqrtm"),
    )
    exact = gaussian_frechet_distance(one, near, "exact")
    assert abs(exact - root) > 1e-5 * root
    assert abs(found - root) < 1e-5 * abs(exact - root)


@given(st.integers(0, 10_000), st.integers(2, 20), st.integers(2, 20))
def test_the_distance_is_symmetric_and_not_negative(seed, n, m):
    one, other = random_gaussian(seed, n), random_gaussian(seed + 1, m)
    there = gaussian_frechet_distance(one, other, "exact")
    back = gaussian_frechet_distance(other, one, "exact")
    assert there == pytest.approx(back, rel=1e-9, abs=1e-9)
    assert there > -1e-9


@given(st.integers(0, 10_000), st.integers(2, 20))
def test_a_distribution_has_no_distance_from_itself(seed, n):
    one = random_gaussian(seed, n)
    assert gaussian_frechet_distance(one, one, "exact") == pytest.approx(0, abs=1e-9)


def test_a_shift_alone_counts_with_its_square():
    one = random_gaussian(0, 20)
    moved = Gaussian(one.mean + 2, one.covariance, one.n)
    assert gaussian_frechet_distance(one, moved) == pytest.approx(6 * 4, rel=1e-9)


def test_constant_features_are_allowed():
    still = Gaussian.of(np.ones((4, 3)))
    assert gaussian_frechet_distance(still, still) == 0
    assert gaussian_frechet_distance(still, still, "exact") == 0


def test_different_widths_are_refused():
    with pytest.raises(ValueError, match="6 dimensions against 5"):
        gaussian_frechet_distance(random_gaussian(0, 9), random_gaussian(0, 9, width=5))


def test_a_root_that_is_not_real_is_refused_as_by_the_original():
    one = Gaussian(np.zeros(2), np.diag([1.0, -1.0]))
    other = Gaussian(np.zeros(2), np.eye(2))
    with pytest.raises(ValueError, match="the imaginary part 1"):
        gaussian_frechet_distance(one, other)


def test_the_exact_distance_of_tiny_features_is_that_of_the_same_features_scaled_up():
    """Four features of width 6 have a singular covariance."""
    one, other = (without_features(random_gaussian(seed, 4)) for seed in (1, 2))
    scale = 1e-9
    tiny = (
        Gaussian(scale * part.mean, scale**2 * part.covariance, part.n) for part in (one, other)
    )
    expected = gaussian_frechet_distance(one, other, "exact")
    found = gaussian_frechet_distance(*tiny, "exact") / scale**2
    assert found == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_whether_a_covariance_is_singular_does_not_depend_on_its_unit(scale):
    """Its pivots are 1 and 1e-8 (regular), or 1 and 1e-12 (singular), times the unit."""
    mean = np.zeros(2)
    regular = Gaussian(mean, np.diag([1.0, 1e-8]) * scale)
    singular = Gaussian(mean, np.diag([1.0, 1e-12]) * scale)
    assert _triangle(regular) is not None
    assert _triangle(singular) is None
