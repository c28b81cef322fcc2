"""Flow layout, which wraps a row of widgets."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QComboBox, QLayout, QLayoutItem, QWidget

from jurydesk.app.style.theme import px

SPACING = 8
NARROWED = 130
"""Width to which a combo box is narrowed at most, before scaling."""


class FlowLayout(QLayout):
    """Places widgets at their preferred width, vertically centred in as many rows as needed.

    Combo boxes become narrower if that spares a row.
    """

    def __init__(self, *widgets: QWidget) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self._heights: dict[int, int] = {}
        self.setContentsMargins(0, 0, 0, 0)
        for widget in widgets:
            self.addWidget(widget)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def invalidate(self) -> None:
        self._heights.clear()
        super().invalidate()

    def heightForWidth(self, width: int) -> int:
        """Return the height at a width, cached because Qt asks for it repeatedly."""
        if width not in self._heights:
            rows = list(self._rows(width))
            gaps = px(SPACING) * max(0, len(rows) - 1)
            self._heights[width] = sum(map(_height, rows)) + gaps
        return self._heights[width]

    def sizeHint(self) -> QSize:
        """Return the size of a single row."""
        shown = self._visible_items()
        width = sum(item.sizeHint().width() for item in shown)
        return QSize(width + px(SPACING) * max(0, len(shown) - 1), _height(shown))

    def minimumSize(self) -> QSize:
        """Return the size of one widget per row."""
        shown = self._visible_items()
        width = max((item.minimumSize().width() for item in shown), default=0)
        return QSize(width, _height(shown))

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        top = rect.top()
        for row in self._rows(rect.width()):
            left, height = rect.left(), _height(row)
            lost = _width_reductions(row, rect.width())
            for item in row:
                size = item.sizeHint().boundedTo(QSize(rect.width(), height))
                size.setWidth(size.width() - lost.get(item, 0))
                item.setGeometry(QRect(QPoint(left, top + (height - size.height()) // 2), size))
                left += size.width() + px(SPACING)
            top += height + px(SPACING)

    def _visible_items(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _rows(self, width: int) -> Iterator[list[QLayoutItem]]:
        row: list[QLayoutItem] = []
        taken = 0
        for item in self._visible_items():
            wanted = _least_width(item)
            if row and taken + wanted > width:
                yield row
                row, taken = [], 0
            row.append(item)
            taken += wanted + px(SPACING)
        if row:
            yield row


def _least_width(item: QLayoutItem) -> int:
    preferred = item.sizeHint().width()
    if not isinstance(item.widget(), QComboBox):
        return preferred
    return max(min(preferred, px(NARROWED)), item.minimumSize().width())


def _width_reductions(row: list[QLayoutItem], width: int) -> dict[QLayoutItem, int]:
    """Return by how much items become narrower so that a row fits, each in proportion."""
    lacking = sum(item.sizeHint().width() for item in row) + px(SPACING) * (len(row) - 1) - width
    spare = {item: item.sizeHint().width() - _least_width(item) for item in row}
    total = sum(spare.values())
    if lacking <= 0 or not total:
        return {}
    return {item: -(-min(lacking, total) * one // total) for item, one in spare.items() if one}


def _height(row: list[QLayoutItem]) -> int:
    return max((item.sizeHint().height() for item in row), default=0)
