"""Parts that wrap: a layout of widgets in lines, and a grid of titled fields."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QComboBox, QGridLayout, QLayout, QLayoutItem, QSizePolicy, QWidget

from jurydesk.app.style.theme import px
from jurydesk.app.widgets.parts import ElidedLabel

SPACING = 8
NARROWED = 130
"""Width to which a combo box is narrowed at most, before scaling."""
WIDEST = 130
"""Width up to which titles are whole beside each other, before scaling."""


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


class FieldGrid(QWidget):
    """Fields beside their titles, up to `most` in a row; titles are elided if one has no room."""

    def __init__(self, fields: Iterable[tuple[str, QWidget]], most: int) -> None:
        super().__init__()
        self._most = most
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._fields = [(_title(text), field) for text, field in fields]
        self._place(most)

    def fit(self, width: int) -> None:
        """Place the fields in the rows that a width in pixels has room for."""
        gap, most = self._grid.horizontalSpacing(), self._most
        while most > 1 and self._width(most, gap) > width:
            most -= 1
        self._place(most)

    def _width(self, across: int, gap: int) -> int:
        columns = [self._fields[start::across] for start in range(across)]
        titles = sum(
            min(px(WIDEST), max(title.sizeHint().width() for title, _ in one))
            for one in columns
            if one
        )
        fields = sum(max(box.minimumSizeHint().width() for _, box in one) for one in columns if one)
        return titles + fields + gap * (2 * across - 1)

    def _place(self, across: int) -> None:
        for place, (title, field) in enumerate(self._fields):
            row, column = divmod(place, across)
            self._grid.addWidget(title, row, 2 * column)
            self._grid.addWidget(field, row, 2 * column + 1)
        for column in range(self._most):
            self._grid.setColumnStretch(2 * column + 1, int(column < across))


def _title(text: str) -> ElidedLabel:
    title = ElidedLabel()
    title.show_text(text)
    title.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
    return title
