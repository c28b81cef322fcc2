"""Inspector of a query: its picture or text, and the best candidates with the correct ones."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from jurydesk.app.inspectors.inspector import inspected_item
from jurydesk.app.inspectors.inspector_registry import INSPECTORS
from jurydesk.core.tasks.retrieval.retrieval_task import TASK
from support.examples import folder_of, score_example


@pytest.fixture(scope="module")
def evaluation():
    result = score_example(TASK, resamples=0)
    return next(one for one in result.evaluations if one.system == "word-counts")


@pytest.fixture
def inspector(qtbot):
    view = INSPECTORS.make("retrieval")
    qtbot.addWidget(view)
    view.resize(700, 700)
    view.show()
    return view


def shown(inspector, evaluation, row):
    folders = {"photos": [folder_of(TASK) / "photos"]}
    inspector.show_item(inspected_item(TASK, evaluation, row, folders))
    inspector.pictures.wait()
    return inspector


def test_an_image_is_shown_with_its_captions_and_the_best_ones(inspector, evaluation):
    view = shown(inspector, evaluation, 0)
    assert view.pictures.pictures[0].path.name == "4017.png"
    assert view.correct.text().count("\n") == 4
    assert view.candidates.table_model.total == 10
    marks = next(one for one in view.candidates.table_model.columns if one.name == "correct")
    assert "✓" in marks.values


def test_the_keys_step_through_the_candidates_and_show_their_pictures(inspector, evaluation):
    view = shown(inspector, evaluation, 12)
    first = view.pictures.pictures
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert view.candidates.current_row == 1
    assert len(first) == len(view.pictures.pictures) == 1
    assert view.pictures.pictures != first
    assert view.query.text().endswith(".")


def test_the_rank_is_given_with_its_range_over_ties(inspector, evaluation):
    columns = evaluation.items.columns
    tied = int((columns["rank_best"] != columns["rank_worst"]).argmax())
    assert (
        "over the orders of equal similarities" in shown(inspector, evaluation, tied).placed.text()
    )
    clear = int((columns["rank_best"] == columns["rank_worst"]).argmax())
    assert "above the best other one" in shown(inspector, evaluation, clear).placed.text()
