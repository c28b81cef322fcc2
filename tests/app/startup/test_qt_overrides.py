"""Tests of exceptions in methods that Qt calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import QObject, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import (
    QGraphicsItem,
    QGraphicsScene,
    QLabel,
    QListWidget,
    QStyledItemDelegate,
    QWidget,
)
from shiboken6 import Shiboken


class Faulty(QWidget):
    def resizeEvent(self, _event):
        int("x")

    def paintEvent(self, _event):
        {}["paint"]

    def sizeHint(self):
        deleted = QLabel()
        Shiboken.delete(deleted)
        return deleted.sizeHint()

    def minimumSizeHint(self):
        raise ValueError("too small")


class FaultyFilter(QObject):
    def eventFilter(self, _watched, _event):
        return [].pop()


class FaultyItem(QGraphicsItem):
    def boundingRect(self):
        return QRectF(0, 0, 10, 10)

    def paint(self, _painter, _option, _widget=None):
        return 1 // 0


class FaultyDelegate(QStyledItemDelegate):
    def sizeHint(self, option, index):
        return super().sizeHint(option, index, "one argument too many")


def reported(qtbot, act: Callable[[], Any]) -> tuple[Any, list[str]]:
    """Return what an action returns and the exceptions that are reported while it runs."""
    with qtbot.captureExceptions() as exceptions:
        value = act()
    return value, [f"{kind.__name__}: {value}" for kind, value, _ in exceptions]


def test_exceptions_of_events_that_the_program_causes_are_reported_one_by_one(qtbot):
    widget = Faulty()
    qtbot.addWidget(widget)
    picture = QPixmap(10, 10)
    _, exceptions = reported(qtbot, lambda: (widget.resize(321, 123), widget.render(picture)))
    assert [one for one in exceptions if "small" not in one and "deleted" not in one] == [
        "ValueError: invalid literal for int() with base 10: 'x'",
        "KeyError: 'paint'",
    ]


def test_a_size_that_cannot_be_computed_is_that_of_qt(qtbot):
    widget = Faulty()
    qtbot.addWidget(widget)
    size, exceptions = reported(qtbot, widget.sizeHint)
    assert size == QSize(-1, -1)
    assert len(exceptions) == 1
    assert "already deleted" in exceptions[0]
    _, exceptions = reported(qtbot, widget.adjustSize)
    assert any("already deleted" in one for one in exceptions)
    assert widget.size().isValid()


def test_the_exception_of_a_filter_lets_the_event_through(qtbot):
    widget, faulty = QWidget(), FaultyFilter()
    qtbot.addWidget(widget)
    widget.installEventFilter(faulty)
    _, exceptions = reported(qtbot, lambda: widget.setEnabled(False))
    widget.removeEventFilter(faulty)
    assert set(exceptions) == {"IndexError: pop from empty list"}
    assert not widget.isEnabled()


def test_the_exception_of_a_delegate_is_reported(qtbot):
    view = QListWidget()
    qtbot.addWidget(view)
    view.setItemDelegate(FaultyDelegate(view))
    view.addItem("row")
    height, exceptions = reported(qtbot, lambda: view.sizeHintForRow(0))
    assert height > 0
    assert exceptions
    assert all(one.startswith("TypeError") for one in exceptions)


def test_the_exception_of_a_painted_item_is_reported_alone(qtbot):
    scene, item = QGraphicsScene(), FaultyItem()
    scene.addItem(item)
    picture = QPixmap(10, 10)
    picture.fill(Qt.GlobalColor.white)

    def draw() -> None:
        painter = QPainter(picture)
        scene.render(painter)
        painter.end()

    _, exceptions = reported(qtbot, draw)
    assert exceptions == ["ZeroDivisionError: integer division or modulo by zero"]


def test_methods_that_qt_does_not_know_raise_what_they_raise():
    class Named(QWidget):
        def pageEvent(self, *, number):
            return 1 // number

    widget = Named()
    assert widget.pageEvent(number=1) == 1
    with pytest.raises(ZeroDivisionError):
        widget.pageEvent(number=0)
    Shiboken.delete(widget)
