"""Contrast of painted texts with their background, measured in a picture of the window."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QImage
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QTableView,
    QWidget,
)

from support.windows.layout_faults import name, shown_widgets

LEAST_RATIO = 4.5
"""Contrast that WCAG 2.2 AA requires of text below 24 px."""
SMOOTHED = 0.93
"""Share of its contrast that a thin letter keeps where its edges are smoothed."""


def faint_texts(window: QWidget) -> list[str]:
    """Return the texts of a window whose contrast is too low, with the ratio measured."""
    image = window.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    scale = image.devicePixelRatio()
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1, 4)
    light = luminances(rows[:, : image.width(), 2::-1])
    found = []
    for said, rect in texts(window):
        left, top = round(rect.left() * scale), round(rect.top() * scale)
        part = light[
            max(top, 0) : top + round(rect.height() * scale),
            max(left, 0) : left + round(rect.width() * scale),
        ]
        ratio = text_contrast(part)
        if ratio < LEAST_RATIO * SMOOTHED:
            found.append(f"{said}: {ratio:.2f}")
    return found


def luminances(pixels: np.ndarray) -> np.ndarray:
    """Return the relative luminance of pixels (..., 3) of bytes, as WCAG 2.2 defines it."""
    level = np.arange(256) / 255
    linear = np.where(level <= 0.04045, level / 12.92, ((level + 0.055) / 1.055) ** 2.4)
    shares = np.array([0.2126, 0.7152, 0.0722])[:, None] * linear
    found: np.ndarray = sum(share[pixels[..., n]] for n, share in enumerate(shares))
    return found


def text_contrast(part: np.ndarray) -> float:
    """Return the contrast of a picture's (rows, columns) background with its letters.

    The background is the most frequent luminance, a letter the farthest one.
    """
    if not part.size:
        return float("inf")
    values, counts = np.unique(part.round(4), return_counts=True)
    behind = float(values[counts.argmax()])
    ratios = (np.maximum(values, behind) + 0.05) / (np.minimum(values, behind) + 0.05)
    return float(ratios.max())


def texts(window: QWidget) -> Iterator[tuple[str, QRect]]:
    """Yield the visible texts with the places where they are painted, in the window."""
    for widget in shown_widgets(window):
        if widget.visibleRegion().isEmpty():
            continue
        if isinstance(widget, QTableView) and widget.model() is not None:
            yield from cells(widget)
        elif text_of(widget).strip():
            seen = widget.visibleRegion().boundingRect()
            if seen.height() >= widget.fontMetrics().height():  # less of a line shows no letters
                yield name(widget), placed(widget, inner(widget, seen))


def text_of(widget: QWidget) -> str:
    """Return the text that a widget paints, its placeholder included."""
    if isinstance(widget, QLabel | QAbstractButton):
        return widget.text()
    if isinstance(widget, QComboBox):
        return widget.currentText()
    return widget.text() or widget.placeholderText() if isinstance(widget, QLineEdit) else ""


def inner(widget: QWidget, seen: QRect) -> QRect:
    """Return the visible part of a widget without its border."""
    edge = 0 if isinstance(widget, QLabel) else 4
    return widget.rect().adjusted(edge, edge, -edge, -edge).intersected(seen)


def cells(table: QTableView) -> Iterator[tuple[str, QRect]]:
    """Yield the texts of the visible cells and titles of a table."""
    model, view = table.model(), table.viewport()
    for row in range(max(table.rowAt(0), 0), model.rowCount()):
        if table.rowViewportPosition(row) >= view.height():
            break
        for column in range(model.columnCount()):
            index = model.index(row, column)
            rect = table.visualRect(index).intersected(view.rect())
            is_whole = rect.width() > 2 and rect.height() > table.fontMetrics().height()
            if is_whole and not table.isColumnHidden(column) and str(index.data() or "").strip():
                yield f"{name(table)} {index.data()}", placed(view, rect)
    header = table.horizontalHeader()
    if isinstance(header, QHeaderView) and header.isVisible():
        yield f"{name(table)} titles", placed(header.viewport(), header.viewport().rect())


def placed(widget: QWidget, rect: QRect) -> QRect:
    """Return a rectangle of a widget in its window."""
    return QRect(widget.mapTo(widget.window(), QPoint(0, 0)) + rect.topLeft(), rect.size())
