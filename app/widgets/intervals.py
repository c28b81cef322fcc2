"""The interval of a score as a strip: a hairline for the scale, a bar, a disc at the score."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from app.models.interval_scale import Scale, ends_of
from app.theme import TINY, colour, font, px
from core.model import Score


def paint_interval(painter: QPainter, rect: QRectF, score: Score | None, scale: Scale) -> None:
    """Draw one score on the common scale, or say on which side of it the score lies."""
    ends = None if score is None else ends_of(score)
    if score is None or ends is None:
        return
    if ends[1] < scale.low or ends[0] > scale.high:
        _paint_beside(painter, rect, "left" if ends[1] < scale.low else "right")
        return
    middle = rect.center().y()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colour("line"), 1))
    painter.drawLine(QLineF(rect.left(), middle, rect.right(), middle))
    left, right = (_at(rect, scale, end) for end in ends)
    painter.setPen(QPen(colour("accent"), px(4), Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    painter.drawLine(QLineF(left, middle, right, middle))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour("accent"))
    painter.drawEllipse(QPointF(_at(rect, scale, score.value), middle), px(5), px(5))


def _paint_beside(painter: QPainter, rect: QRectF, side: str) -> None:
    painter.setFont(font(TINY))
    painter.setPen(colour("muted"))
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, f"{side} of scale")


def _at(rect: QRectF, scale: Scale, value: float) -> float:
    return rect.left() + rect.width() * min(max(scale.share(value), 0.0), 1.0)
