"""Boxes of choices and numbers that a mouse wheel changes only while they have the focus.

Without it, the wheel scrolls the page under them; Qt would give them the focus, and change them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QSlider, QSpinBox, QWidget

if TYPE_CHECKING:
    Control = QWidget
else:
    Control = object


class _SteadyControl(Control):
    """Control that takes no focus from the wheel, and leaves it to the page without focus."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class ChoiceBox(_SteadyControl, QComboBox):
    """Combo box."""


class NumberBox(_SteadyControl, QSpinBox):
    """Spin box of whole numbers."""


class DecimalBox(_SteadyControl, QDoubleSpinBox):
    """Spin box of decimal numbers."""


class Slider(_SteadyControl, QSlider):
    """Slider."""
