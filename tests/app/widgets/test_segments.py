"""Segmented control."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QPushButton
from pytestqt.qtbot import QtBot

from jurydesk.app.widgets.segments import Segments

WORDS = ("Precision and recall", "Precision at k", "ap by query")


@pytest.fixture
def segments(qtbot: QtBot) -> Segments:
    segments = Segments("Figure")
    qtbot.addWidget(segments)
    segments.show_words(WORDS)
    segments.show()
    return segments


def test_a_click_chooses_a_word(qtbot: QtBot, segments: Segments) -> None:
    with qtbot.waitSignal(segments.chosen) as chosen:
        qtbot.mouseClick(segments.findChildren(QPushButton)[2], Qt.MouseButton.LeftButton)
    assert chosen.args == [2]
    assert segments.index == 2


def test_arrow_keys_move_between_words_and_stop_at_the_ends(
    qtbot: QtBot, segments: Segments
) -> None:
    for _ in range(5):
        qtbot.keyClick(segments, Qt.Key.Key_Right)
    assert segments.index == 2
    qtbot.keyClick(segments, Qt.Key.Key_Left)
    assert segments.index == 1


def test_words_without_room_become_a_list(qtbot: QtBot, segments: Segments) -> None:
    assert not segments.is_list
    segments.choose(1)
    segments.set_room(200)
    assert segments.is_list
    box = segments.findChild(QComboBox)
    assert box.currentText() == "Precision at k"
    with qtbot.waitSignal(segments.chosen) as chosen:
        qtbot.keyClick(box, Qt.Key.Key_Down)
    assert chosen.args == [2]
    segments.set_room(2000)
    assert not segments.is_list
    assert segments.index == 2


def test_choosing_does_not_move_the_segments(segments: Segments) -> None:
    before = segments.sizeHint().width()
    segments.choose(2)
    assert segments.sizeHint().width() == before


def test_one_word_needs_no_choice(segments: Segments) -> None:
    segments.show_words(("Heat map",))
    assert segments.isHidden()
    assert segments.index == 0
