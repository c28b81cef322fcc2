"""Boxes of choices and numbers that a mouse wheel changes only while they have the focus.

Without it, the wheel scrolls the page under them; Qt would give them the focus, and change them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QSlider, QSpinBox, QWidget

from jurydesk.app.style.theme import px

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


STEP = 0.01
"""Step of a dial."""


class Dial(QObject):
    """Slider and spin box of one number; the lowest position can have a name."""

    value_changed = Signal()

    def __init__(self, name: str, low: float, high: float, word: str = "") -> None:
        super().__init__()
        self.slider = Slider(Qt.Orientation.Horizontal)
        self.box = DecimalBox()
        for part in (self.slider, self.box):
            part.setAccessibleName(name)
        self.box.setSingleStep(STEP)
        self.box.setSpecialValueText(word)
        self.box.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.set_range(low, high)
        self.slider.valueChanged.connect(self._emit_slider_value)
        self.box.valueChanged.connect(self._emit_typed_value)

    def scale(self) -> None:
        """Follow the zoom."""
        self.slider.setMinimumHeight(px(28))
        self.box.setFixedWidth(px(100))

    def set_range(self, low: float, high: float) -> None:
        """Set the range, in steps of 0.01."""
        for part in (self.slider, self.box):
            part.blockSignals(True)
        self.slider.setRange(round(low / STEP), round(high / STEP))
        self.slider.setPageStep(max(1, (self.slider.maximum() - self.slider.minimum()) // 10))
        self.box.setRange(low, high)
        for part in (self.slider, self.box):
            part.blockSignals(False)

    @property
    def value(self) -> float:
        return self.slider.value() * STEP

    @property
    def is_lowest(self) -> bool:
        """True at the lowest position."""
        return self.slider.value() == self.slider.minimum()

    def set_value(self, value: float) -> None:
        """Set the value without emitting `value_changed`."""
        for part in (self.slider, self.box):
            part.blockSignals(True)
        self.slider.setValue(round(value / STEP))
        self.box.setValue(self.value)
        for part in (self.slider, self.box):
            part.blockSignals(False)

    def _emit_slider_value(self) -> None:
        self.set_value(self.value)
        self.value_changed.emit()

    def _emit_typed_value(self, value: float) -> None:
        self.set_value(value)
        self.value_changed.emit()
