"""Wrapped text of a page that has a maximum number of lines."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import (
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QLabel

from jurydesk.app.style.theme import px
from jurydesk.app.style.visible_text import elide, tip

LINE_END = "\u2028"
MOST_WIDTHS = 8
"""Widths at which lines are kept."""
NO_LIMIT = 1000
"""As many lines as a text may need."""


class PageLabel(QLabel):
    """Wrapped text whose height follows its maximum width; further lines are in the tooltip.

    Names longer than a line are broken within.
    """

    def __init__(self, text: str, kind: str) -> None:
        super().__init__(text)
        self.setProperty("kind", kind)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self._most_lines = NO_LIMIT
        self.shorten: Callable[[int], str] | None = None
        """Function that returns a text for a single line of a width, in place of an elided one."""
        self._hint = ""
        self._key: tuple[object, ...] = ()
        self._broken: dict[int, list[str]] = {}
        """Lines by width."""
        self._step = 0
        """Height of a line, with the letters of other scripts."""

    def show_text(self, text: str, hint: str = "") -> None:
        """Set the text and what its tooltip adds."""
        self._hint = hint
        if self.shorten is not None:  # it may return another text than for the same one before
            self._key = ()
        self.setText(text)
        self._update_tip()

    def set_most_lines(self, lines: int) -> None:
        """Set how many lines are shown at most."""
        if lines != self._most_lines:
            self._most_lines = lines
            self.updateGeometry()
            self.update()
            self._update_tip()

    def lines(self) -> list[str]:
        """Return the lines that are shown."""
        return self._lines(self._text_width(self.width()))

    def heightForWidth(self, width: int) -> int:
        return len(self._lines(self._text_width(width))) * self._step

    def minimumSizeHint(self) -> QSize:
        return QSize(px(40), self.fontMetrics().lineSpacing())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.isVisible():
            self._update_tip()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._update_tip()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self.isVisible():
            self._update_tip()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        for number, line in enumerate(self.lines()):
            place = QRect(0, number * self._step, self.width(), self._step)
            painter.drawText(place, Qt.AlignmentFlag.AlignLeft, line)

    def _text_width(self, width: int) -> int:
        return max(1, min(width, self.maximumWidth()))

    def _update_tip(self) -> None:
        shown = self.lines()
        is_cut = bool(shown) and not self.text().rstrip().endswith(shown[-1])
        self.setToolTip(tip(self.text() if is_cut else "", self._hint))

    def _lines(self, width: int) -> list[str]:
        key = (self.text(), self.font().key(), self._most_lines)
        if key != self._key or len(self._broken) > MOST_WIDTHS:
            self._key, self._step = key, self.fontMetrics().lineSpacing()
            self._broken.clear()
        if width not in self._broken:
            self._broken[width] = self._break_lines(width)
        return self._broken[width]

    def _break_lines(self, width: int) -> list[str]:
        """Return the text in lines of a width, the last one elided if there are too many."""
        text, starts = self.text().replace("\n", LINE_END), list[int]()
        if not text:
            return []
        if text.isascii() and QFontMetricsF(self.font()).horizontalAdvance(text) < width:
            return [text.strip()]
        layout = QTextLayout(text, self.font())
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            line.setLineWidth(width)
            starts.append(line.textStart())
            if not text.isascii():  # letters of another font may be higher
                self._step = max(self._step, math.ceil(line.height()))
        layout.endLayout()
        ends = [*starts[1:], len(text)]
        if len(starts) > self._most_lines == 1 and self.shorten is not None:
            return [self.shorten(width)]
        if len(starts) > self._most_lines:
            starts, ends = starts[: self._most_lines], [*ends[: self._most_lines - 1], len(text)]
        lines = [text[start:end].strip() for start, end in zip(starts, ends, strict=True)]
        last = elide(self.fontMetrics(), lines[-1], Qt.TextElideMode.ElideRight, width)
        return [*lines[:-1], last]
