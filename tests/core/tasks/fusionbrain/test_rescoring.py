"""Tests of later hidden scores: the result equals that of a new evaluation."""

from dataclasses import replace

import pytest

from jurydesk.core.competition.examples import example_folder, example_inputs, example_options
from jurydesk.core.desk import Desk
from jurydesk.core.desk.light_options import apply_light_options
from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.model.options import options_json
from jurydesk.core.tasks.fusionbrain.fusionbrain_task import TASK
from jurydesk.core.tasks.fusionbrain.integral_score import HIDDEN

FOLDER = example_folder(TASK)
BEFORE = replace(example_options(TASK, FOLDER), weights=())
AFTER = replace(BEFORE, hidden=(*(f"{name}=0.5" for name in HIDDEN), "torn:hidden2=1"))


def score(options):
    return score_submissions(
        TASK, files_by_role(example_inputs(TASK, FOLDER)), options, Run(), resamples=20
    ).evaluations


@pytest.fixture(scope="module")
def first():
    return score(BEFORE)


@pytest.fixture
def desk(first, tmp_path):
    with Desk.create(tmp_path / "six.jurydesk") as desk:
        desk.set_competition(TASK.id, "Six", options_json(BEFORE))
        for evaluation in first:
            desk.add(evaluation)
        yield desk


def comparable(evaluation):
    stamp = {**evaluation.stamp, "created": ""}
    return repr(evaluation.scores), {str(one) for one in evaluation.defects}, repr(stamp)


def test_rescoring_equals_a_new_evaluation(desk):
    assert apply_light_options(desk, TASK, AFTER)
    again = {one.system: one for one in score(AFTER)}
    for summary in desk.evaluations():
        found = desk.load(summary.id, TASK.readers.load_evidence)
        assert comparable(found) == comparable(again[summary.system])
        assert found.items.ids == again[summary.system].items.ids


def test_results_of_other_options_are_kept(desk):
    before = [summary.scores for summary in desk.evaluations()]
    other = replace(AFTER, subtask="vqa")
    assert not apply_light_options(desk, TASK, other)
    assert not apply_light_options(desk, TASK, BEFORE)
    assert repr([summary.scores for summary in desk.evaluations()]) == repr(before)


def test_both_profiles_are_updated(desk, first):
    desk.add(score(replace(BEFORE, profile="corrected", subtask=""))[0])
    assert apply_light_options(desk, TASK, AFTER)
    assert {summary.profile for summary in desk.evaluations()} == {"published", "corrected"}
    assert all(
        desk.load(summary.id).stamp["options"]["hidden"] == list(AFTER.hidden)
        for summary in desk.evaluations()
    )
