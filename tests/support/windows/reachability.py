"""Parts of a widget that can neither be seen nor scrolled to: cut off, squeezed or covered."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QComboBox,
    QLabel,
    QLineEdit,
    QWidget,
)

from jurydesk.app.widgets.parts import placed_widgets
from support.windows.layout_faults import shared_bar

TOLD = QLabel | QAbstractButton | QComboBox | QLineEdit


def out_of_reach(whole: QWidget) -> list[str]:
    """Return a sentence for each label, button and field that cannot be seen completely."""
    shown = [one for one in whole.findChildren(QWidget) if one.isVisible()]
    reported = [one for one in shown if isinstance(one, TOLD) and _text(one)]
    return [
        *(f"{_text(one)}: {fault}" for one in reported for fault in _faults(one, whole)),
        *(fault for one in shown for fault in _overlaps(one)),
    ]


def _text(widget: QWidget) -> str:
    text = widget.text() if isinstance(widget, QLabel | QAbstractButton) else ""
    return text.strip() or widget.accessibleName()


def _faults(widget: QWidget, whole: QWidget) -> Iterator[str]:
    least = widget.minimumSizeHint().height()
    needed = widget.heightForWidth(widget.width()) if widget.hasHeightForWidth() else least
    if widget.height() < needed - 1:
        yield f"{widget.height()} high, not {needed}"
    child = widget
    while child is not whole:
        parent = child.parentWidget()
        assert parent is not None
        area = parent.parentWidget()
        place = QRect(child.mapTo(parent, QPoint(0, 0)), child.size())
        if isinstance(area, QAbstractScrollArea) and area.viewport() is parent:
            yield from _scroll_faults(place, area)
        elif not parent.rect().adjusted(-1, -1, 1, 1).contains(place):
            yield f"{place.getRect()} of {type(parent).__name__} {parent.rect().getRect()}"
        child = parent


def _scroll_faults(place: QRect, area: QAbstractScrollArea) -> Iterator[str]:
    size = area.viewport().size()
    if place.width() > size.width() + 1 and not area.horizontalScrollBar().isVisible():
        yield f"{place.width()} wide in {size.width()} without a scroll bar"
    has_bar = area.verticalScrollBar().isVisible() or shared_bar(area) is not None
    if place.height() > size.height() + 1 and not has_bar:
        yield f"{place.height()} high in {size.height()} without a scroll bar"


def _overlaps(widget: QWidget) -> Iterator[str]:
    layout = widget.layout()
    parts = [] if layout is None else placed_widgets(layout)
    shown = [part for part in parts if part.isVisible()]
    for one, other in combinations(shown, 2):
        shared = one.geometry().intersected(other.geometry())
        if shared.width() > 1 and shared.height() > 1:
            yield f"{type(one).__name__} lies on {type(other).__name__} in {type(widget).__name__}"
