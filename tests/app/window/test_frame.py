"""The window is never larger than its screen."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPointF, QSize, Qt
from PySide6.QtGui import QDropEvent, QHoverEvent
from PySide6.QtWidgets import QApplication, QSplitter, QWidget

from jurydesk.app.window.frame import SIZE, fitting


@pytest.mark.parametrize(
    ("screen", "wanted"),
    [
        ((1920, 1080), (1280, 828)),
        ((1366, 768), (1280, 728)),
        ((1366, 728), (1280, 688)),
        ((1024, 600), (1024, 560)),
        ((800, 600), (800, 560)),
    ],
)
def test_the_first_size_is_limited_by_the_screen(screen, wanted):
    assert fitting(SIZE, QSize(*screen)) == QSize(*wanted)


def test_resetting_the_layout_keeps_the_window_on_the_screen(window):
    room = window.screen().availableGeometry().size()
    window.actions_.run("view.reset")
    assert window.size() == fitting(SIZE, room)
    assert window.height() < room.height()


def test_after_a_drop_no_handle_of_a_splitter_is_hovered(qtbot, window):
    splitter = QSplitter()
    for _ in range(2):
        splitter.addWidget(QWidget())
    splitter.setParent(window)
    splitter.setGeometry(0, 0, 200, 100)
    splitter.show()
    handle = splitter.handle(1)
    handle.setStyleSheet("QSplitterHandle:hover { background: #ff0000; }")
    before = handle.grab().toImage()
    inside = QPointF(1, 1)
    QApplication.sendEvent(handle, QHoverEvent(QEvent.Type.HoverEnter, inside, inside, inside))
    assert handle.grab().toImage() != before
    copy, left = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    none = Qt.KeyboardModifier.NoModifier
    data = QMimeData()
    window.dropEvent(QDropEvent(QPointF(300, 300), copy, data, left, none))
    assert handle.grab().toImage() == before


def test_a_full_screen_stays_full(window):
    window.showFullScreen()
    before = window.size()
    window.fit_screen(QSize(300, 300))
    assert window.size() == before
