"""Titled fields in as many columns as there is room for."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from jurydesk.app.style.theme import px
from jurydesk.app.widgets.parts import ElidedLabel

WIDEST = 130
"""Width up to which titles are whole beside each other, before scaling."""


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
