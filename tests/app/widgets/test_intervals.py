"""Interval strips share a scale on which the systems can be told apart."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from app.models.interval_scale import common_scale
from app.theme import colour
from app.widgets.intervals import paint_interval
from core.model import Interval, Score


def score(value, low=None, high=None):
    interval = None if low is None else Interval(low, high)
    return Score("m", value, 10, 0.1, interval)


CLOSE = [score(0.3142, 0.3109, 0.3176), score(0.3131, 0.3098, 0.3163), score(0.2987, 0.2953, 0.302)]


def test_the_scale_holds_every_interval_with_some_room():
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


def test_one_number_without_an_interval_has_a_scale_around_it():
    scale = common_scale([score(0.5)])
    assert scale.share(0.5) == pytest.approx(0.5)
    assert common_scale([score(0.0)]).share(0.0) == pytest.approx(0.5)


def painted(value, scale):
    image = QImage(200, 30, QImage.Format.Format_RGB32)
    image.fill(colour("card"))
    painter = QPainter(image)
    paint_interval(painter, QRectF(0, 0, 200, 30), value, scale)
    painter.end()
    accent = colour("accent").rgb()
    return [x for x in range(200) if image.pixel(x, 15) == accent]


def test_the_bar_lies_where_the_interval_lies():
    scale = common_scale(CLOSE)
    xs = painted(CLOSE[0], scale)
    assert min(xs) == pytest.approx(200 * scale.share(0.3109), abs=4)
    assert max(xs) == pytest.approx(200 * scale.share(0.3176), abs=4)


def test_a_score_beside_the_scale_has_no_bar():
    scale = common_scale(CLOSE)
    assert painted(score(0.0714, 0.07, 0.073), scale) == []
    assert painted(None, scale) == []
