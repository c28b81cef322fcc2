"""Legend of a plot: its lines and areas with their names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from jurydesk.app.style.theme import TINY, colour, font, px, theme
from jurydesk.app.style.visible_text import elide, tip
from jurydesk.core.language import translate

SAMPLE, GAP, BETWEEN, WIDEST = 18, 5, 14, 260
NARROWEST = 60
"""Room below which a name is left out instead of being cut to a few letters."""


class LegendEntry(NamedTuple):
    """Name and colour (`tone`, of the palette) of a line or an area."""

    shape: Literal["line", "dashes", "area", "dots", "text"]
    tone: str
    text: str


class Legend(QWidget):
    """Legend entries in a row; the tooltip has those that do not fit."""

    def __init__(self) -> None:
        super().__init__()
        self.entries: tuple[LegendEntry, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.updateGeometry)

    def show_entries(self, entries: Sequence[LegendEntry]) -> None:
        """Show these entries, or hide the legend if there are none."""
        if tuple(entries) == self.entries:
            return
        self.entries = tuple(entries)
        texts = [entry.text for entry in entries]
        self.setAccessibleName(
            translate("Legend: {entries}", entries=", ".join(texts)) if texts else ""
        )
        self.setToolTip(tip(*texts))
        self.setVisible(bool(entries))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(px(60), QFontMetrics(font(TINY)).height() + px(4))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(font(TINY))
        metrics, middle, left = painter.fontMetrics(), self.height() / 2, 0.0
        for entry in self.entries:
            before = 0 if entry.shape == "text" else px(SAMPLE + GAP)
            room = max(0, min(px(WIDEST), self.width() - round(left) - before))
            if room < min(metrics.horizontalAdvance(entry.text), px(NARROWEST)):
                break
            sample = QRectF(left, middle - px(4), px(SAMPLE), px(8))
            if entry.shape == "area":
                painter.fillRect(sample, colour(entry.tone, 0.25))
            elif entry.shape == "dots":
                painter.setPen(QPen(colour(entry.tone), 1))
                painter.setBrush(colour(entry.tone, 0.5))
                for share in (0.3, 0.7):
                    spot = QPointF(left + share * px(SAMPLE), middle)
                    painter.drawEllipse(spot, px(2.5), px(2.5))
            elif entry.shape != "text":
                dashes = entry.shape == "dashes"
                style = Qt.PenStyle.DashLine if dashes else Qt.PenStyle.SolidLine
                painter.setPen(QPen(colour(entry.tone), px(2), style))
                painter.drawLine(QLineF(sample.left(), middle, sample.right(), middle))
            left += before
            text = elide(metrics, entry.text, Qt.TextElideMode.ElideMiddle, room)
            painter.setPen(colour("muted"))
            width = metrics.horizontalAdvance(text)
            box = QRectF(left, 0, width + px(2), self.height())
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, text)
            left += width + px(BETWEEN)
