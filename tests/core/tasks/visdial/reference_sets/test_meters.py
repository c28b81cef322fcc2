"""Tests of the meters of reference sets against the original programs (in float32)."""

import json

import numpy as np
import pytest

from jurydesk.core.tasks.visdial.reference_sets.meters import (
    METERS,
    TITLES,
    compute_meters,
    summarize_meters,
)
from support.oracles import oracle

CLUSTERS = json.loads(oracle("visdial/shared_clusters.json").read_text(encoding="utf-8"))
CORRELATIONS = np.array(CLUSTERS["corrs"])
TRUTH = np.array(CLUSTERS["gt_idx"])
PEOPLE = np.array(CLUSTERS["masks"]["H"], dtype=bool)


@pytest.mark.parametrize("name", CLUSTERS["meters"])
def test_statistics_equal_the_original(name):
    method, kind = name.split("_")
    masks = np.array(CLUSTERS["masks"][method], dtype=bool)
    people = PEOPLE if kind == "human" else None
    found = compute_meters(masks, CORRELATIONS, TRUTH, people)
    expected = CLUSTERS["meters"][name]
    assert set(found) == set(expected)
    for meter in summarize_meters([found]):
        values = found[meter.name]
        assert values[~np.isnan(values)] == pytest.approx(expected[meter.name]["values"], abs=1e-4)
        assert meter.mean == pytest.approx(expected[meter.name]["avg"], abs=1e-4)
        assert meter.std == pytest.approx(expected[meter.name]["std"], abs=1e-4)


def test_questions_measured_in_parts_have_the_same_means():
    masks = np.array(CLUSTERS["masks"]["S"], dtype=bool)
    halves = [
        compute_meters(masks[rows], CORRELATIONS[rows], TRUTH[rows], PEOPLE[rows])
        for rows in (slice(0, 9), slice(9, None))
    ]
    whole = summarize_meters([compute_meters(masks, CORRELATIONS, TRUTH, PEOPLE)])
    for one, other in zip(summarize_meters(halves), whole, strict=True):
        assert (one.name, one.n) == (other.name, other.n)
        assert (one.mean, one.std) == pytest.approx((other.mean, other.std))


def test_an_unannotated_question_counts_only_for_the_sets_own_statistics():
    people = PEOPLE.copy()
    people[3] = False
    masks = np.array(CLUSTERS["masks"]["S"], dtype=bool)
    found = {
        meter.name: meter.n
        for meter in summarize_meters([compute_meters(masks, CORRELATIONS, TRUTH, people)])
    }
    assert (found["precision"], found["cluster_size"]) == (23, 24)


def test_every_statistic_is_described():
    assert tuple(TITLES) == METERS
