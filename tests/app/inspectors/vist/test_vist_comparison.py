"""One story of two systems, sentence by sentence with a human story."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from jurydesk.app.inspectors.inspector import InspectedItem
from jurydesk.app.inspectors.inspector_registry import COMPARISONS
from jurydesk.app.inspectors.vist.vist_comparison import StoryComparison
from jurydesk.core.metrics.meteor.alignment.alignment import AlignmentMatch
from jurydesk.core.tasks.vist.vist_evidence import ScoredStory, StoryEvidence
from support.windows.alignments import alignment

HUMAN = "we saw a dog . it was fun ."
STORIES = (ScoredStory("a", "we ran .", 0.2), ScoredStory("b", HUMAN, 0.7))
PHOTOS = ("11", "12")


def evidence(text: str, best: int, *matches: AlignmentMatch) -> StoryEvidence:
    found = alignment(text.split(), STORIES[best].text.split(), matches)
    return StoryEvidence("7", PHOTOS, text, "published", STORIES, best, found)


LEFT = evidence("we saw dogs . fun .", 1, AlignmentMatch(0, 2, 0, 2, 0))
RIGHT = evidence("a dog barked .", 1, AlignmentMatch(2, 2, 0, 2, 0))


def item(one: StoryEvidence, folder: Path | None = None) -> InspectedItem:
    folders = {} if folder is None else {"images": [folder]}
    return InspectedItem("11-12", "narrators", one, {}, folders)


@pytest.fixture
def view(qtbot: QtBot) -> StoryComparison:
    made = COMPARISONS.make("vist")
    assert isinstance(made, StoryComparison)
    qtbot.addWidget(made)
    made.resize(800, 600)
    made.show()
    made.show_names(("left", "right"), ("METEOR 0.7", "METEOR 0.5"))
    return made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for photo in PHOTOS:
        picture = QImage(60, 40, QImage.Format.Format_RGB32)
        picture.fill(QColor("red"))
        assert picture.save(str(tmp_path / f"{photo}.png"))
    return tmp_path


def test_both_stories_stand_beside_the_human_story_that_is_best_for_the_left(view):
    view.show_items(item(LEFT), item(RIGHT))
    assert [name.text() for name in view.names] == ["left", "Human story 2 of 2", "right"]
    assert view.notes[0].text() == "METEOR 0.7, 6 words"
    assert view.notes[1].text() == "best for both"
    assert [entry.text for entry in view.legend.entries] == [
        "only left (2)",
        "only right (2)",
        "plain: both, grey: neither",
    ]


def test_names_and_values_of_the_next_items_wait_for_their_stories(view):
    view.show_items(item(LEFT), item(RIGHT))
    view.show_names(("late", "later"), ("METEOR 0.1", "METEOR 0.2"))
    assert [view.names[0].text(), view.notes[0].text()] == ["left", "METEOR 0.7, 6 words"]
    view.show_items(item(RIGHT), item(LEFT))
    assert [view.names[0].text(), view.notes[0].text()] == ["late", "METEOR 0.1, 4 words"]


def test_a_key_chooses_another_human_story_which_both_are_aligned_with(qtbot, view, monkeypatch):
    monkeypatch.setattr(
        "jurydesk.core.tasks.vist.vist_evidence.align_stories",
        lambda story, human, options, run: alignment(story.split(), human.split(), ()),
    )
    view.show_items(item(LEFT), item(RIGHT))
    QTest.keyClick(view, Qt.Key.Key_1)
    assert view.names[1].text() == "Human story 1 of 2"
    assert view.notes[1].text() == ""
    qtbot.waitUntil(lambda: all(view.grid.texts.alignments))
    assert [word.text for sentence in view.grid.texts.columns[1] for word in sentence] == (
        STORIES[0].text.split()
    )


def test_another_human_story_of_the_other_system_is_not_aligned_but_said(view):
    others = (STORIES[0], ScoredStory("c", "something else .", 0.7))
    view.show_items(item(LEFT), item(replace(RIGHT, stories=others)))
    assert view.problem.text() == "The other system was scored with other human stories."
    assert not view.legend.isVisible()


def test_photos_stand_beside_their_sentences_or_above_them(view, folder):
    view.show_items(item(LEFT, folder), item(RIGHT, folder))
    assert view.beside.isVisible()
    assert not view.above.isVisible()
    assert len(view.beside.tiles()) == len(PHOTOS)
    tops = [row.top for row in view.grid.place(view.grid.width()).rows]
    assert all(top <= tile.top() for top, tile in zip(tops, view.beside.tiles(), strict=True))
    view.show_items(item(replace(LEFT, photos=("11", "12", "13")), folder), item(RIGHT, folder))
    assert view.above.isVisible()
    assert not view.beside.isVisible()


def test_a_word_tells_its_match_and_the_heads_stand_above_their_columns(view):
    view.show_items(item(LEFT), item(RIGHT))
    placed = view.grid.place(view.grid.width())
    row = placed.rows[0]
    assert "“we saw”" in view.grid.tooltip_at(placed.lefts[0] + 5, row.top + 20)
    assert view.grid.tooltip_at(placed.lefts[0] + 5, row.top + 1) == ""
    for name, left in zip(view.names, placed.lefts, strict=True):
        place = name.mapTo(view, QPoint()).x() - view.grid.mapTo(view, QPoint()).x()
        assert abs(place - left) <= 2


def test_page_keys_scroll_the_sentences_and_the_next_item_begins_at_its_top(qtbot, view):
    long = evidence("we ran . " * 40, 0)
    view.show_items(item(long), item(RIGHT))
    bar = view.area.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    QTest.keyClick(view, Qt.Key.Key_PageDown)
    assert bar.value() > 0
    view.show_items(item(replace(long, photos=())), item(RIGHT))
    assert bar.value() == 0


def test_the_names_of_like_systems_keep_what_tells_them_apart(view):
    names = [f"Group of Visual Storytelling of a University (beam {n})" for n in (3, 5)]
    view.show_names((names[0], names[1]), ("", ""))
    view.show_items(item(LEFT), item(RIGHT))
    shown = [view.names[0].shown_text(), view.names[2].shown_text()]
    for text, number, label in zip(shown, "35", (view.names[0], view.names[2]), strict=True):
        assert f"(beam {number})" in text
        assert label.fontMetrics().horizontalAdvance(text) <= label.width()
