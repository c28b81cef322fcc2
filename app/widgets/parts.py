"""Small parts of pages: labels, chips, cards, buttons, rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QSpinBox,
    QVBoxLayout,
    QWidget,
    QWidgetItem,
)

from jurydesk.app.style.theme import px, theme
from jurydesk.app.style.visible_text import elide, fit, tip
from jurydesk.app.widgets.controls import NumberBox
from jurydesk.app.widgets.scroll import VerticalScrollArea

Margins = tuple[int, int, int, int]
"""Left, top, right, bottom, before scaling."""


def label(text: str = "", kind: str = "", *, wrap: bool = False) -> QLabel:
    """Return a label of a kind in the style sheet (`title`, `muted`, `small` ...)."""
    widget = QLabel(text)
    widget.setProperty("kind", kind)
    widget.setTextFormat(Qt.TextFormat.PlainText)
    widget.setWordWrap(wrap)
    return widget


def chip(text: str = "") -> QLabel:
    """Return a rounded label for a word or two beside a title."""
    widget = label(text, "chip")
    widget.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
    return widget


def button(text: str, slot: Callable[[], object], kind: str = "", hint: str = "") -> QPushButton:
    """Return a push button that calls a bound method; `hint` is its tooltip."""
    widget = QPushButton(text)
    widget.setProperty("kind", kind)
    widget.setToolTip(tip(hint))
    widget.clicked.connect(slot)
    return widget


def number_box(name: str, least: int, most: int, value: int) -> QSpinBox:
    """Return a spin box with an accessible name."""
    made = NumberBox()
    made.setAccessibleName(name)
    made.setRange(least, most)
    made.setValue(value)
    made.lineEdit().setTextMargins(px(6), 0, 0, 0)  # a style sheet's padding does not reach it
    return made


def hairline() -> QFrame:
    """Return a horizontal line of one pixel."""
    widget = QFrame()
    widget.setProperty("kind", "line")
    return widget


def restyle(widget: QWidget, name: str, value: object) -> None:
    """Set a property used in the style sheet, and apply the style sheet again."""
    if widget.property(name) == value:
        return
    widget.setProperty(name, value)
    if widget.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):  # else it is not yet applied
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def clear_layout(layout: QLayout, keep: int = 0) -> None:
    """Remove and delete the widgets of a layout, except the first `keep`."""
    while layout.count() > keep:
        item = layout.takeAt(keep)
        widget = item.widget() if item is not None else None
        if widget is not None:
            widget.hide()
            widget.setParent(None)
            widget.deleteLater()


def row_layout(
    *widgets: QWidget | None, spacing: int = 8, margins: Margins | None = None
) -> QHBoxLayout:
    """Return a row of widgets; None is a stretch."""
    row = QHBoxLayout()
    row.setContentsMargins(0, 0, 0, 0)
    ScaledSpacing(row, spacing, margins)
    for widget in widgets:
        if widget is None:
            row.addStretch(1)
        else:
            row.addWidget(widget)
    return row


def across(layout: QBoxLayout, wide: bool) -> None:
    """Set the direction of a layout: side by side if `wide`, else one below the other."""
    right, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
    layout.setDirection(right if wide else down)


def has_room(layout: QBoxLayout, width: int) -> bool:
    """Return whether the items of a layout have room side by side in a width."""
    inner = (one for one in layout.children() if isinstance(one, QLayout))
    parts = [*map(QWidgetItem, placed_widgets(layout)), *inner]
    widths = [part.minimumSize().width() for part in parts if not part.isEmpty()]
    return sum(widths) + layout.spacing() * max(0, len(widths) - 1) <= width


def placed_widgets(layout: QLayout) -> list[QWidget]:
    """Return the widgets of a layout in its order, without those of layouts inside it.

    PySide keeps the items that `itemAt` returns, and crashes on those that Qt has deleted.
    """
    host = layout.parentWidget()
    direct = Qt.FindChildOption.FindDirectChildrenOnly
    below = [] if host is None else host.findChildren(QWidget, options=direct)
    return sorted((one for one in below if layout.indexOf(one) >= 0), key=layout.indexOf)


def set_spacing(layout: QBoxLayout, spacing: int, margins: Margins = (0, 0, 0, 0)) -> None:
    """Set the spacing and margins of a layout, which follow the zoom."""
    ScaledSpacing(layout, spacing, margins)


class ScaledSpacing(QObject):
    """Scales the spacing of a layout with the zoom, and its margins unless they are None."""

    def __init__(
        self, layout: QBoxLayout | QGridLayout, spacing: int, margins: Margins | None
    ) -> None:
        super().__init__(layout)
        self._layout, self._spacing, self._margins = layout, spacing, margins
        theme().follow(self._scale)

    def _scale(self) -> None:
        self._layout.setSpacing(_scale_length(self._spacing))
        if self._margins is not None:
            self._layout.setContentsMargins(*map(_scale_length, self._margins))


def _scale_length(length: int) -> int:
    """Scale a length to at least one pixel, except 0."""
    return px(length) if length else 0


def scroll_area(inside: QWidget) -> QScrollArea:
    """Return a scroll area that scrolls a widget vertically."""
    inside.setObjectName("scrolled")
    area = VerticalScrollArea()
    area.setWidget(inside)
    return area


def scrolled_rows(name: str, spacing: int) -> tuple[QScrollArea, QVBoxLayout]:
    """Return a named scroll area and the layout of the rows in it, from the top on."""
    inside = QWidget()
    rows = QVBoxLayout(inside)
    set_spacing(rows, spacing)
    rows.setAlignment(Qt.AlignmentFlag.AlignTop)
    area = scroll_area(inside)
    area.setAccessibleName(name)
    return area, rows


class Card(QFrame):
    """A bordered card; add its content to `body`.

    An `elided` title is shortened if it does not fit.
    """

    def __init__(
        self,
        title: str | QLabel = "",
        parent: QWidget | None = None,
        *,
        padding: tuple[int, int] = (16, 14),
        spacing: int = 6,
        elided: bool = False,
    ) -> None:
        super().__init__(parent)
        self.setProperty("kind", "card")
        self.body = QVBoxLayout(self)
        if isinstance(title, QLabel):
            self.title = title
        else:
            self.title = ElidedLabel(title, "heading") if elided else label(title, "heading")
        self.body.addWidget(self.title)
        self.title.setVisible(bool(self.title.text()))
        across, down = padding
        set_spacing(self.body, spacing, (across, down, across, down))


SHORTEST_ELIDED = 5


class ElidedLabel(QLabel):
    """A line of text that is elided, by default in the middle, if it does not fit.

    Nothing is painted where less than `SHORTEST_ELIDED` characters would be left of it.
    """

    def __init__(
        self,
        text: str = "",
        kind: str = "",
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle,
    ) -> None:
        super().__init__(text)
        self.setProperty("kind", kind)
        self._mode = mode
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def show_text(self, text: str) -> None:
        """Set the text, which is also the tooltip."""
        self.setText(text)
        self.setToolTip(tip(text))

    def minimumSizeHint(self) -> QSize:
        return QSize(px(40), super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.contentsRect(), int(self.alignment()), self.shown_text())

    def shown_text(self) -> str:
        """Return the text as it is painted."""
        room = self.contentsRect().width()
        shown = elide(self.fontMetrics(), self.text(), self._mode, room)
        return shown if shown == self.text() or len(shown) >= SHORTEST_ELIDED else ""


class NameLabel(ElidedLabel):
    """Name of a system, shortened around what tells it from the names beside it."""

    _names: tuple[str, ...] = ("",)

    def show_name(self, name: str, names: Iterable[str]) -> None:
        """Set one of several names, which is also the tooltip."""
        self._names = tuple(names)
        self.show_text(name)

    def shown_text(self) -> str:
        text = self.text()
        names = self._names if text in self._names else (text,)
        return fit(self.fontMetrics(), text, names, self.width())


class WrappedLabel(QLabel):
    """Selectable, wrapped text in which words wider than a line are elided in the middle.

    Such a word, mostly a file name, would keep the label from shrinking. The tooltip has it whole.
    """

    def __init__(self, text: str, kind: str = "", hint: str = "") -> None:
        super().__init__(text)
        self._whole, self._hint = text, hint
        self.setProperty("kind", kind)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setWordWrap(True)
        self.setToolTip(tip(hint))
        self.setAccessibleName(text)

    def minimumSizeHint(self) -> QSize:
        return QSize(px(40), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def _fit(self) -> None:
        metrics, middle = self.fontMetrics(), Qt.TextElideMode.ElideMiddle
        room = self.contentsRect().width()
        words = (elide(metrics, word, middle, room) for word in self._whole.split(" "))
        shown = " ".join(words)
        if shown != self.text():
            self.setText(shown)
            self.setToolTip(tip("" if shown == self._whole else self._whole, self._hint))
