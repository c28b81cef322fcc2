"""Whole files of answers against the published evaluation."""

import json

import pytest
from golden import golden

from core.run.run import Run
from core.tasks.visdial.evidence import DialogEvidence
from core.tasks.visdial.task import TASK

# The record of the second case split "U.S. flag" into sentences, which the published program,
# with its trained splitter, does not.
CASES = ("single_gen_full_refs", "multi_gen_human_refs_offset10")
MEASURES = ("cider_1", "cider_2", "cider_3", "cider_4", "meteor", "fasttext_l2", "fasttext_cs")
TOLERANCE = {"cider": 1e-9, "meteor": 1e-9, "fasttext": 1e-5}


def scored(tmp_path, generations, references, **options):
    paths = {}
    for name, data in (("generations", generations), ("references", references)):
        paths[name] = tmp_path / f"{name}.json"
        paths[name].write_text(json.dumps(data), encoding="utf-8")
    chosen, run = TASK.options(**options), Run()
    known = TASK.read_references({"references": [paths["references"]]}, chosen, run)
    given = TASK.read_submission(paths["generations"], known.data, chosen, run)
    return TASK.evaluate(known.data, given.data, chosen, run)


@pytest.mark.parametrize("name", CASES)
def test_means_and_deviations_equal_the_published_evaluation(tmp_path, name):
    path = golden("visdial/shared_evaluate.json")
    cases = json.loads(path.read_text(encoding="utf-8"))["cases"]
    case = next(case for case in cases if case["name"] == name)
    model = str(golden("visdial/toy300.bin"))
    evaluation = scored(tmp_path, case["generations"], case["references"], fasttext=model)
    for measure in MEASURES:
        expected = case["aggregate"][measure]
        close = TOLERANCE[measure.split("_")[0]]
        assert evaluation.score(measure).value == pytest.approx(expected["mean"], abs=close)
        assert evaluation.score(f"{measure}_std").value == pytest.approx(expected["std"], abs=close)
    assert evaluation.score("empty").value == case["empty"]


REFERENCES = [
    {"image_id": 1, "round_id": 0, "refs": ["a red kite", "a kite"], "question": "what is it?"},
    {"image_id": 1, "round_id": 1, "refs": ["no"], "gt_answer": "no"},
]


def generations(first, second):
    return [
        {"image_id": 1, "round_id": 0, "generations": first},
        {"image_id": 1, "round_id": 1, "generations": second},
    ]


def test_question_with_only_empty_answers_is_left_out_and_told(tmp_path):
    evaluation = scored(tmp_path, generations(["a kite"], ["", " "]), REFERENCES)
    assert evaluation.score("cider_1").n == 1
    assert evaluation.score("empty").value == 2
    assert evaluation.defects[0].found == "Only empty answers: 1 question (1-1)."


def test_measure_without_its_model_is_undefined(tmp_path):
    evaluation = scored(tmp_path, generations(["a kite"], ["no"]), REFERENCES)
    assert str(evaluation.score("bert_cs").value) == "nan"


def test_model_that_cannot_be_read_is_told_and_the_rest_is_scored(tmp_path):
    nowhere = str(tmp_path / "absent.bin")
    evaluation = scored(tmp_path, generations(["a kite"], ["no"]), REFERENCES, fasttext=nowhere)
    assert evaluation.defects[0].found.startswith(f"Not computed: fastText model {nowhere}")
    assert evaluation.score("cider_1").value > 0


def test_evidence_comes_back_from_json(tmp_path):
    evaluation = scored(tmp_path, generations(["a kite", ""], ["no"]), REFERENCES)
    shown = evaluation.items.show(0)
    again = DialogEvidence.from_json(json.loads(json.dumps(shown.to_json())))
    assert (again.question, again.references) == ("what is it?", ("a red kite", "a kite"))
    assert again.answers[0].measures["meteor"][1] == pytest.approx(1.0)
    assert again.answers[1].measures == {}


def test_corrected_profile_leaves_the_text_alone(tmp_path):
    texts = generations(["they aren't"], ["no"])
    published = scored(tmp_path, texts, REFERENCES).items.show(0).answers[0]
    corrected = scored(tmp_path, texts, REFERENCES, profile="corrected").items.show(0).answers[0]
    assert (published.compared, corrected.compared) == ("they are n't", "they aren't")
