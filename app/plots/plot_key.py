"""Key of a plot's systems, beside its axes, and their lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from jurydesk.app.plots.plot import Plot, pen, tint
from jurydesk.app.style.distinct_names import fit_names
from jurydesk.app.style.theme import TINY, Colours, font, px
from jurydesk.app.style.visible_text import elide, tip
from jurydesk.core.language import translate
from jurydesk.core.tables.numbers import count

LINES = 6
"""Maximum number of lines in a key; the last one counts the rest."""
WIDEST = 220
"""Widest name, in pixels."""
SHARE = 0.3
"""Largest share of a plot's width that the names have; the values are left out beyond 0.4."""
WITH_VALUES = 0.4
PADDING, SWATCH, GAP = 6, 14, 6
HUES = ("stem", "paraphrase", "exact")
"""Colour-blind-safe colours of the first other systems; the rest are grey."""
DASHES = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DotLine)
"""Lines of the first other systems, which do not differ by their colour alone."""


def other_pen(colours: Colours, number: int) -> QPen:
    """Return the pen of another system, by its number among them."""
    if number >= len(HUES):
        return pen(colours, "faint", 1, 0.6)
    line = pen(colours, HUES[number], 1.5, 0.9)
    line.setStyle(DASHES[number])
    return line


@dataclass(frozen=True, slots=True)
class PlotKeyEntry:
    """A line of a key: name, sample line and value."""

    name: str
    pen: QPen | None
    value: str = ""

    @property
    def text(self) -> str:
        return f"{self.name} {self.value}".strip()


class PlotKey(QGraphicsItem):
    """Key beside a plot's axes, where it covers nothing; names are plain text, never markup.

    It has as many lines as the plot's height has room for; the tooltip names every system.
    """

    def __init__(self, plot: Plot) -> None:
        super().__init__(plot.getPlotItem())
        self._plot, self._box = plot, plot.getViewBox()
        self._entries: tuple[PlotKeyEntry, ...] = ()
        self._colours: Colours = plot.colours
        self.setZValue(100)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self._box.sigResized.connect(self._place)

    def show_entries(self, entries: Sequence[PlotKeyEntry], colours: Colours) -> None:
        """Show these entries; hide the key without any."""
        self._entries, self._colours = tuple(entries), colours
        self.setToolTip(tip(*(entry.text for entry in entries)))
        self.setVisible(bool(entries))
        self._place()
        self.update()

    @property
    def shown(self) -> tuple[PlotKeyEntry, ...]:
        """The entries that have room, and how many more there are."""
        room = self._plot.height() - self._box.geometry().top() - 2 * px(PADDING)
        lines = min(max(int(room / self._line), 1), LINES)
        if len(self._entries) <= lines:
            return self._entries
        rest = len(self._entries) - lines + 1
        more = PlotKeyEntry(translate("+{count} more", count=count(rest)), None)
        return (*self._entries[: lines - 1], more)

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(entry.text for entry in self.shown)

    def _place(self) -> None:
        self.prepareGeometryChange()  # names have a share of the plot's width
        self._plot.leave_room(self.boundingRect().width() + px(GAP) if self._entries else 0.0)
        corner = self._box.geometry().topRight()
        self.setPos(corner.x() + px(GAP), corner.y())

    def _measures(self) -> tuple[float, float]:
        """Return the widths of the names and of the values; 0 for values without room."""
        width_of, shown = QFontMetricsF(font(TINY)).horizontalAdvance, self.shown
        widest = max((width_of(entry.name) for entry in shown), default=0.0)
        names = min(widest, px(WIDEST), SHARE * self._plot.width())
        values = max((width_of(entry.value) for entry in shown), default=0.0)
        has_room = names + values <= WITH_VALUES * self._plot.width()
        return names, values if has_room else 0.0

    def boundingRect(self) -> QRectF:
        names, values = self._measures()
        width = 2 * px(PADDING) + px(SWATCH) + px(GAP) + names + px(GAP) + values
        return QRectF(0, 0, width, 2 * px(PADDING) + len(self.shown) * self._line)

    @property
    def _line(self) -> float:
        return QFontMetricsF(font(TINY)).height() + px(2)

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        names, values = self._measures()
        metrics, entries = QFontMetricsF(font(TINY)), self.shown
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(font(TINY))
        height, across = self._line, px(PADDING) + px(SWATCH) + px(GAP)
        cut = fit_names((one.name for one in entries), metrics.horizontalAdvance, names)
        for line, entry in enumerate(entries):
            top = px(PADDING) + line * height
            if entry.pen is not None:
                painter.setPen(entry.pen)
                middle = round(top + height / 2)
                painter.drawLine(px(PADDING), middle, px(PADDING) + px(SWATCH), middle)
            painter.setPen(tint(self._colours, "muted" if line or entry.pen is None else "text"))
            name = elide(metrics, cut[entry.name], Qt.TextElideMode.ElideRight, names + 1)
            centred = Qt.AlignmentFlag.AlignVCenter
            painter.drawText(QRectF(across, top, names + 1, height), centred, name)
            if values and entry.value:
                at = QRectF(across + names + px(GAP), top, values + 1, height)
                painter.drawText(at, centred | Qt.AlignmentFlag.AlignRight, entry.value)
