"""Segmented control."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QComboBox, QHBoxLayout, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from jurydesk.app.widgets.name_box import ElidedBox
from jurydesk.app.widgets.segments import Segments
from jurydesk.core.language.catalogue import pseudo

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


def test_the_focus_stays_in_the_control_when_its_form_changes(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    row, segments = QHBoxLayout(window), Segments("Figure")
    row.addWidget(segments)
    row.addWidget(QPushButton("Next"))
    segments.show_words(WORDS, 1)
    window.resize(1000, 60)
    window.show()
    segments.findChildren(QPushButton)[1].setFocus()
    segments.set_room(100)
    assert segments.is_list
    assert window.focusWidget() is segments.findChild(QComboBox)
    segments.set_room(2000)
    assert window.focusWidget() is segments.findChildren(QPushButton)[1]


def in_a_row(qtbot: QtBot, words: Sequence[str]) -> tuple[QWidget, Segments]:
    """Return segments beside a button, as a page has them."""
    row, made = QWidget(), Segments("Plot")
    qtbot.addWidget(row)
    made.show_words(words)
    layout = QHBoxLayout(row)
    layout.addWidget(made)
    layout.addStretch(1)
    layout.addWidget(QPushButton("Save"))
    row.resize(900, 60)
    row.show()
    return row, made


@pytest.mark.parametrize("words", [WORDS, tuple(map(pseudo, WORDS))], ids=["English", "pseudo"])
def test_without_room_in_a_layout_the_words_become_a_list_by_themselves(
    qtbot: QtBot, words: Sequence[str]
) -> None:
    row, made = in_a_row(qtbot, words)
    assert not made.is_list
    needed = made.sizeHint().width()
    row.resize(needed, 60)  # the button has no room beside the words
    qtbot.waitUntil(lambda: made.is_list)
    box = made.findChild(QComboBox)
    qtbot.waitUntil(lambda: made.rect().contains(box.geometry()))
    assert not any(one.isVisible() for one in made.findChildren(QPushButton))
    row.resize(900, 60)
    qtbot.waitUntil(lambda: not made.is_list)
    assert not box.isVisible()
    buttons = [one for one in made.findChildren(QPushButton) if one.isVisible()]
    assert len(buttons) == 3
    qtbot.waitUntil(
        lambda: all(
            one.geometry().right() < other.geometry().left()
            for one, other in itertools.pairwise(buttons)
        )
    )


def test_longer_words_of_another_language_become_a_list_where_shorter_ones_fitted(
    qtbot: QtBot,
) -> None:
    row, made = in_a_row(qtbot, WORDS)
    least = next(width for width in range(200, 900, 4) if fits(row, made, width))
    row.resize(least, 60)
    made.show_words(tuple(map(pseudo, WORDS)))
    qtbot.waitUntil(lambda: made.is_list)
    made.show_words(WORDS)
    qtbot.waitUntil(lambda: not made.is_list)


def test_the_list_shows_its_longest_word_whole_at_its_own_width(qtbot: QtBot) -> None:
    made = Segments("Plot")
    qtbot.addWidget(made)
    for points in range(1, 200, 29):  # widths with other parts of a pixel
        made.show_words([f"Interpolated precision ({points} points)"] * 2)
        made.set_room(200)
        made.show()
        made.resize(made.sizeHint())
        qtbot.waitUntil(lambda: made.is_list)
        made.layout().activate()
        assert made.findChild(ElidedBox).elided_text().endswith("points)")


def fits(row: QWidget, made: Segments, width: int) -> bool:
    row.resize(width, 60)
    QApplication.processEvents()
    QApplication.processEvents()
    return not made.is_list


def test_choosing_does_not_move_the_segments(segments: Segments) -> None:
    before = segments.sizeHint().width()
    segments.choose(2)
    assert segments.sizeHint().width() == before


def test_one_word_needs_no_choice(segments: Segments) -> None:
    segments.show_words(("Heat map",))
    assert segments.isHidden()
    assert segments.index == 0
