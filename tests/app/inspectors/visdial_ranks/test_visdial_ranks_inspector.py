"""Inspector of a round: dialogue, question, and the options in the order of the ranks."""

from __future__ import annotations

from types import MappingProxyType

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from jurydesk.app.inspectors.inspector import inspected_item
from jurydesk.app.inspectors.inspector_registry import INSPECTORS
from jurydesk.core.tasks.visdial_ranks.visdial_ranks_task import TASK
from support.examples import folder_of, score_example


@pytest.fixture(scope="module")
def evaluations():
    result = score_example(TASK, resamples=0)
    return {one.system: one for one in result.evaluations}


@pytest.fixture
def inspector(qtbot):
    view = INSPECTORS.make("visdial_ranks")
    qtbot.addWidget(view)
    view.resize(700, 700)
    view.show()
    return view


def item(evaluations, row, system="discriminative", folders=MappingProxyType({})):
    return inspected_item(TASK, evaluations[system], row, folders)


def names(view):
    return [one.name for one in view.options.table_model.columns]


def test_a_round_has_its_dialogue_and_all_options_in_the_system_s_order(inspector, evaluations):
    inspector.show_item(item(evaluations, 2))
    assert inspector.dialogue.text().count(" – ") == 2
    assert inspector.options.table_model.total == 100
    assert names(inspector) == ["rank", "option", "true", "relevance", "bar"]
    assert "options are relevant" in inspector.placed.text()


def test_a_round_without_annotations_has_no_relevances(inspector, evaluations):
    inspector.show_item(item(evaluations, 0))
    assert names(inspector) == ["rank", "option", "true"]
    assert inspector.placed.text().startswith("The true answer has rank ")


def test_ranks_of_other_systems_stand_beside(inspector, evaluations):
    inspector.show_item(item(evaluations, 0))
    inspector.show_others({"fine-tuned": item(evaluations, 0, "fine-tuned")})
    assert names(inspector)[-1] == "other0"


def test_the_keys_step_through_the_options_and_go_to_the_true_answer(inspector, evaluations):
    columns = evaluations["scored"].items.columns
    row = int(columns["rank"].argmax())
    inspector.show_item(item(evaluations, row, "scored"))
    inspector.setFocus()
    QTest.keyClick(inspector, Qt.Key.Key_Down)
    assert inspector.options.current_row == 1
    QTest.keyClick(inspector, Qt.Key.Key_T)
    assert inspector.options.current_row == columns["rank"][row] - 1


def test_the_picture_of_the_round_is_shown_if_its_folder_is_given(inspector, evaluations):
    inspector.show_item(item(evaluations, 0))
    assert not inspector.pictures.isVisible()
    folders = {"images": [folder_of(TASK) / "images"]}
    inspector.show_item(item(evaluations, 0, folders=folders))
    assert inspector.pictures.pictures[0].path.name == "90001.png"


@pytest.mark.parametrize(
    "keys", [(Qt.KeyboardModifier.NoModifier, 1), (Qt.KeyboardModifier.ShiftModifier, -1)]
)
def test_w_asks_for_the_next_or_the_previous_round_with_a_wrong_first_option(
    keys, inspector, evaluations, qtbot
):
    modifier, direction = keys
    inspector.show_item(item(evaluations, 0))
    inspector.setFocus()
    with qtbot.waitSignal(inspector.rows_stepped) as asked:
        QTest.keyClick(inspector, Qt.Key.Key_W, modifier)
    ranks = evaluations["discriminative"].items.columns["rank"]
    assert asked.args[0] == direction
    assert asked.args[1].tolist() == (ranks > 1).tolist()
