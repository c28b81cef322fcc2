"""Sheet: the base class of dialogs over the window that Esc closes."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QColor, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractSlider,
    QApplication,
    QFrame,
    QGraphicsDropShadowEffect,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from jurydesk.app.style.theme import px
from jurydesk.app.widgets.parts import label
from jurydesk.app.widgets.scroll import ScrolledContent, TwoWayScrollArea

EDGE = 1
"""Width of the border in the style sheet."""
LEAST, LEAST_ROOM, SCROLL_BAR = 24, 80, 12
"""Least height of rows, and of those that scroll; the width of the bar beside them."""
Move = QAbstractSlider.SliderAction
SCROLLS = {
    Qt.Key.Key_Up: Move.SliderSingleStepSub,
    Qt.Key.Key_Down: Move.SliderSingleStepAdd,
    Qt.Key.Key_PageUp: Move.SliderPageStepSub,
    Qt.Key.Key_PageDown: Move.SliderPageStepAdd,
}
"""Keys that scroll a sheet higher than the window."""


class Sheet(QFrame):
    """A sheet at the top centre of its parent; it closes when it loses the keyboard focus."""

    closed = Signal()

    def __init__(self, name: str, parent: QWidget, *, width: int, top: int = 64) -> None:
        super().__init__(parent)
        self.setProperty("kind", "popup")
        self.setAccessibleName(name)
        self._window = parent
        self._width, self._top = width, top
        sheet = ScrolledContent()
        self._room = TwoWayScrollArea(sheet)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._room)
        self.body = QVBoxLayout(sheet)
        self.body.setContentsMargins(px(14), px(12), px(14), px(12))
        self.body.setSpacing(px(8))
        shadow = QGraphicsDropShadowEffect(self)
        shadow.setBlurRadius(px(36))
        shadow.setOffset(0, px(8))
        shadow.setColor(QColor(0, 0, 0, 60))
        self.setGraphicsEffect(shadow)
        self._previous_focus: QWidget | None = None
        self._open = False
        self.hide()

    def add_head(self, introduction: str = "") -> None:
        """Begin with the sheet's name as its title, and a sentence on what it does."""
        self.body.setContentsMargins(px(24), px(20), px(24), px(18))
        self.body.addWidget(label(self.accessibleName(), "title", wrap=True))
        if introduction:
            self.body.addWidget(label(introduction, "muted", wrap=True))

    @property
    def window_height(self) -> int:
        """Height of the window that the sheet is in, in pixels."""
        return self._window.height()

    @property
    def inner_width(self) -> int:
        """Width of the content beside a scroll bar, in pixels."""
        return self.width() - 2 * self.body.contentsMargins().left() - px(SCROLL_BAR)

    def open(self) -> None:
        """Show the sheet and give it the keyboard focus."""
        if self._open:
            return
        self._previous_focus = QApplication.focusWidget()
        self._place()
        self.show()
        self.raise_()
        self.initial_focus().setFocus(Qt.FocusReason.PopupFocusReason)
        self._window.installEventFilter(self)
        _application().focusObjectChanged.connect(self._focus_moved)
        self._open = True

    def sizeHint(self) -> QSize:
        body, width = self.body, self.width()
        height = body.totalSizeHint().height()
        if body.hasHeightForWidth():
            height = body.totalHeightForWidth(width - 2 * EDGE)
        return QSize(width, height + 2 * EDGE)

    def initial_focus(self) -> QWidget:
        """Return the widget that gets the focus when the sheet opens."""
        return self

    def fit(self, width: int) -> None:
        """Fit the content to the width of the sheet and to the window, whenever these change."""

    def fit_rows(self, area: QScrollArea, most: int) -> None:
        """Give an area the height of its rows, up to `most`, before scaling.

        It scrolls where the window has no room for them and all else; the sheet does where even
        a few rows have none.
        """
        content = area.widget()
        inside = content.layout() if content is not None else None
        if inside is None:
            return
        width = self.inner_width
        by_width = inside.hasHeightForWidth()
        needed = inside.totalHeightForWidth(width) if by_width else inside.totalSizeHint().height()
        area.setFixedHeight(px(LEAST))
        room = self._most_height() - self.sizeHint().height() + px(LEAST)
        shown = min(needed, px(most), room) if room >= px(LEAST_ROOM) else needed
        area.setFixedHeight(max(px(LEAST), shown))

    def fit_again(self, seen: QWidget | None = None) -> None:
        """Fit the sheet to other content, once Qt has shown that, with a part of it in sight."""
        QTimer.singleShot(0, self, partial(self._fit_open, seen))

    def _fit_open(self, seen: QWidget | None) -> None:
        if self._open:
            self._place()
            if seen is not None:
                self._room.ensureWidgetVisible(seen)

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        if not self._open:
            return
        self._open = False
        _application().focusObjectChanged.disconnect(self._focus_moved)
        self._window.removeEventFilter(self)
        if self._previous_focus is not None and _is_inside(QApplication.focusWidget(), self):
            self._previous_focus.setFocus(Qt.FocusReason.PopupFocusReason)
        self._previous_focus = None
        self.closed.emit()

    def accept(self) -> None:
        """Handle Enter; most sheets ignore it."""

    def event(self, event: QEvent) -> bool:
        # Otherwise Esc would be ambiguous while a job runs, which it cancels in the window.
        is_override = event.type() == QEvent.Type.ShortcutOverride
        if is_override and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.accept()
        if event.key() == Qt.Key.Key_Escape:
            self.close()
            return
        if event.key() in SCROLLS:
            bar = self._room.verticalScrollBar()
            bar.triggerAction(SCROLLS[Qt.Key(event.key())])
        # A sheet that the same key has just closed is done with it: another may have the focus.
        # A key that is held has opened the sheet: it chooses nothing there.
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter and self._open and not event.isAutoRepeat():
            focused = QApplication.focusWidget()
            if isinstance(focused, QPushButton):
                focused.click()
            else:
                self.accept()

    def focusNextPrevChild(self, following: bool) -> bool:
        """Keep Tab within the sheet: the widgets below it are not reachable by keyboard."""
        start = widget = QApplication.focusWidget() or self
        while True:
            chain = widget.nextInFocusChain() if following else widget.previousInFocusChain()
            widget = chain or start
            if widget is start:
                return True
            if self.isAncestorOf(widget) and _takes_tab(widget):
                self._room.ensureWidgetVisible(widget)
                reason = Qt.FocusReason
                widget.setFocus(reason.TabFocusReason if following else reason.BacktabFocusReason)
                return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)

    def _focus_moved(self, focused: QObject | None) -> None:
        if self._open and isinstance(focused, QWidget) and not _is_inside(focused, self):
            self.close()

    def _place(self) -> None:
        width = min(px(self._width), self._window.width() - px(32))
        self.setFixedWidth(width)
        self.fit(width)
        self.setMaximumHeight(self._most_height())
        self.adjustSize()
        self.move((self._window.width() - width) // 2, px(self._top))

    def _most_height(self) -> int:
        return self._window.height() - px(self._top) - px(24)


def _application() -> QGuiApplication:
    app = QGuiApplication.instance()
    if not isinstance(app, QGuiApplication):
        raise RuntimeError("a sheet needs a QGuiApplication")
    return app


def _takes_tab(widget: QWidget) -> bool:
    by_tab = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    return by_tab and widget.isVisible() and widget.isEnabled() and widget.focusProxy() is None


def _is_inside(widget: QObject | None, sheet: QWidget) -> bool:
    """Return whether a widget belongs to the sheet, including the lists of its combo boxes."""
    while widget is not None and widget is not sheet:
        widget = widget.parent()
    return widget is sheet
