"""Scroll areas: vertical for columns of cards, in both directions for pages."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QScrollArea, QScrollBar, QWidget

PAGE_STEPS = {
    Qt.Key.Key_PageUp: QScrollBar.SliderAction.SliderPageStepSub,
    Qt.Key.Key_PageDown: QScrollBar.SliderAction.SliderPageStepAdd,
}


class VerticalScrollArea(QScrollArea):
    """Scrolls vertically, is at least as wide as its content, and takes no focus."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._settled = QSize()
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._adapt_size)

    def minimumSizeHint(self) -> QSize:
        """Return at least the content's minimum width, since it cannot scroll sideways."""
        smallest = super().minimumSizeHint()
        content = self.widget()
        if content is not None:
            bar = self.verticalScrollBar().sizeHint().width()
            needed = max(content.minimumSizeHint().width(), content.minimumWidth())
            smallest.setWidth(needed + bar)
        return smallest

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.widget() and event.type() is QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self._timer.start()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._timer.start()

    def _adapt_size(self) -> None:
        """Adapt to a size that parts of the content needed only when they were placed."""
        content = self.widget()
        if content is None:
            return
        # Without the viewport: for its Python object, Qt's classes of widgets are all set up.
        bar = self.verticalScrollBar()
        width = self.contentsRect().width() - (bar.width() if bar.isVisible() else 0)
        needed = QSize(self.minimumSizeHint().width(), content.heightForWidth(width))
        if needed != self._settled:
            self._settled = needed
            self.updateGeometry()
            QCoreApplication.postEvent(self, QEvent(QEvent.Type.LayoutRequest))


class ScrolledContent(QWidget):
    """Content of a `TwoWayScrollArea`, which can shrink to its minimum height."""

    def heightForWidth(self, width: int) -> int:
        """Return the minimum height at a width; Qt would scroll for the preferred one."""
        layout = self.layout()
        return -1 if layout is None else layout.totalMinimumHeightForWidth(width)


class TwoWayScrollArea(QScrollArea):
    """Fits its content, and scrolls in both directions below the content's minimum size.

    `narrowed` carries the visible width beside a scroll bar.
    """

    narrowed = Signal(int)

    def __init__(self, sheet: ScrolledContent) -> None:
        super().__init__()
        sheet.setObjectName("scrolled")
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(sheet)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.narrowed.emit(self.width() - self.verticalScrollBar().sizeHint().width())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle Page Up and Page Down, and leave other keys to the page."""
        if event.key() in PAGE_STEPS:
            super().keyPressEvent(event)
        else:
            event.ignore()


class CardScrollArea(VerticalScrollArea):
    """Vertical scroll area for cards, to which it leaves the arrow keys."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in PAGE_STEPS:
            super().keyPressEvent(event)
        else:
            event.ignore()


class SharedScrollBar(QScrollBar):
    """Vertical scroll bar of several areas, which scroll together; hidden if all of them fit.

    An area that is shorter than the others stops at its end. Areas that are hidden within `whole`
    do not count.
    """

    def __init__(self, whole: QWidget) -> None:
        super().__init__(Qt.Orientation.Vertical, whole)
        self._whole = whole
        self.areas: list[VerticalScrollArea] = []
        self.valueChanged.connect(self._move_areas)
        self.hide()

    def add_area(self, area: VerticalScrollArea) -> None:
        """Scroll an area, too, in place of its own scroll bar."""
        area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.installEventFilter(self)
        area.viewport().installEventFilter(self)
        own = area.verticalScrollBar()
        own.rangeChanged.connect(self._adapt_range)
        own.valueChanged.connect(partial(self._follow, own))
        self.areas.append(area)

    def remove_areas(self) -> None:
        """Forget all areas, before they are deleted."""
        for area in self.areas:
            area.removeEventFilter(self)
            area.viewport().removeEventFilter(self)
        self.areas.clear()
        self._adapt_range()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the mouse wheel, Page Up and Page Down of an area."""
        kind, is_area = event.type(), watched in self.areas
        if is_area and kind in (QEvent.Type.Show, QEvent.Type.Hide):
            self._adapt_range()
        elif not is_area and kind == QEvent.Type.Wheel:
            return QCoreApplication.sendEvent(self, event)
        elif is_area and kind == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            step = PAGE_STEPS.get(Qt.Key(event.key()))
            if step is not None:
                self.triggerAction(step)
                return True
        return super().eventFilter(watched, event)

    def _adapt_range(self) -> None:
        """Adapt to the longest of the areas."""
        shown = [area for area in self.areas if area.isVisibleTo(self._whole)]
        bars = [area.verticalScrollBar() for area in shown]
        longest = max(bars, key=QScrollBar.maximum, default=None)
        if longest is not None:
            self.setPageStep(longest.pageStep())
            self.setSingleStep(longest.singleStep())
        self.setRange(0, 0 if longest is None else longest.maximum())
        self.setVisible(self.maximum() > 0)
        self._move_areas()

    def _move_areas(self) -> None:
        for area in self.areas:
            area.verticalScrollBar().setValue(self.value())

    def _follow(self, bar: QScrollBar, value: int) -> None:
        """Follow an area that has scrolled to its focus."""
        if value != min(self.value(), bar.maximum()):
            self.setValue(value)
