"""Tests of the visual-dialogue evaluator against the published evaluation."""

import json

import numpy as np
import pytest

from jurydesk.core.desk import Desk
from jurydesk.core.execution.run import Run
from jurydesk.core.model.evaluation import Evaluation, ResourceMissing
from jurydesk.core.tasks.visdial.visdial_evaluator import _mean
from jurydesk.core.tasks.visdial.visdial_task import TASK
from support.oracles import golden, oracle

# The record of the second case split "U.S. flag" into sentences, which the published program,
# with its trained splitter, does not.
CASES = ("single_gen_full_refs", "multi_gen_human_refs_offset10")
MEASURES = ("cider_1", "cider_2", "cider_3", "cider_4", "meteor", "fasttext_l2", "fasttext_cs")
TOLERANCE = {"cider": 1e-9, "meteor": 1e-9, "fasttext": 1e-5}


def score(tmp_path, generations, references, **options):
    paths = {}
    for name, data in (("generations", generations), ("references", references)):
        paths[name] = tmp_path / f"{name}.json"
        paths[name].write_text(json.dumps(data), encoding="utf-8")
    chosen, run = TASK.scoring.options(**options), Run()
    known = TASK.readers.read_references({"references": [paths["references"]]}, chosen, run)
    given = TASK.readers.read_submission(paths["generations"], known.data, chosen, run)
    return TASK.scoring.evaluate(known.data, given.data, chosen, run)


@pytest.mark.parametrize("name", CASES)
def test_means_and_deviations_equal_the_published_evaluation(tmp_path, name):
    path = golden("visdial/shared_evaluate.json")
    cases = json.loads(path.read_text(encoding="utf-8"))["cases"]
    case = next(case for case in cases if case["name"] == name)
    model = str(oracle("visdial/toy300.bin"))
    evaluation = score(tmp_path, case["generations"], case["references"], fasttext=model)
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


def test_a_question_with_only_empty_answers_is_left_out_and_reported(tmp_path):
    evaluation = score(tmp_path, generations(["a kite"], ["", " "]), REFERENCES)
    assert evaluation.score("cider_1").n == 1
    assert evaluation.score("empty").value == 2
    assert evaluation.defects[0].found == "Only empty answers: 1 question (1-1)."


def test_a_measure_without_its_model_is_undefined(tmp_path):
    evaluation = score(tmp_path, generations(["a kite"], ["no"]), REFERENCES)
    assert str(evaluation.score("bert_cs").value) == "nan"


def test_a_named_model_that_cannot_be_read_is_an_error(tmp_path):
    broken = tmp_path / "broken.bin"
    broken.write_bytes(b"no model" * 20)
    with pytest.raises(ResourceMissing) as refusal:
        score(tmp_path, generations(["a kite"], ["no"]), REFERENCES, fasttext=str(broken))
    assert str(refusal.value) == f"fastText model {broken}: it is not a fastText word model."


def test_an_installed_model_that_cannot_be_read_is_reported_and_the_rest_is_scored(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("JURYDESK_HOME", str(tmp_path))
    broken = tmp_path / "weights" / "fasttext" / "cc.en.300.bin"
    broken.parent.mkdir(parents=True)
    broken.write_bytes(b"no model" * 20)
    evaluation = score(tmp_path, generations(["a kite"], ["no"]), REFERENCES)
    assert evaluation.defects[0].found == (
        f"Not computed: fastText model {broken}: it is not a fastText word model."
    )
    assert evaluation.score("cider_1").value > 0


def test_evidence_has_the_measures_of_every_answer(tmp_path):
    evaluation = score(tmp_path, generations(["a kite", ""], ["no"]), REFERENCES)
    shown = evaluation.items.show(0)
    assert (shown.question, shown.references) == ("what is it?", ("a red kite", "a kite"))
    assert shown.answers[0].measures["meteor"][1] == pytest.approx(1.0)
    assert [one.measures for one in shown.answers[1:]] == [{}]


def test_a_desk_keeps_the_evidence_of_every_question(tmp_path):
    told = {"in_cluster_idxs": [1, 0], "correlations": [1.0, -0.25], "threshold": 0.5}
    references = [REFERENCES[0], REFERENCES[1] | told]
    items = score(tmp_path, generations(["", "a kite", "red"], ["no"]), references).items
    with Desk.create(tmp_path / "desk.jurydesk") as desk:
        evaluation = Evaluation("visdial", "x", "published", (), items)
        kept = desk.load(desk.add(evaluation), TASK.readers.load_evidence).items
        assert [kept.show(item) for item in range(2)] == [items.show(item) for item in range(2)]
    first, second = items.show(0), items.show(1)
    assert [len(one.measures.get("meteor", ())) for one in first.answers] == [0, 2, 2]
    assert (first.chosen, first.correlations, first.threshold) == (None, None, None)
    assert (second.chosen, second.correlations, second.threshold) == ((1, 0), (1.0, -0.25), 0.5)
    assert first.frequencies == {"a": 1, "kite": 1, "red": 1}


def test_the_corrected_profile_does_not_change_the_text(tmp_path):
    texts = generations(["they aren't"], ["no"])
    published = score(tmp_path, texts, REFERENCES).items.show(0).answers[0]
    corrected = score(tmp_path, texts, REFERENCES, profile="corrected").items.show(0).answers[0]
    assert (published.compared, corrected.compared) == ("they are n't", "they aren't")


def test_saved_frequencies_give_a_part_of_the_file_the_scores_of_the_whole(tmp_path):
    saved = tmp_path / "frequencies.json"
    answers = generations(["a kite", "a red kite"], ["no"])
    whole = score(tmp_path, answers, REFERENCES, save_frequencies=str(saved))
    part = score(tmp_path, answers, REFERENCES[:1], frequencies=str(saved))
    alone = score(tmp_path, answers, REFERENCES[:1])
    assert part.items.columns["cider_1"][0] == whole.items.columns["cider_1"][0] > 0
    assert alone.items.columns["cider_1"][0] == 0


def test_frequencies_that_cannot_be_saved_are_reported(tmp_path):
    nowhere = str(tmp_path / "absent" / "frequencies.json")
    evaluation = score(
        tmp_path, generations(["a kite"], ["no"]), REFERENCES, save_frequencies=nowhere
    )
    assert evaluation.defects[0].found == (
        "The document frequencies were not saved: No such file or directory."
    )


def test_curves_grow_with_the_number_of_answers(tmp_path):
    evaluation = score(
        tmp_path, generations(["a red kite", "a kite", "no"], ["no", ""]), REFERENCES
    )
    curve = next(figure for figure in evaluation.figures if figure.name == "meteor_by_answers")
    assert curve.x.tolist() == [1, 2, 3]
    of_answers = evaluation.items.columns["meteor"]
    assert curve.members[:, -1].tolist() == pytest.approx(of_answers.tolist())
    assert curve.high.tolist() == pytest.approx([1, 1, 1])
    assert curve.low[2] == pytest.approx(0.5)


def test_a_single_answer_to_every_question_has_no_curve(tmp_path):
    assert score(tmp_path, generations(["a kite"], ["no"]), REFERENCES).figures == ()


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        (["a kite"], ""),
        (["maybe"], "CIDEr is 0: the answer and this reference have no word in common."),
        (["no"], "CIDEr is 0: of the words in common, \u201cno\u201d occurs in each of the 2 "
         "reference sets. A word weighs ln(2 / sets with it)."),
        ([""], ""),
    ],
)  # fmt: skip
def test_a_cider_of_0_is_explained(tmp_path, answers, sentence):
    references = [
        {"image_id": 1, "round_id": 0, "refs": ["no kite"]},
        {"image_id": 1, "round_id": 1, "refs": ["no"]},
    ]
    shown = score(tmp_path, generations(answers, ["no"]), references).items.show(0)
    assert shown.explanation(0, 0) == sentence
    assert shown.sets == 2


def test_evidence_states_which_candidates_the_references_are(tmp_path):
    reported = {
        "in_cluster_idxs": [0, 1, 0, 1],
        "correlations": [0.1, 0.9, -0.2, 1.0],
        "threshold": 0.8,
    }
    references = [REFERENCES[0] | reported, REFERENCES[1]]
    items = score(tmp_path, generations(["a kite"], ["no"]), references).items
    first = items.show(0)
    assert (first.members(), first.threshold) == ((1, 3), 0.8)
    assert [first.correlation(i) for i in range(2)] == [0.9, 1.0]
    assert items.show(1).members() == (None,)
    assert str(items.show(1).correlation(0)) == "nan"


def test_evidence_aligns_an_answer_with_a_reference(tmp_path):
    shown = score(tmp_path, generations(["a kite"], ["no"]), REFERENCES).items.show(0)
    assert shown.align(0, 1).score == pytest.approx(shown.answers[0].measures["meteor"][1])


@pytest.mark.parametrize(
    ("answer", "reference", "meteor"),
    [  # the original writes `SCORE ||| reference ||| answer`, each white space as one blank
        ("a red kite", "no idea ||| a red kite", 1),
        ("a red ||| kite", "a\u00a0red\u2003kite", 1),
        ("a red kite", "|||", 0),
        ("|||", "a red kite", 0),
    ],
)
def test_meteor_reads_its_texts_on_a_line_with_separators_between_references(
    tmp_path, answer, reference, meteor
):
    references = [{"image_id": 1, "round_id": 0, "refs": [reference]}, REFERENCES[1]]
    shown = score(tmp_path, generations([answer], ["no"]), references).items.show(0)
    assert shown.answers[0].measures["meteor"] == pytest.approx([meteor], abs=1e-9)
    assert shown.align(0, 0).score == pytest.approx(meteor, abs=1e-9)


def test_bert_is_used_from_its_folder(tmp_path):
    pytest.importorskip("transformers", reason="the extra `neural` is not installed")
    answers = generations(["a red kite"], ["no"])
    folder = str(oracle("visdial/toy_bert"))
    evaluation = score(tmp_path, answers, REFERENCES, weights=(f"bert={folder}",))
    assert evaluation.defects == ()
    assert evaluation.items.columns["bert_cs"][1] == pytest.approx(1)
    assert 0 < evaluation.score("bert_l2").value < 100


def test_a_named_bert_that_is_broken_is_an_error(tmp_path):
    pytest.importorskip("transformers", reason="the extra `neural` is not installed")
    folder = tmp_path / "bert"
    folder.mkdir()
    for path in oracle("visdial/toy_bert").iterdir():
        kept = path.read_bytes()
        (folder / path.name).write_bytes(kept[:50] if path.suffix == ".index" else kept)
    with pytest.raises(ResourceMissing) as refusal:
        score(tmp_path, generations(["no"], ["no"]), REFERENCES, bert=str(folder))
    assert str(refusal.value) == (
        f"BERT: {folder / 'bert_model.ckpt'}: the index is not a checkpoint index."
    )


def test_the_figure_averages_every_question_that_has_an_answer():
    table = np.array([[1.0, np.nan], [3.0, 5.0], [np.nan, np.nan]])
    assert _mean(table)[0] == 2.0
