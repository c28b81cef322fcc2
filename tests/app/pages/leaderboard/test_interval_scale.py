"""Common scale of interval strips."""

from __future__ import annotations

import pytest

from jurydesk.app.pages.leaderboard.interval_scale import common_scale
from support.windows.interval_strips import CLOSE, score


def test_the_scale_contains_every_interval_with_a_margin():
    scale = common_scale(CLOSE)
    assert scale.low < 0.2953
    assert scale.high > 0.3176
    assert 0 < scale.share(0.2953) < scale.share(0.3176) < 1


def test_a_far_outlier_does_not_stretch_the_scale():
    scale = common_scale([*CLOSE, score(0.0714, 0.07, 0.073)])
    assert scale.low > 0.25


@pytest.mark.parametrize(
    "scores", [[], [None], [score(float("nan"))], [score(float("nan"), float("nan"), 1.0)]]
)
def test_without_a_number_there_is_no_scale(scores):
    assert common_scale(scores) is None


def test_a_single_value_without_an_interval_has_a_scale_around_it():
    scale = common_scale([score(0.5)])
    assert scale.share(0.5) == pytest.approx(0.5)
    assert common_scale([score(0.0)]).share(0.0) == pytest.approx(0.5)
