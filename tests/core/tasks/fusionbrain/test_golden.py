"""Tests of the text sub-tasks against recorded results of the organisers' program."""

import json

import pytest

from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.metrics.russian_meteor.caption_words import answer_form
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.tasks.fusionbrain.fusionbrain_options import FusionBrainOptions
from jurydesk.core.tasks.fusionbrain.fusionbrain_task import TASK
from support.oracles import oracle

METRICS = {
    "textqa": "textqa_f1",
    "mathqa": "mathqa_em",
    "text_recognition": "text_recognition_ned",
    "vqa": "vqa_meteor",
    "captioning": "captioning_meteor",
}
WORDNET = oracle("fusionbrain/shared_toy_ruwordnet.db")


def all_cases():
    for subtask in METRICS:
        path = oracle(f"fusionbrain/shared_{subtask}.json")
        for case in json.loads(path.read_text(encoding="utf-8"))["cases"]:
            yield pytest.param(subtask, case, id=f"{subtask}-{case['name']}")


CASES = list(all_cases())


def score(subtask, examples, predictions, folder, profile="published"):
    files = {"truth": examples, "predictions": predictions}
    for name, content in files.items():
        (folder / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
    inputs = {name: (folder / f"{name}.json",) for name in files}
    options = FusionBrainOptions(profile, subtask, ruwordnet=str(WORDNET))
    result = score_submissions(TASK, files_by_role(inputs), options, Run(), resamples=0)
    return result.entries[0] if result.entries else None


@pytest.mark.parametrize(("subtask", "case"), CASES)
def test_score_equals_the_organisers_program(subtask, case, tmp_path):
    entry = score(subtask, case["examples"], case["preds"], tmp_path)
    expected = case["expected"].get("cli_evaluate", case["expected"]["inner"])
    # The programs of captioning and VQA were recorded without the preceding check of keys.
    missing_keys = set(case["examples"]) != set(case["preds"])
    if "error" in expected or missing_keys:
        assert entry.evaluation is None
    else:
        value = entry.evaluation.score(METRICS[subtask]).value
        assert value == pytest.approx(expected["score"], abs=1e-12)


def of_keys(subtask, case):
    per_key = case["expected"].get("per_key", {})
    keys_differ = set(case["examples"]) != set(case["preds"])
    return per_key and not keys_differ and not any("error" in one for one in per_key.values())


@pytest.mark.parametrize(("subtask", "case"), [c for c in CASES if of_keys(*c.values)])
def test_every_key_equals_the_organisers_program(subtask, case, tmp_path):
    items = score(subtask, case["examples"], case["preds"], tmp_path).evaluation.items
    for key, expected in case["expected"]["per_key"].items():
        found = items.columns[METRICS[subtask]][items.ids.index(f"{subtask}/{key}")]
        assert found == pytest.approx(expected["score"], abs=1e-12), key


def of_forms(subtask, case):
    return set(case["examples"]) == set(case["preds"]) and case["expected"].get("normalized")


@pytest.mark.parametrize(("subtask", "case"), [c for c in CASES if of_forms(*c.values)])
def test_forms_equal_those_that_the_organisers_program_compares(subtask, case, tmp_path):
    items = score(subtask, case["examples"], case["preds"], tmp_path).evaluation.items
    for number, name in enumerate(items.ids):
        forms = dict(case["expected"]["normalized"].get(name.partition("/")[2], ()))
        for answer in items.show(number).accepted:
            assert answer.form == forms.get(answer.text, answer.form)


def of_tokens(subtask, case):
    return case["expected"].get("trace")


@pytest.mark.parametrize(("subtask", "case"), [c for c in CASES if of_tokens(*c.values)])
def test_captions_have_the_tokens_and_scores_of_the_organisers_program(subtask, case, tmp_path):
    items = score(subtask, case["examples"], case["preds"], tmp_path).evaluation.items
    for number, name in enumerate(items.ids):
        shown = items.show(number)
        trace = case["expected"]["trace"].get(name.partition("/")[2], ())
        for accepted, recorded in zip(shown.accepted, trace, strict=True):
            assert accepted.form.split() == recorded["ref_tokens"]
            assert shown.form.split() == recorded["hyp_tokens"]
            assert accepted.score == pytest.approx(recorded["meteor"], abs=1e-12)
        assert shown.to_json() == type(shown).from_json(shown.to_json()).to_json()


def lemmas_of_vqa():
    cases = json.loads(oracle("fusionbrain/shared_vqa.json").read_text(encoding="utf-8"))["cases"]
    for case in cases:
        for pairs in case["expected"].get("lemmas", {}).values():
            yield from map(tuple, pairs)


def test_answers_have_the_lemmas_of_the_organisers_program():
    recorded = dict(lemmas_of_vqa())
    assert len(recorded) > 150
    assert {text: answer_form(text) for text in recorded} == recorded


@pytest.mark.parametrize(
    ("accepted", "predicted", "vqa", "captioning"),
    [
        ("5", "5–6", 0.0, 0.0),
        ("5", "5—6", 0.0, 0.0),
        ("2–3", "2", 0.0, 0.0),
        ("2–3", "2–3", 1.0, 0.5),
        ("красно–белый", "красно–белый мяч", 0.9090909090909091, 0.45454545454545453),
        ("кошка", "кошка — собака", 0.8333333333333334, 0.4166666666666667),
        ("кошка", "кошка-собака", 0.0, 0.0),
    ],
)
def test_a_dash_glued_to_a_word_stays_in_it_as_in_nltk_3_7(
    accepted, predicted, vqa, captioning, tmp_path
):
    examples = {"1": [{"type": "text", "content": [accepted]}]}
    predictions = {"1": [{"type": "text", "content": predicted}]}
    for subtask, expected in (("vqa", vqa), ("captioning", captioning)):
        entry = score(subtask, examples, predictions, tmp_path)
        value = entry.evaluation.score(METRICS[subtask]).value
        assert value == pytest.approx(expected, abs=1e-12), subtask
