"""Tests of malformed records that the published program scores.

The expected numbers follow from the organisers' evaluation code (ai-forever/fbc2_aij2022): it
compares the type of a prediction's elements, never looks at the type of the truth, and goes
through texts letter by letter in text recognition and VQA.
"""

import json
import math
import shutil
import sqlite3
from contextlib import closing

import pytest

from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.model.evaluation import ResourceMissing
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.tasks.fusionbrain.fusionbrain_options import FusionBrainOptions
from jurydesk.core.tasks.fusionbrain.fusionbrain_task import TASK
from support.oracles import oracle

WORDNET = oracle("fusionbrain/shared_toy_ruwordnet.db")
METRIC = {
    "textqa": "textqa_f1",
    "mathqa": "mathqa_em",
    "text_recognition": "text_recognition_ned",
    "vqa": "vqa_meteor",
    "captioning": "captioning_meteor",
}
OF_TEXTS = sorted(METRIC)


@pytest.fixture
def scored(tmp_path):
    """Return the score of a sub-task and the texts of the defects; None if nothing was scored."""

    def run(subtask, truth, said, profile="published"):
        inputs = {}
        for role, content in {"truth": truth, "predictions": said}.items():
            inputs[role] = (tmp_path / f"{role}.json",)
            inputs[role][0].write_text(json.dumps(content), encoding="utf-8")
        options = FusionBrainOptions(profile, subtask, ruwordnet=str(WORDNET))
        result = score_submissions(TASK, files_by_role(inputs), options, Run(), resamples=0)
        entry = result.entries[0] if result.entries else None
        reported = [str(one) for one in result.defects]
        value = None
        if entry is not None and entry.evaluation is not None:
            value = entry.evaluation.score(METRIC[subtask]).value
        return value, [one for one in reported if not one.startswith("note")]

    return run


def text(content):
    return {"type": "text", "content": content}


TRUTH = {"a": [text(["кот дом мама рама"])]}
SAID = {"a": [text("кот дом мама рама")]}


@pytest.mark.parametrize("kind", [None, 5, ["text"], {}])
@pytest.mark.parametrize("subtask", OF_TEXTS)
def test_an_element_of_unknown_type_is_skipped(scored, subtask, kind):
    sound, _ = scored(subtask, TRUTH, SAID)
    value, reported = scored(subtask, TRUTH, {"a": [{"type": kind, "content": "кит"}, *SAID["a"]]})
    assert value == sound > 0
    (reported,) = reported
    assert reported.startswith('warning  predictions.json, ["a"][0].type: The type is ')
    assert reported.endswith("It does not affect the score.")


@pytest.mark.parametrize("first", [{"content": "кот"}, {"type": None, "content": ["кот"]}])
@pytest.mark.parametrize("subtask", OF_TEXTS)
def test_the_type_of_the_truth_is_not_checked(scored, subtask, first):
    sound, _ = scored(subtask, TRUTH, SAID)
    value, reported = scored(subtask, {"a": [{**first, "content": TRUTH["a"][0]["content"]}]}, SAID)
    assert value == sound > 0
    (reported,) = reported
    assert reported.startswith('warning  truth.json, ["a"][0].type: The type is ')


@pytest.mark.parametrize("subtask", ["text_recognition", "vqa"])
def test_a_list_of_characters_is_the_text_that_they_form(scored, subtask):
    expected = {"text_recognition": 1 - 1 / 3, "vqa": 0.0}[subtask]
    value, reported = scored(subtask, {"a": [text(["кит"])]}, {"a": [text(["к", "о", "т"])]})
    assert value == pytest.approx(expected, abs=1e-12)
    assert reported == [
        'warning  predictions.json, ["a"][0].content: The content is a list of characters.\n'
        "       Their concatenation is scored."
    ]
    value, reported = scored(subtask, {"a": [text([["к", "и", "т"]])]}, {"a": [text("кит")]})
    assert value == 1.0
    assert reported == [
        'warning  truth.json, ["a"][0].content[0]: The accepted answer is a list of characters.\n'
        "       Their concatenation is scored."
    ]


@pytest.mark.parametrize("subtask", ["text_recognition", "vqa"])
@pytest.mark.parametrize(
    ("content", "kind"), [(["кот"], "text"), (["к", None], "text and null"), ([["к"]], "a list")]
)
def test_a_list_of_anything_else_is_an_error(scored, subtask, content, kind):
    value, reported = scored(subtask, {"a": [text(["кит"])]}, {"a": [text(content)]})
    assert value is None
    assert reported[0].startswith(
        f'error  predictions.json, ["a"][0].content: The content is a list of {kind}.\n'
    )


@pytest.mark.parametrize(("void", "what"), [("", 'the text ""'), ({}, "an object")])
def test_empty_values_are_treated_like_an_empty_list(scored, void, what):
    truth = {"a": [text(["кот"])], "b": [text(["кот"])]}
    said = {"a": [text("кот")], "b": void}
    again = 'The published program scores the prediction of key "a" again.'
    for subtask, expected, outcome in [
        ("textqa", 1.0, again),
        ("text_recognition", 1.0, again),
        ("vqa", 0.5, "It scores 0."),
        ("captioning", 0.25, "It scores 0."),  # one word alone is half a caption
    ]:
        value, reported = scored(subtask, truth, said)
        assert value == expected
        assert reported == [
            f'warning  predictions.json, ["b"]: The value is {what}.\n       {outcome}'
        ]
    value, reported = scored("vqa", truth, said, "corrected")
    assert value == 1.0
    assert reported[0].endswith("It is left out of the mean.")


def test_an_empty_first_prediction_stops_the_questions(scored):
    value, _ = scored("textqa", {"a": [text(["кот"])]}, {"a": {}})
    assert value == 0.0
    assert scored("text_recognition", {"a": [text(["кот"])]}, {"a": ""})[0] is None


@pytest.mark.parametrize("named", [False, True])
def test_a_ruwordnet_that_cannot_be_read_leaves_the_others_scored_unless_named(
    tmp_path, monkeypatch, named
):
    monkeypatch.setenv("JURYDESK_HOME", str(tmp_path))
    damaged = tmp_path / "weights" / "ruwordnet" / "ruwordnet.db"
    damaged.parent.mkdir(parents=True)
    shutil.copyfile(WORDNET, damaged)
    with closing(sqlite3.connect(damaged)) as database, database:
        database.execute("UPDATE synset SET title = CAST(x'ff41' AS TEXT)")  # not UTF-8
    inputs = {}
    for role, content in {
        "truth": {key: [text(["животное"])] for key in "ab"},
        "predictions": {key: [text("кошка")] for key in "ab"},
        "task-ids": {"a": 4, "b": 5},
    }.items():
        inputs[role] = (tmp_path / f"{role}.json",)
        inputs[role][0].write_text(json.dumps(content), encoding="utf-8")
    if named:
        options = FusionBrainOptions(ruwordnet=str(damaged))
        with pytest.raises(ResourceMissing, match="cannot be read"):
            score_submissions(TASK, files_by_role(inputs), options, Run(), resamples=0)
        return
    result = score_submissions(
        TASK, files_by_role(inputs), FusionBrainOptions(), Run(), resamples=0
    )
    evaluation = result.entries[0].evaluation
    assert math.isnan(evaluation.score("vqa_meteor").value)
    assert evaluation.score("text_recognition_ned").value == pytest.approx(1 / 8)
    (reported,) = (one.found for one in evaluation.defects if "RuWordNet" in one.found)
    assert reported.startswith(f"Not computed: RuWordNet: {damaged} cannot be read")
