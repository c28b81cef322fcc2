"""Combo boxes that shorten long texts to their width."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QWidget,
)

from jurydesk.app.style.distinct_names import DOTS, shorten_names
from jurydesk.app.style.theme import px
from jurydesk.app.style.visible_text import elide, fitted_names, tip
from jurydesk.app.widgets.controls import ChoiceBox

WIDEST, NARROWEST, AROUND, WIDEST_LIST = 300, 90, 44, 720
ROUNDING = 2
EDIT_MARGIN = 1
"""Pixels that Qt leaves free before a combo box's text."""


class ElidedBox(ChoiceBox):
    """Combo box that shortens the text of its current entry to the room beside the arrow."""

    def sizeHint(self) -> QSize:
        """Return the size of Qt, with room for the part of a pixel that it rounds away."""
        return super().sizeHint() + QSize(ROUNDING, 0)

    def short_text(self) -> str:
        """Return the text of the current entry, before it is shortened to the room."""
        return self.currentText()

    def elided_text(self) -> str:
        """Return the text as it is painted, which is not that of another entry."""
        metrics, width = self.fontMetrics(), edit_width(self)
        whole = self.short_text()
        # What is left of a name after a shared beginning begins with what tells it from others.
        if metrics.horizontalAdvance(whole) > width and not whole.startswith(DOTS):
            entries = tuple(self.itemText(number) for number in range(self.count()))
            whole = fitted_names(entries, width, self.font().toString()).get(whole, whole)
        room, text = width, ""
        while room > 0:
            text = elide(metrics, whole, Qt.TextElideMode.ElideRight, room)
            excess = metrics.horizontalAdvance(text) - width
            if excess <= 0:
                break
            room -= excess  # Qt's own rounding, a few pixels for a long text in large type
        return text

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, option = QStylePainter(self), QStyleOptionComboBox()
        self.initStyleOption(option)
        option.currentText = self.elided_text()
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)


def edit_width(box: QComboBox) -> int:
    """Return the width in pixels in which a combo box paints its text."""
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    field = QStyle.SubControl.SC_ComboBoxEditField
    rect = box.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, box)
    return rect.width() - EDIT_MARGIN


class NameBox(ElidedBox):
    """Combo box that shows short names; its list and its tooltip have the full names."""

    def __init__(
        self, name: str, parent: QWidget | None = None, *, narrowest: int = NARROWEST
    ) -> None:
        super().__init__(parent)
        self._narrowest = narrowest
        self._widest: int | None = None
        """Width in pixels of the longest short name; None until it is measured."""
        # Its width is that of the short names: Qt need not measure all of the long ones.
        self.setSizeAdjustPolicy(self.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setAccessibleName(name)
        self.currentTextChanged.connect(self.show_tip)
        model = self.model()
        changes = (model.rowsInserted, model.rowsRemoved, model.modelReset, model.dataChanged)
        for signal in changes:
            signal.connect(self._names_changed)

    def _names_changed(self, *_: object) -> None:
        self._widest = None
        self.updateGeometry()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._widest = None
        super().changeEvent(event)

    def show_tip(self) -> None:
        """Set the full name as tooltip."""
        self.setToolTip(tip(self.currentText()))

    def short_text(self) -> str:
        """Return the short name of the current entry."""
        return shorten_names(self._texts()).get(self.currentText(), self.currentText())

    def _texts(self) -> list[str]:
        return [self.itemText(number) for number in range(self.count())]

    def sizeHint(self) -> QSize:
        """Return the width of the longest short name, within limits."""
        if self._widest is None:
            texts = shorten_names(self._texts()).values()
            self._widest = max(map(self.fontMetrics().horizontalAdvance, texts), default=0)
        wide = min(max(self._widest + px(AROUND), px(NARROWEST)), px(WIDEST))
        return QSize(wide, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        hint = self.sizeHint()
        return QSize(min(px(self._narrowest), hint.width()), hint.height())

    def showPopup(self) -> None:
        """Open the list at the width of its longest entry."""
        metrics = self.fontMetrics()
        widest = max(map(metrics.horizontalAdvance, self._texts()), default=0) + px(AROUND)
        self.view().setMinimumWidth(min(max(widest, self.width()), px(WIDEST_LIST)))
        super().showPopup()
