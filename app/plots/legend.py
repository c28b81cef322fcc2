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
from jurydesk.core.tables.numbers import count

SAMPLE, GAP, BETWEEN, WIDEST = 18, 5, 14, 260
NARROWEST = 60
"""Room below which a name is left out instead of being cut to a few letters."""


class LegendEntry(NamedTuple):
    """Name and colour (`tone`, of the palette) of a line or an area."""

    shape: Literal["line", "dashes", "area", "dots", "text"]
    tone: str
    text: str


class PlacedEntry(NamedTuple):
    """Entry of a legend with the left edge of its sample and its text as it is shown."""

    entry: LegendEntry
    left: float
    text: str


class Legend(QWidget):
    """Legend entries in a row; a count says how many do not fit, and the tooltip has them.

    The marked item (of the tone `bad`) and the first entry are kept longest.
    """

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

    def placed(self, width: float) -> list[PlacedEntry]:
        """Return the entries that have room, in their order, and last how many have none."""
        kept = sorted(self.entries[1:], key=lambda entry: entry.tone != "bad")
        ranked = [*self.entries[:1], *kept]
        for number in range(len(ranked), 0, -1):
            shown = [entry for entry in self.entries if entry in ranked[:number]]
            found = self._place(shown, len(ranked) - number, width)
            if found:
                return found
        return self._place([], len(ranked), width) if ranked else []

    def _place(self, shown: Sequence[LegendEntry], rest: int, width: float) -> list[PlacedEntry]:
        """Return these entries and the number of the rest; nothing if they have no room."""
        metrics, left = QFontMetrics(font(TINY)), 0.0
        more = translate("+{count} more", count=count(rest)) if rest else ""
        room = width - (metrics.horizontalAdvance(more) + px(BETWEEN + 1) if rest else 0)
        found = []
        for entry in shown:
            before = _sample_width(entry)
            needed = metrics.horizontalAdvance(entry.text)
            own = min(px(WIDEST), room - round(left) - before)
            if own < min(needed, px(NARROWEST)):
                return []
            text = elide(metrics, entry.text, Qt.TextElideMode.ElideRight, own)
            found.append(PlacedEntry(entry, left, text))
            left += before + metrics.horizontalAdvance(text) + px(BETWEEN)
        if rest:
            found.append(PlacedEntry(LegendEntry("text", "muted", more), left, more))
        return found

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(font(TINY))
        for entry, left, text in self.placed(self.width()):
            self._paint_sample(painter, entry, left)
            painter.setPen(colour("muted"))
            box = QRectF(left + _sample_width(entry), 0, self.width(), self.height())
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, text)

    def _paint_sample(self, painter: QPainter, entry: LegendEntry, left: float) -> None:
        middle = self.height() / 2
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


def _sample_width(entry: LegendEntry) -> int:
    return 0 if entry.shape == "text" else px(SAMPLE + GAP)
