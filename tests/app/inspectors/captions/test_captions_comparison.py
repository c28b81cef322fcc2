"""Captions of one image by two systems, beside its references."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from jurydesk.app.inspectors.captions.captions_comparison import CaptionComparison, mark_captions
from jurydesk.app.inspectors.inspector import InspectedItem
from jurydesk.app.inspectors.inspector_registry import COMPARISONS
from jurydesk.core.tasks.captions.captions_evidence import CaptionEvidence, ReferenceEvidence

NOTHING = (1.0, 1.0, 1.0, 1.0)


def evidence(words: str, *references: str) -> CaptionEvidence:
    known = tuple(ReferenceEvidence(one, one, 0.0, NOTHING) for one in references)
    empty = tuple((0,) * len(words.split()) for _ in range(4))
    return CaptionEvidence(
        *("7", "7.png", "published", words, words, known, 0, 0, 0, 0, NOTHING, empty, 1)
    )


REFERENCES = ("the dog sees the red ball", "a ball on grass")
LEFT = evidence("the the the dog runs", *REFERENCES)
RIGHT = evidence("a dog on a red rug", *REFERENCES)


def marks(column) -> list[list[tuple[str, str]]]:
    return [[(word.text, word.mark) for word in sentence] for sentence in column]


def test_a_word_has_the_mark_of_the_captions_that_share_it_with_a_reference():
    left, middle, right = map(marks, mark_captions(LEFT, RIGHT).columns)
    # "the" is twice in a reference and three times in the caption
    assert [mark for _, mark in left[0]] == ["left", "left", "neither", "both", "neither"]
    assert [mark for _, mark in right[0]] == [
        *("right", "both", "right", "neither", "right", "neither")
    ]
    assert middle[0] == [
        *(("the", "left"), ("dog", "both"), ("sees", "neither")),
        *(("the", "left"), ("red", "right"), ("ball", "neither")),
    ]
    assert middle[1] == [("a", "right"), ("ball", "neither"), ("on", "right"), ("grass", "neither")]


def test_other_references_leave_the_other_caption_unmarked():
    other = replace(RIGHT, references=RIGHT.references[:1])
    texts = mark_captions(LEFT, other)
    assert {word.mark for word in texts.columns[2][0]} == {"neither"}
    assert "right" not in {word.mark for one in texts.columns[1] for word in one}


@pytest.fixture
def view(qtbot: QtBot) -> CaptionComparison:
    made = COMPARISONS.make("captions")
    assert isinstance(made, CaptionComparison)
    qtbot.addWidget(made)
    made.resize(800, 600)
    made.show()
    made.show_names(("one", "two"), ("CIDEr 1.2", "CIDEr 0.4"))
    return made


def item(one: CaptionEvidence, folder=None) -> InspectedItem:
    return InspectedItem("7", "one", one, {}, {} if folder is None else {"photos": [folder]})


def test_both_captions_stand_beside_the_references_with_the_picture_once(view, tmp_path):
    picture = QImage(60, 40, QImage.Format.Format_RGB32)
    picture.fill(QColor("red"))
    assert picture.save(str(tmp_path / "7.png"))
    view.show_items(item(LEFT, tmp_path), item(RIGHT, tmp_path))
    assert [name.text() for name in view.names] == ["one", "2 references", "two"]
    assert [view.notes[0].text(), view.notes[2].text()] == [
        "CIDEr 1.2, 5 words",
        "CIDEr 0.4, 6 words",
    ]
    assert [entry.text for entry in view.legend.entries[:2]] == ["only left (2)", "only right (3)"]
    assert len(view.grid.place(view.grid.width()).rows) == 2
    (tile,) = view.picture.tiles()
    placed = view.grid.place(view.grid.width())
    assert tile.right() <= placed.lefts[0]
    assert tile.bottom() <= max(view.grid.height(), view.picture.height())
    view.show_items(item(LEFT), item(RIGHT))
    assert view.picture.isHidden()
    assert view.grid.place(view.grid.width()).lefts[0] == 0


def test_other_references_of_the_other_system_are_said(view):
    view.show_items(item(LEFT), item(replace(RIGHT, references=RIGHT.references[:1])))
    assert view.problem.text() == "The other system was scored with other references."
    assert not view.legend.isVisible()


def test_the_keyboard_focus_has_a_frame(qtbot, view):
    view.show_items(item(LEFT), item(RIGHT))
    view.clearFocus()
    without = view.grab().toImage()
    view.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(view.hasFocus)
    assert view.grab().toImage().pixel(400, 1) != without.pixel(400, 1)
