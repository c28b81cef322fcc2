"""Curves of ranked lists: their points, their band, and the queries that are left out."""

from __future__ import annotations

import numpy as np
import pytest

from jurydesk.core.metrics.ranking import RankingStatistics
from jurydesk.core.metrics.ranking import curves as curves_module
from jurydesk.core.metrics.ranking.curves import column_quantiles, rank_curve, recall_curves
from support.files.trec import hits

EVERY = np.ones(2, dtype=np.bool_)


def test_eleven_points_follow_the_exact_rule() -> None:
    """Use hits at ranks 1 and 3 of 6 relevant: recall 0.2 needs two of them."""
    ranked = RankingStatistics(hits([{1: 1, 3: 1, "b": 1, "c": 1, "d": 1, "e": 1}], [3]))
    curve = recall_curves(ranked, EVERY[:1])[1]
    assert curve.mean.tolist() == [1.0, 1.0, 2 / 3, 2 / 3, *[0.0] * 7]
    assert curve.x.tolist() == [level / 10 for level in range(11)]


def test_interpolated_curves_are_named_as_such_and_drawn_as_steps() -> None:
    curves = recall_curves(RankingStatistics(hits([{1: 1}], [3])), EVERY[:1])
    assert [(one.title, one.form) for one in curves] == [
        ("Interpolated precision (101 points)", "steps"),
        ("Interpolated precision (11 points)", "steps"),
    ]


def test_a_level_that_floating_point_misses_is_exact() -> None:
    """0.07 * 100 is 7.000000000000001 in floating point; seven items of a hundred reach 0.07."""
    found = dict.fromkeys(range(1, 8), 1.0) | {f"m{i}": 1.0 for i in range(93)}
    curve = recall_curves(RankingStatistics(hits([found], [10])), EVERY[:1])[0]
    assert curve.mean[7] == 1.0
    assert curve.mean[8] == 0.0


def test_the_band_contains_the_middle_half_of_the_queries() -> None:
    judged = [{rank: 1.0} for rank in range(1, 12)]
    curve = recall_curves(RankingStatistics(hits(judged, [20] * 11)), np.ones(11, dtype=np.bool_))[
        1
    ]
    precisions = sorted(1 / rank for rank in range(1, 12))
    assert curve.low is not None
    assert curve.high is not None
    assert curve.low[0] == pytest.approx(precisions[1])
    assert curve.high[0] == pytest.approx(precisions[9])
    assert curve.band == "10% to 90% of the queries"


def test_excluded_queries_are_not_drawn() -> None:
    ranked = RankingStatistics(hits([{1: 1}, {1: 0}], [5, 5]))
    curve = recall_curves(ranked, np.array([True, False]))[1]
    assert curve.members is not None
    assert curve.mean.tolist() == [1.0] * 11
    assert np.isnan(curve.members[1]).all()


def test_without_queries_nothing_is_drawn() -> None:
    curve = rank_curve(RankingStatistics(hits([{1: 0}], [5])), np.array([False]))
    assert np.isnan(curve.mean).all()


def test_precision_at_rank_ends_with_the_longest_list() -> None:
    curve = rank_curve(RankingStatistics(hits([{1: 1, 3: 1}, {2: 1}], [3, 2])), EVERY)
    assert curve.x.tolist() == [1, 2, 3]
    assert curve.members is not None
    assert curve.members.tolist() == [[1.0, 0.5, 2 / 3], [0.0, 0.5, 1 / 3]]


def test_precision_at_rank_ends_at_rank_100() -> None:
    curve = rank_curve(RankingStatistics(hits([{1: 1, 101: 1}], [500])), EVERY[:1])
    assert len(curve.x) == 100
    assert curve.mean[-1] == 1 / 100


def test_a_large_number_of_queries_is_not_drawn_as_single_curves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(curves_module, "MAX_MEMBERS", 1)
    curve = rank_curve(RankingStatistics(hits([{1: 1}, {2: 1}], [3, 3])), EVERY)
    assert curve.members is None
    assert curve.mean.tolist() == [0.5, 0.5, 1 / 3]


def test_quantiles_equal_numpy_s() -> None:
    values = np.random.default_rng(3).random((17, 5))
    expected = np.quantile(values, (0.1, 0.9), axis=0)
    np.testing.assert_allclose(column_quantiles(values, (0.1, 0.9)), expected, rtol=1e-15)
