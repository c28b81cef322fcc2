"""What Qt's widgets do not tell a screen reader: roles of painted widgets, and announcements.

Qt's classes are imported on first use: their many roles take longer than the first window has.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtCore import QObject
    from PySide6.QtGui import QAccessible, QAccessibleInterface
    from PySide6.QtWidgets import QWidget

ROLE_PROPERTY = "screenReaderRole"


def set_role(widget: QWidget, role: QAccessible.Role) -> None:
    """Give a widget the role that a screen reader names; Qt has none for what Python paints."""
    widget.setProperty(ROLE_PROPERTY, role.value)
    _install_factory()


def announce(widget: QWidget, text: str) -> None:
    """Have a screen reader say a text as soon as it has said what it is saying."""
    if not text:
        return
    from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

    if QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))


@cache
def _install_factory() -> None:
    from PySide6.QtGui import QAccessible

    QAccessible.installFactory(_interface)


def _interface(_class_name: str, of: QObject) -> QAccessibleInterface | None:
    from PySide6.QtGui import QAccessible
    from PySide6.QtWidgets import QAccessibleWidget, QWidget

    if not isinstance(of, QWidget):
        return None
    role = of.property(ROLE_PROPERTY)
    return None if role is None else QAccessibleWidget(of, QAccessible.Role(role))
