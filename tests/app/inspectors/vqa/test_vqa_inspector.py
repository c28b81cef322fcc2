"""Inspector of a question: picture, true answers, and the system's answer as compared."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from jurydesk.app.inspectors.inspector import inspected_item
from jurydesk.app.inspectors.inspector_registry import INSPECTORS
from jurydesk.app.inspectors.vqa.vqa_inspector import changed_letters
from jurydesk.core.competition.examples import example_inputs
from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.tasks.vqa.vqa_options import VqaOptions
from jurydesk.core.tasks.vqa.vqa_task import TASK
from support.examples import folder_of


@pytest.fixture(scope="module")
def evaluation():
    inputs = example_inputs(TASK, folder_of(TASK))
    result = score_submissions(TASK, files_by_role(inputs), VqaOptions(), Run(), resamples=0)
    return next(one for one in result.evaluations if one.system == "talkative")


@pytest.fixture
def inspector(qtbot):
    view = INSPECTORS.make("vqa")
    qtbot.addWidget(view)
    view.resize(700, 700)
    view.show()
    return view


def shown(inspector, evaluation, row):
    folders = {"images": [folder_of(TASK) / "images"]}
    inspector.show_item(inspected_item(TASK, evaluation, row, folders))
    inspector.pictures.wait()
    return inspector


def test_a_question_has_its_picture_its_answers_and_those_compared(inspector, evaluation):
    view = shown(inspector, evaluation, 0)
    assert view.pictures.pictures[0].path.name == "4017.png"
    names = [one.name for one in view.answers.table_model.columns]
    assert view.question.text() == "What color is the umbrella?"
    answer, compared = view.given.table_model.columns
    assert (answer.text(0), compared.text(0)) == ("a red one", "red 1")
    assert names == ["answer", "compared", "value"]
    assert "Articles are left out." in view.remark.text()


def test_unanimous_answers_are_shown_as_given_with_the_reason(inspector, evaluation):
    view = shown(inspector, evaluation, 2)
    assert [one.name for one in view.answers.table_model.columns] == ["answer", "value"]
    assert "All human answers are equal: nothing is processed." in view.remark.text()


def test_the_keys_step_through_the_answers(inspector, evaluation):
    view = shown(inspector, evaluation, 0)
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert view.answers.current_row == 1


def test_changed_letters_are_marked_on_both_sides():
    assert changed_letters("a red one", "red 1") == ([(0, 2), (6, 3)], [(4, 1)])
    assert changed_letters("red", "red") == ([], [])


def test_marked_letters_are_painted(inspector, evaluation):
    view = shown(inspector, evaluation, 0)
    marked = view.given.grab().toImage()
    columns = [replace(one, marks=None) for one in view.given.table_model.columns]
    view.given.table_model.show(columns)
    assert view.given.grab().toImage() != marked
