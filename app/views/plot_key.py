"""The key of a plot: which colour is which system, in a corner where nothing else is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from app.theme import TINY, Colours, font, px
from app.views.plot import Plot, tint

LINES = 6
"""Lines that a key has at most; what is more is counted in the last one."""
WIDEST = 220
PADDING, SWATCH, GAP = 6, 14, 6


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a key: what it names, how it is drawn, and what is said behind the name."""

    name: str
    pen: QPen | None
    value: str = ""


class PlotKey(QGraphicsItem):
    """Draws the entries in a corner of a plot; names are shown as they are, never as markup."""

    def __init__(self, plot: Plot) -> None:
        super().__init__(plot.getViewBox())
        self._box = plot.getViewBox()
        self._entries: tuple[Entry, ...] = ()
        self._colours: Colours = plot.colours
        self._left = False
        self.setZValue(100)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self._box.sigResized.connect(self._place)

    def show_entries(self, entries: Sequence[Entry], colours: Colours, *, left: bool) -> None:
        """Show these entries at the left or the right; none hide the key."""
        self.prepareGeometryChange()
        more = len(entries) - LINES + 1
        shown = tuple(entries) if len(entries) <= LINES else tuple(entries[: LINES - 1])
        self._entries = (*shown, Entry(f"and {more} more", None)) if more > 1 else shown
        self._colours, self._left = colours, left
        self.setVisible(bool(entries))
        self._place()
        self.update()

    @property
    def texts(self) -> tuple[str, ...]:
        """What is written, line by line."""
        return tuple(f"{entry.name} {entry.value}".strip() for entry in self._entries)

    def _place(self) -> None:
        room = self._box.rect()
        left = px(GAP) if self._left else room.width() - self.boundingRect().width() - px(GAP)
        self.setPos(max(left, 0), px(GAP))

    def _measures(self) -> tuple[QFontMetricsF, float, float]:
        """The metrics of the type, and the widths of the names and of the values."""
        metrics = QFontMetricsF(font(TINY))
        names = (metrics.horizontalAdvance(entry.name) for entry in self._entries)
        values = (metrics.horizontalAdvance(entry.value) for entry in self._entries)
        return metrics, min(max(names, default=0.0), px(WIDEST)), max(values, default=0.0)

    def boundingRect(self) -> QRectF:
        metrics, names, values = self._measures()
        width = 2 * px(PADDING) + px(SWATCH) + px(GAP) + names + px(GAP) + values
        return QRectF(0, 0, width, 2 * px(PADDING) + len(self._entries) * self._line(metrics))

    @staticmethod
    def _line(metrics: QFontMetricsF) -> float:
        return metrics.height() + px(2)

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        """A quiet ground, then a line for each entry."""
        metrics, names, values = self._measures()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(tint(self._colours, "card", 0.85))
        painter.drawRoundedRect(self.boundingRect(), px(4), px(4))
        painter.setFont(font(TINY))
        height, across = self._line(metrics), px(PADDING) + px(SWATCH) + px(GAP)
        for number, entry in enumerate(self._entries):
            top = px(PADDING) + number * height
            if entry.pen is not None:
                painter.setPen(entry.pen)
                middle = round(top + height / 2)
                painter.drawLine(px(PADDING), middle, px(PADDING) + px(SWATCH), middle)
            painter.setPen(tint(self._colours, "muted" if number or entry.pen is None else "text"))
            name = metrics.elidedText(entry.name, Qt.TextElideMode.ElideMiddle, names)
            middle = Qt.AlignmentFlag.AlignVCenter
            painter.drawText(QRectF(across, top, names + 1, height), middle, name)
            at = QRectF(across + names + px(GAP), top, values + 1, height)
            painter.drawText(at, middle | Qt.AlignmentFlag.AlignRight, entry.value)
