from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from jurydesk.app.inspectors.alignment.alignment_job import LONGEST_ALIGNED
from jurydesk.app.inspectors.inspector import InspectedItem
from jurydesk.app.inspectors.inspector_registry import INSPECTORS
from jurydesk.app.inspectors.vist.vist_inspector import StoryInspector
from jurydesk.app.jobs.job import view_jobs
from jurydesk.app.style.theme import px, theme
from jurydesk.core.metrics.meteor.alignment.alignment import Alignment
from jurydesk.core.model.evaluation import ResourceMissing
from jurydesk.core.tasks.vist.vist_evidence import ScoredStory, StoryEvidence
from support.windows.alignments import HYPOTHESIS, REFERENCE, alignment

IDS = ("11", "12", "13", "14", "15")
EVIDENCE = StoryEvidence(
    album="7",
    photos=IDS,
    text=" ".join(HYPOTHESIS),
    profile="published",
    stories=(
        ScoredStory("a", "we stayed at home .", 0.2),
        ScoredStory("b", " ".join(REFERENCE), 0.7332),
        ScoredStory("c", "the family went to the city .", 0.5),
    ),
    best=1,
    alignment=alignment(),
)


def item(evidence: object = EVIDENCE, folder: Path | None = None) -> InspectedItem:
    folders = {} if folder is None else {"images": [folder]}
    return InspectedItem("11-12-13-14-15", "narrators", evidence, {}, folders)


@pytest.fixture
def view(qtbot: QtBot, qapp: QApplication) -> StoryInspector:
    theme().install(qapp, "light")
    made = INSPECTORS.make("vist")
    assert isinstance(made, StoryInspector)
    qtbot.addWidget(made)
    made.resize(1000, 700)
    return made


@pytest.fixture
def aligned(monkeypatch: pytest.MonkeyPatch) -> Alignment:
    """Replace METEOR by this alignment, for every human story but the best."""
    answer = replace(alignment(), score=0.5)
    monkeypatch.setattr(
        "jurydesk.core.tasks.vist.vist_evidence.align_stories",
        lambda story, human, options, run: answer,
    )
    return answer


def test_the_best_human_story_is_shown_first(view: StoryInspector) -> None:
    view.show_item(item())
    assert view.story == 1
    assert view.alignment.alignment is EVIDENCE.alignment
    assert view.sum.title.text() == "Derivation of 0.7332"
    assert view.photos.ids == IDS


def test_the_inspector_states_the_width_that_a_story_needs(
    qtbot: QtBot, view: StoryInspector
) -> None:
    view.resize(200, 700)
    view.show()
    view.show_item(item())
    needed = px(view.least_width)
    qtbot.waitUntil(lambda: 0.9 * needed <= view.minimumSizeHint().width() <= needed)


def test_human_stories_are_listed_by_their_scores(view: StoryInspector) -> None:
    view.show_item(item())
    model = view.stories.table_model
    cells = [[column.text(row) for column in model.columns] for row in range(3)]
    assert cells == [
        ["2", " ".join(REFERENCE), "0.7332"],
        ["3", "the family went to the city .", "0.5000"],
        ["1", "we stayed at home .", "0.2000"],
    ]
    paint = model.columns[2].paint
    assert paint is not None
    assert [paint(row) for row in range(3)] == ["good", "", ""]


def test_a_few_human_stories_need_no_scrolling(qtbot: QtBot, view: StoryInspector) -> None:
    view.show_item(item())
    view.show()
    qtbot.waitExposed(view)
    assert not view.stories.verticalScrollBar().isVisible()


@pytest.mark.parametrize(
    ("key", "story"), [(Qt.Key.Key_Down, 2), (Qt.Key.Key_N, 2), (Qt.Key.Key_Up, 1)]
)
def test_keys_go_through_the_human_stories(
    view: StoryInspector, qtbot: QtBot, aligned: Alignment, key: Qt.Key, story: int
) -> None:
    view.show_item(item())
    QTest.keyClick(view, key)
    expected = aligned if story == 2 else EVIDENCE.alignment
    qtbot.waitUntil(lambda: view.alignment.alignment is expected)
    assert view.story == story


def test_stepping_back_needs_no_second_alignment(
    view: StoryInspector, qtbot: QtBot, aligned: Alignment, monkeypatch: pytest.MonkeyPatch
) -> None:
    view.show_item(item())
    view.step(1)
    qtbot.waitUntil(lambda: view.alignment.alignment is aligned)
    monkeypatch.setattr("jurydesk.app.inspectors.alignment.alignment_job._align", None)
    view.step(-1)
    assert view.alignment.alignment is EVIDENCE.alignment
    view.step(1)
    assert view.alignment.alignment is aligned


def test_a_late_alignment_is_not_shown(
    view: StoryInspector, qtbot: QtBot, aligned: Alignment
) -> None:
    view.show_item(item())
    view.step(1)
    view.show_item(item(replace(EVIDENCE, album="8")))
    qtbot.waitUntil(lambda: view_jobs().idle)
    assert view.alignment.alignment is EVIDENCE.alignment


def test_without_language_data_the_texts_are_shown_with_a_note(
    view: StoryInspector, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(*arguments: object) -> Alignment:
        raise ResourceMissing("METEOR's language data are not installed: pip install it.")

    monkeypatch.setattr("jurydesk.core.tasks.vist.vist_evidence.align_stories", missing)
    view.show_item(item())
    view.step(1)
    qtbot.waitUntil(lambda: view.alignment.alignment is None)
    assert view.sum.title.text() == "0.5000"
    assert view.alignment.picture.hypothesis.words == tuple(HYPOTHESIS)


def test_very_long_stories_are_not_aligned_interactively(view: StoryInspector) -> None:
    long = replace(EVIDENCE, text="word " * (LONGEST_ALIGNED + 1))
    view.show_item(item(long))
    view.step(1)
    assert view.alignment.alignment is None


def test_a_story_of_a_megabyte_and_unusual_characters_are_shown(
    view: StoryInspector, tmp_path: Path
) -> None:
    strange = ScoredStory("<b>", "\x00 <img src=x> \u202e שלום " + "x" * 1_000_000, 0.9)
    view.show_item(item(replace(EVIDENCE, stories=(strange,), best=0), tmp_path))
    assert not view.grab().toImage().isNull()


def test_one_human_story_is_the_best_of_one(view: StoryInspector) -> None:
    view.show_item(item(replace(EVIDENCE, stories=EVIDENCE.stories[1:2], best=0)))
    view.step(1)
    assert view.story == 0


def test_unused_keys_are_passed_to_the_page(view: StoryInspector) -> None:
    view.show_item(item())
    for key in (Qt.Key.Key_J, Qt.Key.Key_Left, Qt.Key.Key_Right):
        QTest.keyClick(view.alignment, key)
    assert view.story == 1
    QTest.keyClick(view, Qt.Key.Key_Period)
    assert view.alignment.marked == 0


def test_the_story_is_copied_and_the_alignment_exported(
    view: StoryInspector, tmp_path: Path
) -> None:
    assert view.exports() == ()
    view.show_item(item())
    assert view.selection_text(headers=False) == EVIDENCE.text
    for export in view.exports():
        path = tmp_path / export.pattern.replace("*", "alignment")
        export.write(path)
        assert path.stat().st_size > 1000


def test_evidence_of_another_competition_is_a_type_error(view: StoryInspector) -> None:
    with pytest.raises(TypeError, match="evidence of a story"):
        view.show_item(item(evidence="text"))
