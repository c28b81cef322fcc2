"""Cell of a system: its name, and short remarks beside or below it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen

from jurydesk.app.style.theme import TINY, colour, font, px
from jurydesk.app.style.visible_text import elide, fitted_names

GAP = 8
CHIP_HEIGHT, CHIP_PADDING = 19, 8
LEAST_CHIP = 64
"""Width that a remark keeps beside a name that needs the rest of the cell."""
TWO_LINED = 42
"""Row height from which a cell has a second line."""
Names = Callable[[], Sequence[str]]
"""Function that returns all names of a column, for one that has to be cut."""
LEFT, MIDDLE = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignVCenter


class Chip(NamedTuple):
    """Text of a remark as it is shown, and its place."""

    text: str
    rect: QRect


class NameCell(NamedTuple):
    """Name as it is shown, and its place, with its remarks."""

    text: str
    rect: QRect
    chips: list[Chip]

    def paint(self, painter: QPainter) -> None:
        """Paint the name and the remarks."""
        painter.setFont(font())
        painter.setPen(colour("text"))
        painter.drawText(self.rect, LEFT | MIDDLE, self.text)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(colour("bad"), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setFont(font(TINY))
        for text, rect in self.chips:
            painter.drawRoundedRect(rect, rect.height() / 2, rect.height() / 2)
            painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)


def lay_out_name(
    name: str, chips: Sequence[str], rect: QRect, names: Names = lambda: ()
) -> NameCell:
    """Lay out a name with its remarks in a cell, told apart from those of the column.

    Remarks without room beside the whole name go below it; in a row of one line they are
    shortened before the name is.
    """
    metrics = QFontMetrics(font())
    width, needed = metrics.horizontalAdvance(name), chips_width(chips)
    if chips and needed > rect.width() - width and rect.height() >= px(TWO_LINED):
        half = rect.height() // 2
        upper, lower = rect.adjusted(0, px(5), 0, -half), rect.adjusted(0, half, 0, -px(3))
        shown = _fit_name(name, names, rect.width())
        return NameCell(shown, upper, _lay_out_chips(chips, lower))
    least = min(needed, len(chips) * px(LEAST_CHIP + GAP))
    kept = min(width, rect.width() - least)
    shown = _fit_name(name, names, kept)
    beside = rect.adjusted(metrics.horizontalAdvance(shown) + px(GAP), 0, 0, 0)
    return NameCell(shown, rect, _lay_out_chips(chips, beside))


def chips_width(chips: Sequence[str]) -> int:
    """Return the width of remarks beside a name, in pixels."""
    return sum(_chip_width(chip) + px(GAP) for chip in chips)


def _lay_out_chips(chips: Sequence[str], room: QRect) -> list[Chip]:
    """Return remarks side by side, the longest ones shortened if all do not fit."""
    gaps = px(GAP) * max(0, len(chips) - 1)
    widths = [_chip_width(chip) for chip in chips]
    if chips and sum(widths) + gaps > room.width():
        fair = max(0, room.width() - gaps) // len(chips)
        widths = [min(width, fair) for width in widths]
    found, left, metrics = [], room.left(), QFontMetrics(font(TINY))
    top = room.center().y() - px(CHIP_HEIGHT) // 2
    for chip, width in zip(chips, widths, strict=True):
        inside = width - 2 * px(CHIP_PADDING)
        text = _fit(metrics, chip, Qt.TextElideMode.ElideRight, inside)
        found.append(Chip(text, QRect(left, top, width, px(CHIP_HEIGHT))))
        left += width + px(GAP)
    return found


def _chip_width(text: str) -> int:
    return QFontMetrics(font(TINY)).horizontalAdvance(text) + 2 * px(CHIP_PADDING)


def _fit_name(name: str, names: Names, width: int) -> str:
    """Return a name shortened to a width, so that it does not become equal to another one."""
    metrics = QFontMetrics(font())
    if metrics.horizontalAdvance(name) > width:
        name = fitted_names(tuple(names()) or (name,), width, font().toString())[name]
    return _fit(metrics, name, Qt.TextElideMode.ElideRight, width)


def _fit(metrics: QFontMetrics, text: str, mode: Qt.TextElideMode, width: int) -> str:
    """Return a text shortened to a width; Qt would shorten one of exactly this width."""
    fits = metrics.horizontalAdvance(text) <= width
    return elide(metrics, text, mode, width + 1 if fits else width)
