"""Controls that a screen reader cannot name."""

from __future__ import annotations

from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QGraphicsView,
    QHeaderView,
    QLineEdit,
    QPlainTextEdit,
    QSlider,
    QWidget,
)

CONTROLS = (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QGraphicsView,
    QLineEdit,
    QPlainTextEdit,
    QSlider,
)


def nameless_controls(root: QWidget) -> list[str]:
    """Return the visible controls and painted widgets in `root` without an accessible name."""
    return [
        f"{type(widget).__name__} in {type(widget.parent()).__name__}"
        for widget in root.findChildren(QWidget)
        if (isinstance(widget, CONTROLS) or is_painted(widget))
        and widget.isVisibleTo(root)
        and not isinstance(widget, QHeaderView)  # read as part of its table
        and not isinstance(widget.parent(), QAbstractSpinBox)
        and widget.objectName() != "qt_tableview_cornerbutton"
        and not QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)
    ]


def is_painted(widget: QWidget) -> bool:
    """Return whether a widget of the program paints its content, such as a plot."""
    is_own = type(widget).__module__.startswith("jurydesk.app.inspectors")
    return is_own and not {"paint", "paintEvent"}.isdisjoint(vars(type(widget)))
