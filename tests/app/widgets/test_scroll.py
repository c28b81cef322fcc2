"""A vertically scrolling column is never narrower than its content."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from jurydesk.app.widgets.scroll import (
    CardScrollArea,
    ScrolledContent,
    TwoWayScrollArea,
    VerticalScrollArea,
)


def test_content_is_never_cut_off_horizontally(qtbot: QtBot) -> None:
    area = CardScrollArea()
    qtbot.addWidget(area)
    content = QWidget()
    content.setMinimumSize(300, 4000)
    area.setWidget(content)
    area.resize(area.minimumSizeHint().width(), 200)
    area.show()
    assert area.viewport().width() >= 300
    assert area.minimumSizeHint().height() < 4000


def test_wider_content_widens_the_area(qtbot: QtBot) -> None:
    whole, content = QWidget(), QWidget()
    qtbot.addWidget(whole)
    area = VerticalScrollArea()
    QVBoxLayout(content).addWidget(label := QLabel("short"))
    area.setWidget(content)
    QVBoxLayout(whole).addWidget(area)
    whole.show()
    before = whole.minimumSizeHint().width()
    label.setMinimumWidth(900)
    qtbot.waitUntil(lambda: whole.minimumSizeHint().width() >= 900 > before)


def test_a_sheet_shrinks_to_its_minimum_before_it_scrolls(qtbot: QtBot) -> None:
    sheet, part = ScrolledContent(), QWidget()
    column = QVBoxLayout(sheet)
    words = QLabel("some words that are broken into lines where there is no room for them")
    words.setWordWrap(True)
    part.setMinimumSize(300, 200)
    column.addWidget(words)
    column.addWidget(part, 1)
    room = TwoWayScrollArea(sheet)
    qtbot.addWidget(room)
    room.resize(500, 400)
    room.show()
    assert not room.verticalScrollBar().isVisible()
    assert part.height() > 200
    room.resize(200, 150)
    bars = room.verticalScrollBar(), room.horizontalScrollBar()
    qtbot.waitUntil(lambda: all(bar.isVisible() for bar in bars))
    assert part.height() == 200
    qtbot.keyClick(part, Qt.Key.Key_Down)
    assert room.verticalScrollBar().value() == 0
    qtbot.keyClick(part, Qt.Key.Key_PageDown)
    assert room.verticalScrollBar().value() > 0
