"""A view of an item as a column of cards."""

from __future__ import annotations

from PySide6.QtWidgets import QLayout, QVBoxLayout, QWidget

from jurydesk.app.widgets.parts import spaced
from jurydesk.app.widgets.scroll import Scroll


def fill(view: QWidget, *parts: QWidget | QLayout) -> None:
    """Fill a view with parts below each other, which scroll where they have no room."""
    content = QWidget()
    content.setObjectName("scrolled")
    column = QVBoxLayout(content)
    spaced(column, 14)
    for part in parts:
        if isinstance(part, QWidget):
            column.addWidget(part)
        else:
            column.addLayout(part)
    column.addStretch(1)
    area = Scroll()
    area.setWidget(content)
    body = QVBoxLayout(view)
    body.setContentsMargins(0, 0, 0, 0)
    body.addWidget(area)
