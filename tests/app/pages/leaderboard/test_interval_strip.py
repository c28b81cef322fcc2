"""An interval strip is painted at the interval's position on the scale."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from jurydesk.app.pages.leaderboard.interval_scale import common_scale
from jurydesk.app.pages.leaderboard.leaderboard_table import paint_interval
from jurydesk.app.style.theme import colour
from support.windows.interval_strips import CLOSE, score


def painted(value, scale):
    image = QImage(200, 30, QImage.Format.Format_RGB32)
    image.fill(colour("card"))
    painter = QPainter(image)
    paint_interval(painter, QRectF(0, 0, 200, 30), value, scale)
    painter.end()
    accent = colour("accent").rgb()
    return [x for x in range(200) if image.pixel(x, 15) == accent]


def test_the_bar_is_at_the_position_of_the_interval():
    scale = common_scale(CLOSE)
    xs = painted(CLOSE[0], scale)
    assert min(xs) == pytest.approx(200 * scale.share(0.3109), abs=4)
    assert max(xs) == pytest.approx(200 * scale.share(0.3176), abs=4)


def test_a_score_outside_the_scale_has_no_bar():
    scale = common_scale(CLOSE)
    assert painted(score(0.0714, 0.07, 0.073), scale) == []
    assert painted(None, scale) == []
