"""Tests of reference sets against recorded results of the original programs."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from jurydesk.core.tasks.visdial.reference_sets.methods import (
    METHODS,
    _mean_shift,
    human_masks,
    reference_masks,
)
from support.oracles import oracle

CLUSTERS = json.loads(oracle("visdial/shared_clusters.json").read_text(encoding="utf-8"))
CORRELATIONS = np.array(CLUSTERS["corrs"])
TRUTH = np.array(CLUSTERS["gt_idx"])
SHIFTED = json.loads(oracle("visdial/mean_shift.json").read_text(encoding="utf-8"))["sets"]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("method", METHODS)
def test_masks_equal_the_original(method, dtype):
    masks = reference_masks(CORRELATIONS.astype(dtype), TRUTH, method)
    assert masks.astype(int).tolist() == CLUSTERS["masks"][method]


def test_masks_of_people_s_choices_equal_the_original():
    masks = human_masks(np.array(CLUSTERS["human_scores"]), TRUTH)
    assert masks.astype(int).tolist() == CLUSTERS["masks"]["H"]


@given(
    arrays.arrays(np.float64, (3, 20), elements=st.floats(-1, 1, width=16)),
    st.lists(st.integers(0, 19), min_size=3, max_size=3),
    st.sampled_from(sorted(METHODS)),
)
def test_the_true_answer_and_the_best_candidate_are_always_references(values, truth, method):
    masks = reference_masks(values, np.array(truth), method)
    others = np.where(np.eye(20, dtype=bool)[truth], -np.inf, values)
    for mask, true, candidates in zip(masks, truth, others, strict=True):
        assert mask[true]
        assert (mask & (candidates == candidates.max())).any()


@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_mean_shift_equals_scikit_learn(kind):
    """Include a bandwidth of 0, where scikit-learn loses centres to rounding."""
    for case in SHIFTED:
        if case["dtype"] == kind and case["mask"] is not None:
            (mask,) = METHODS["M"](np.array([case["points"]], kind))
            assert "".join("01"[chosen] for chosen in mask.tolist()) == case["mask"]


def test_mean_shift_chooses_the_largest_cluster_where_scikit_learn_stops():
    stopped = [case for case in SHIFTED if case["mask"] is None]
    assert stopped
    for case in stopped:
        points = np.array([case["points"]], case["dtype"])
        assert METHODS["M"](points).tolist() == (points == points.max()).tolist()


def test_mean_shift_does_not_change_sets_of_bandwidth_0_among_others():
    points = np.array([case["points"] for case in SHIFTED if len(case["points"]) == 99])
    alone = [METHODS["M"](row[None])[0].tolist() for row in points]
    assert METHODS["M"](points).tolist() == alone


@pytest.mark.parametrize("distinct", [1, 2, 3, 4, 8, 40])
def test_ward_equals_scikit_learn_whatever_the_number_of_equal_values(distinct):
    cluster = pytest.importorskip("sklearn.cluster", reason="scikit-learn is not installed")
    rng = np.random.default_rng(distinct)
    points = rng.choice(rng.uniform(-1, 1, distinct), (10, 99))
    for row, mask in zip(points, METHODS["G"](points), strict=True):
        labels = cluster.AgglomerativeClustering(n_clusters=5).fit(row[:, None]).labels_
        means = [row[labels == label].mean() for label in range(5)]
        assert (labels == np.argmax(means)).tolist() == mask.tolist()


def test_a_mean_that_rounding_moves_beyond_the_bandwidth_stays_without_neighbours():
    """The sum of three times 0.1 is rounded, and a third of it is not 0.1."""
    modes, counts = _mean_shift(np.full((1, 3), 0.1), np.zeros(1))
    assert modes.tolist() == [[0.30000000000000004 / 3] * 3]
    assert counts.tolist() == [[0, 0, 0]]
