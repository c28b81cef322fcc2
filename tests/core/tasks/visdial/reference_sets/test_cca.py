"""Tests of canonical correlations against recorded results of the original program.

Its cases in float32 differ by its own rounding, which grows where eigenvalues nearly coincide.
"""

import json

import numpy as np
import pytest
from scipy import linalg

from jurydesk.core.metrics.fid.moments import Moments
from jurydesk.core.tasks.visdial.reference_sets.cca import (
    CanonicalDirections,
    canonical_correlations,
    unit_rows,
)
from support.oracles import oracle

CASES = json.loads(oracle("visdial/shared_cca.json").read_text(encoding="utf-8"))["cases"]
EXACT = [case for case in CASES if case["dtype"] == "float64"]


def views(case):
    if "x" in case:
        return np.array(case["x"], np.float64), np.array(case["y"], np.float64)
    with np.load(oracle("visdial/shared_cca_N5000.npz"), allow_pickle=False) as arrays:
        return arrays["x"].astype(np.float64), arrays["y"].astype(np.float64)


def solved(case):
    one, other = views(case)
    moments = Moments(one.shape[1] + other.shape[1])
    for start in range(0, len(one), 128):
        rows = slice(start, start + 128)
        moments.add(np.hstack([one[rows], other[rows]]))
    return canonical_correlations(moments.covariance, one.shape[1], case["k"]), moments.mean[
        : one.shape[1]
    ]


def close(case, float32):
    return {"float64": 1e-9, "float32": float32}[case["dtype"]]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['N']}-{case['dtype']}")
def test_eigenvalues_equal_the_original(case):
    found, _ = solved(case)
    assert found.eigenvalues == pytest.approx(case["eigenvalues"], abs=close(case, 1e-5))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['N']}-{case['dtype']}")
def test_correlations_of_candidates_equal_the_original(case):
    found, mean = solved(case)
    answers, _ = found.projections(case["p"])
    candidates = unit_rows((np.array(case["cand"]) - mean) @ answers).reshape(3, 100, -1)
    truths = unit_rows((np.array(case["ans"]) - mean) @ answers)
    correlations = np.einsum("qck,qk->qc", candidates, truths)
    assert correlations == pytest.approx(np.array(case["corrs"]), abs=close(case, 2e-3))


@pytest.mark.parametrize("case", EXACT, ids=lambda case: str(case["N"]))
def test_directions_equal_the_original_except_for_signs(case):
    found, _ = solved(case)
    for directions, expected in zip((found.first, found.second), case["proj"], strict=True):
        signs = np.sign((directions * expected).sum(axis=0))
        assert directions * signs == pytest.approx(np.array(expected), abs=1e-9)


@pytest.mark.parametrize("case", EXACT, ids=lambda case: str(case["N"]))
def test_projected_means_equal_the_original_except_for_signs(case):
    found, mean = solved(case)
    answers, _ = found.projections(case["p"])
    assert np.abs(mean @ answers) == pytest.approx(np.abs(case["train_mu"][0]), abs=1e-9)


def test_a_constant_view_is_allowed():
    rng = np.random.default_rng(0)
    covariance = np.cov(np.hstack([rng.random((50, 3)), np.ones((50, 2))]).T)
    assert np.isfinite(canonical_correlations(covariance, 3, 300).first).all()


def test_fewer_items_than_dimensions_beside_large_numbers_are_refused():
    rng = np.random.default_rng(0)
    covariance = np.cov(1e6 * rng.random((5, 40)).T)
    with pytest.raises(np.linalg.LinAlgError, match="too few distinct observations"):
        canonical_correlations(covariance, 20, 20)


def test_eigenvalues_below_zero_by_rounding_have_powers_too():
    found = CanonicalDirections(np.array([1.5, -1e-17]), np.eye(2), np.eye(2))
    assert found.projections(0.5)[0] == pytest.approx(np.diag([1.5**0.5, 0]))
    for power in (-1.0, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="not every eigenvalue"):
            found.projections(power)


def test_a_covariance_of_one_item_is_refused():
    with pytest.raises(np.linalg.LinAlgError):
        canonical_correlations(np.full((4, 4), np.nan), 2, 2)


def correlations_within(one, other):
    """Return correlations by all directions and the squares of their eigenvalues."""
    found = canonical_correlations(np.cov(np.hstack([one, other]).T), one.shape[1], 16)
    units = unit_rows((one - one.mean(axis=0)) @ found.projections(2.0)[0])
    return units @ units.T


@pytest.mark.parametrize(
    ("things", "first", "second"), [(400, 10, 6), (20, 16, 16)], ids=["repeated 1", "repeated 2"]
)
def test_equal_eigenvalues_give_the_same_correlations_however_the_views_are_rotated(
    things, first, second
):
    rng = np.random.default_rng(first)
    one, other = rng.normal(size=(things, first)), rng.normal(size=(things, second))
    other[:, :4] += one[:, :4]
    turns = (np.linalg.qr(rng.normal(size=(size, size)))[0] for size in (first, second))
    turned = [view @ turn for view, turn in zip((one, other), turns, strict=True)]
    assert correlations_within(*turned) == pytest.approx(correlations_within(one, other), abs=1e-9)


def test_directions_of_a_wider_view_equal_those_by_svd_and_of_the_null_space():
    rng = np.random.default_rng(1)
    one, other = rng.normal(size=(400, 10)), rng.normal(size=(400, 6))
    other[:, :4] += one[:, :4]
    covariance = np.cov(np.hstack([one, other]).T)
    across = covariance[:10, 10:]
    white = [
        linalg.inv(linalg.sqrtm(part)) for part in (covariance[:10, :10], covariance[10:, 10:])
    ]
    left, values, right = linalg.svd(white[0] @ across @ white[1], full_matrices=False)
    paired = np.vstack([white[0] @ left, white[1] @ right.T])
    paired = paired[:10] / linalg.norm(paired, axis=0)
    alone = linalg.null_space(across.T)
    scaled = np.hstack([paired * (1 + values) ** 2, paired * (1 - values) ** 2, alone])
    answers, _ = canonical_correlations(covariance, 10, 16).projections(2.0)
    assert answers @ answers.T == pytest.approx(scaled @ scaled.T, abs=1e-9)
