"""Layout of an inspector as a scrollable column of cards."""

from __future__ import annotations

from PySide6.QtWidgets import QLayout, QVBoxLayout, QWidget

from jurydesk.app.widgets.parts import set_spacing
from jurydesk.app.widgets.scroll import CardScrollArea


def fill_view(view: QWidget, *parts: QWidget | QLayout) -> None:
    """Fill a view with a scrollable column of parts."""
    content = QWidget()
    content.setObjectName("scrolled")
    column = QVBoxLayout(content)
    set_spacing(column, 14)
    for part in parts:
        if isinstance(part, QWidget):
            column.addWidget(part)
        else:
            column.addLayout(part)
    column.addStretch(1)
    area = CardScrollArea()
    area.setWidget(content)
    body = QVBoxLayout(view)
    body.setContentsMargins(0, 0, 0, 0)
    body.addWidget(area)
