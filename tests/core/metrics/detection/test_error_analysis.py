"""Analyses over thresholds, compared with counting and averaging every record by definition."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.metrics.detection import error_analysis
from jurydesk.core.metrics.detection.average_precision import (
    DetectionRecords,
    average_precisions,
    interpolated_average_precision,
    recall_levels,
)
from jurydesk.core.metrics.detection.error_analysis import KINDS, LEFT_OUT, TRUE
from jurydesk.core.metrics.detection.threshold_what_if import (
    Thresholds,
    average_precision_at,
    claims_of,
    precision_recall_curve,
)
from support.kits.detection_errors import detection_errors

SEEDS = st.integers(0, 2**32 - 1)
CUTS = st.builds(
    Thresholds,
    overlap=st.sampled_from([0.1, 0.3, 0.5, 0.7, 1.0]),
    meteor=st.sampled_from([None, 0.0, 0.1, 0.25]),
    score=st.sampled_from([-np.inf, -0.5, 0.0, 5.0]),
)


def made_up(seed, count=60):
    rng = np.random.default_rng(seed)
    claims = rng.random(count) < 0.4
    return DetectionRecords(
        image=np.zeros(count, np.int64),
        detection=np.arange(count),
        group=rng.integers(0, 9, count),
        overlap=np.round(rng.random(count), 1),
        claims=claims,
        log_probability=np.round(rng.normal(size=count), 1),
        meteor=np.round(0.4 * rng.random(count), 2),
        objects=int(claims.sum()) + 7,
    )


def only(records, kept):
    names = ("image", "detection", "group", "overlap", "claims", "log_probability", "meteor")
    return replace(records, **{name: getattr(records, name)[kept] for name in names})


def ap_of(true, scores, objects):
    order = np.argsort(-scores, kind="stable")
    return interpolated_average_precision(
        np.flatnonzero(true[order]), objects, recall_levels("corrected")
    )


def kinds_of(records, cut):
    return detection_errors(records, cut.overlap, cut.meteor)


@given(SEEDS)
def test_cells_equal_those_of_the_heat_map(seed):
    records = made_up(seed)
    aps = average_precisions(records)
    claims = claims_of(records, "published")
    assert average_precision_at(claims, Thresholds(0.5, 0.1)) == aps.cells[2, 2]
    assert average_precision_at(claims, Thresholds(0.7)) == aps.detection[4]


@given(SEEDS, CUTS)
def test_excluding_low_scores_equals_scoring_fewer_records(seed, cut):
    records = made_up(seed)
    fewer = only(records, records.log_probability >= cut.score)
    true = kinds_of(fewer, cut).true
    claims = claims_of(records, "corrected")
    expected = ap_of(true, fewer.log_probability, records.objects)
    assert average_precision_at(claims, cut) == expected
    assert len(claims.hits(cut)) == true.sum()


@given(SEEDS, CUTS)
def test_error_kinds_are_counted_and_assigned_to_every_record(seed, cut):
    records = made_up(seed)
    claims = claims_of(records, "corrected")
    fewer = only(records, records.log_probability >= cut.score)
    cell, counts = kinds_of(fewer, cut), error_analysis.error_counts(claims, cut)
    assert {kind: mask.sum() for kind, mask in cell.false.items()} == {
        kind: count for kind, count in counts.items() if kind != "missed"
    }
    assert counts["missed"] == records.objects - error_analysis.records_needing_meteor(fewer).sum()
    verdicts = error_analysis.error_kinds(records, claims, cut)
    assert (verdicts == TRUE).sum() == cell.true.sum()
    assert (verdicts == LEFT_OUT).sum() == len(records.image) - len(fewer.image)
    for place, kind in enumerate(KINDS):
        if kind != "missed":
            assert (verdicts == place).sum() == counts[kind]


@given(SEEDS, CUTS)
def test_repairing_one_kind_equals_scoring_the_repaired_records(seed, cut):
    records = made_up(seed)
    claims = claims_of(records, "corrected")
    fewer = only(records, records.log_probability >= cut.score)
    cell, scores = kinds_of(fewer, cut), fewer.log_probability
    before = ap_of(cell.true, scores, records.objects)
    lost = error_analysis.ap_lost(claims, cut)
    for kind in ("misdescribed", "mislocated"):
        after = ap_of(cell.true | cell.false[kind], scores, records.objects)
        assert lost[kind] == pytest.approx(after - before, abs=1e-12)
    for kind in ("both", "duplicate", "background"):
        kept = ~cell.false[kind]
        after = ap_of(cell.true[kept], scores[kept], records.objects)
        assert lost[kind] == pytest.approx(after - before, abs=1e-12)
    after = ap_of(cell.true, scores, error_analysis.records_needing_meteor(fewer).sum())
    assert lost["missed"] == pytest.approx(after - before, abs=1e-12)


def test_costs_are_means_over_the_thirty_cells():
    records = made_up(1)
    claims = claims_of(records, "published")
    cuts = [Thresholds(o, m) for o in (0.3, 0.4, 0.5, 0.6, 0.7)
            for m in (0.0, 0.05, 0.1, 0.15, 0.2, 0.25)]  # fmt: skip
    each = [error_analysis.ap_lost(claims, cut) for cut in cuts]
    costs = error_analysis.mean_ap_lost(claims)
    for kind in KINDS:
        assert costs[kind] == pytest.approx(sum(cell[kind] for cell in each) / 30)


def test_precision_and_recall_end_at_the_last_true_detection():
    records = made_up(2)
    claims = claims_of(records, "published")
    recall, precision = precision_recall_curve(claims, Thresholds(0.5, 0.1))
    true = detection_errors(records, 0.5, 0.1).true.sum()
    assert recall[-1] == true / records.objects
    assert ((precision > 0) & (precision <= 1)).all()


def test_a_given_order_replaces_the_sorting():
    records = made_up(3)
    order = np.argsort(-records.log_probability, kind="stable")
    one, other = claims_of(records, "corrected"), claims_of(records, "corrected", order)
    assert (one.rank == other.rank).all()
    assert (one.row == other.row).all()
