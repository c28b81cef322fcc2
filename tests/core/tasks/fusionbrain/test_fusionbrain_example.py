"""Tests of the example competition: its files and the scores of its systems."""

from dataclasses import replace
from pathlib import Path

import pytest

from jurydesk.core.competition.examples import example_inputs, example_options
from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.tasks.fusionbrain.fusionbrain_explanation import submission_texts
from jurydesk.core.tasks.fusionbrain.fusionbrain_task import TASK
from jurydesk.core.tasks.fusionbrain.integral_score import SUBTASKS
from support.examples import folder_of, value
from support.tiny_models import torch_or_skip


@pytest.fixture(scope="module")
def folder():
    return folder_of(TASK)


@pytest.fixture(scope="module")
def result(folder):
    inputs, options = example_inputs(TASK, folder), example_options(TASK, folder)
    return score_submissions(TASK, files_by_role(inputs), replace(options, weights=()), Run())


def test_the_options_of_the_example_contain_its_own_words(folder):
    options = example_options(TASK, folder)
    assert Path(options.ruwordnet) == folder / "ruwordnet.db"
    assert options.hidden_scores("any") == {"hidden1": 0.52, "hidden2": 0.41, "hidden3": 0.35}


def test_models_with_random_weights_give_six_scores_and_a_warning(folder):
    torch_or_skip()
    inputs, options = example_inputs(TASK, folder), example_options(TASK, folder)
    careful = {**inputs, "predictions": [folder / "careful.json"]}
    (entry,) = score_submissions(
        TASK, files_by_role(careful), options, Run(device="cpu"), resamples=0
    ).entries
    values = {one.metric: entry.evaluation.score(one.metric).value for one in SUBTASKS}
    assert all(value == value for value in values.values())
    warnings = [str(one) for one in entry.defects if "random weights" in one.found]
    assert warnings == [
        "warning  careful.json: Models with random weights: ruclip, inception.\n"
        "       Image scores are meaningless. Choose trained models."
    ]


def test_the_careful_system_answers_every_question(result):
    for metric in ("textqa_f1", "mathqa_em", "vqa_meteor", "text_recognition_ned"):
        assert value(result, "careful", metric) == 1


def test_the_other_systems_show_typical_defects(result):
    said = {defect.found for entry in result.entries for defect in entry.defects}
    assert "The content is null." in said
    assert "The list is empty." in said
    assert "CLIP: The prediction has no second element." in said
    assert value(result, "torn", "textqa_f1") == 0
    hasty = next(one for one in result.evaluations if one.system == "hasty").items
    assert hasty.columns["by_letter"][:4].tolist() == [1, 0, 1, 1]
    assert hasty.columns["reused"][3] == 1


def test_rules_explain_the_scores(result):
    hasty = next(one for one in result.evaluations if one.system == "hasty").items
    shown = {name: hasty.show(number) for number, name in enumerate(hasty.ids)}
    assert shown["textqa/0"].rules == (
        "The answer scored at most 0.5; its first letter of a to e, “c”, was scored instead.",
    )
    assert shown["vqa/16"].rules == (
        "The accepted answer is the number 1: the score is its ratio to 2, at most 1.",
    )
    assert shown["text_recognition/22"].rules == (
        "1 − 1 / 6: edits divided by the characters of the longer text.",
    )
    (match,) = shown["vqa/18"].alignment.matches
    assert shown["vqa/18"].alignment.modules[match.module] == "synonym"


def test_the_counts_of_meteor_are_columns_of_the_items(result):
    items = next(one for one in result.evaluations if one.system == "careful").items
    row = items.ids.index("vqa/19")  # the answer and the accepted one are the same word
    names = ("matches", "chunks", "predicted_words", "accepted_words")
    assert [items.columns[name][row] for name in names] == [1, 1, 1, 1]


def test_recognised_texts_have_no_references_for_the_check_of_plausibility(folder):
    inputs, options = example_inputs(TASK, folder), example_options(TASK, folder)
    competition = TASK.readers.read_references(inputs, options, Run()).data
    predictions = TASK.readers.read_submission(
        folder / "careful.json", competition, options, Run()
    ).data
    texts = {one.item: one for one in submission_texts(competition, predictions)}
    assert texts["text_recognition/22"].references == ()
    assert texts["vqa/19"].references == ("ночь",)
