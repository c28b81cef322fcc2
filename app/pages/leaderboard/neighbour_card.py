"""Card with the test between two neighbouring systems of the board."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from jurydesk.app.jobs.neighbour_differences import GainCurve
from jurydesk.app.pages.leaderboard.neighbour_verdict import NeighbourComparison
from jurydesk.app.style.theme import TINY, colour, font, px, theme
from jurydesk.app.style.visible_text import tip
from jurydesk.app.widgets.page_label import PageLabel
from jurydesk.app.widgets.parts import Card, ElidedLabel, row_layout
from jurydesk.core.language import translate
from jurydesk.core.tables.numbers import count

HEIGHT, LOWEST, HEAD, SMALLEST = 68, 44, 20, 160


class GainsCurve(QWidget):
    """Curve of the differences by item; above zero the first system is better."""

    clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.gains: GainCurve | None = None
        self.caption = ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(translate("Differences"))
        theme().changed.connect(self.updateGeometry)

    def show_gains(self, gains: GainCurve | None, caption: str) -> None:
        """Draw other gains; None leaves the space empty while they are read."""
        self.gains, self.caption = gains, caption
        self.setAccessibleDescription("" if gains is None else caption)
        self.setToolTip("" if gains is None else translate("Compare item by item"))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(px(SMALLEST), px(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(px(SMALLEST), px(LOWEST))

    def points(self) -> QPolygonF:
        """Return the curve in pixels, below the caption."""
        curve = () if self.gains is None else self.gains.curve
        left, step = self._plot_area().left(), self._plot_area().width() / max(len(curve) - 1, 1)
        heights = enumerate(self._heights_of(curve))
        return QPolygonF([QPointF(left + n * step, height) for n, height in heights])

    def height_of(self, gain: float) -> float:
        """Return the position of a gain, in pixels from the top; zero is always visible."""
        return self._heights_of((gain,))[0]

    def _heights_of(self, gains: Sequence[float]) -> list[float]:
        room, curve = self._plot_area(), () if self.gains is None else self.gains.curve
        high, low = max((*curve, 0.0)), min((*curve, 0.0))
        scale = room.height() / ((high - low) or 1.0)
        return [room.top() + (high - gain) * scale for gain in gains]

    def _plot_area(self) -> QRectF:
        return QRectF(self.rect()).adjusted(px(2), px(HEAD), -px(2), -px(3))

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.gains is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(font(TINY))
        painter.setPen(colour("muted"))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignTop, self.caption)
        room, points = self._plot_area(), self.points()
        zero = self.height_of(0.0)
        painter.setPen(QPen(colour("line"), 1))
        painter.drawLine(QLineF(room.left(), zero, room.right(), zero))
        painter.setPen(QPen(colour("accent"), px(2)))
        if points.size() == 1:
            painter.drawPoint(points.at(0))
        painter.drawPolyline(points)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self.rect().contains(
            event.position().toPoint()
        ):
            self.clicked.emit()


class NeighbourCard(Card):
    """Card that compares a system with its neighbour, with a button for the page Compare."""

    comparison_requested = Signal()

    def __init__(self) -> None:
        super().__init__("", elided=True)
        self.against = ElidedLabel("", "heading")
        self.sentence = PageLabel("", "muted")
        self.body.addWidget(self.against)
        self.counts = PageLabel("", "muted")
        self.curve = GainsCurve()
        self.button = QPushButton(translate("Compare item by item"))
        self.body.addWidget(self.sentence)
        self.body.addWidget(self.counts)
        self.body.addWidget(self.curve)
        self.body.addLayout(row_layout(self.button, None))
        self.body.addStretch(1)
        self.button.clicked.connect(self.comparison_requested)
        self.curve.clicked.connect(self.comparison_requested)
        self.hide()

    def show_pair(self, found: NeighbourComparison | None) -> None:
        """Show another pair; None hides the card."""
        self.setVisible(found is not None)
        if found is not None:
            cast(ElidedLabel, self.title).show_text(found.first)
            self.title.setVisible(True)
            self.against.setText(translate("against {system}", system=found.second))
            self.against.setToolTip(tip(found.second))
            self.sentence.setText(found.sentence)
            self.button.setVisible(found.comparable)

    def show_gains(self, gains: GainCurve | None, noun: str, *, reading: bool) -> None:
        """Show the differences by item; while `reading`, keep their space."""
        for part in (self.counts, self.curve):
            part.setVisible(gains is not None or reading)
        text, caption = " ", ""
        if gains is not None:
            better, worse, same = (count(n) for n in (gains.wins, gains.losses, gains.ties))
            text = translate(
                "better on {better}, worse on {worse}, the same on {same}",
                better=better,
                worse=worse,
                same=same,
            )
            caption = translate("{nouns} sorted by difference", nouns=translate(gains.unit or noun))
        self.counts.setText(text)
        self.curve.show_gains(gains, caption)
