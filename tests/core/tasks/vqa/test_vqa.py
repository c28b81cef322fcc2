"""Visual question answering: the recorded numbers of four programs, formats, and defects."""

from __future__ import annotations

import gzip
import json
import math

import pytest

from jurydesk.core.analysis.explain_number import explain, parse_target
from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.metrics.question_answering import vqa_accuracy
from jurydesk.core.metrics.question_answering.relaxed_accuracy import is_right
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.tasks.vqa.vqa_options import VqaOptions
from jurydesk.core.tasks.vqa.vqa_task import TASK
from support.oracles import oracle

FOLDER = oracle("vqa_accuracy")
VQA = json.loads(gzip.decompress((FOLDER / "vqa.json.gz").read_bytes()))
ANLS = json.loads((FOLDER / "anls.json").read_text("utf-8"))
RELAXED = json.loads((FOLDER / "relaxed.json").read_text("utf-8"))
GQA = json.loads(gzip.decompress((FOLDER / "gqa.json.gz").read_bytes()))
ANLS_NAMES = {
    "answer_types": (
        "answer_type",
        {
            "Image-Span": "image span",
            "Question-Span": "question span",
            "Multi-Span": "multiple spans",
            "None span": "non span",
        },
    ),
    "evidence_types": (
        "evidence",
        {
            "Table/list": "table/list",
            "Text": "textual",
            "Visual/Layout": "photo/pciture/visual_objects",
            "Figure": "figure",
            "Map": "map",
        },
    ),
    "operation_types": (
        "reasoning",
        {"Sorting": "comparison", "Arithmetic": "arithmetic", "Counting": "counting"},
    ),
}


def score(folder, references, results, more=(), **options):
    inputs = {}
    for name, content in {"references": references, "results": results, **dict(more)}.items():
        path = folder / f"{name}.json"
        path.write_text(json.dumps(content))
        inputs[name] = [path]
    return score_submissions(TASK, files_by_role(inputs), VqaOptions(**options), Run(), resamples=0)


def errors(result):
    return [(one.place.json_path, one.found) for one in result.defects if one.severity == "error"]


def value(result, name):
    assert result.evaluations, [str(one) for one in result.defects]
    return result.evaluations[0].score(name).value


def case_files(case):
    """Return annotations, results and further files of a case; a subset is cut out of them."""
    references, results = case["annotations"], case["results"]
    if "question_ids" in case:
        kept = set(case["question_ids"])
        chosen = [one for one in references["annotations"] if one["question_id"] in kept]
        references = {**references, "annotations": chosen}
        results = [one for one in results if one["question_id"] in kept]
    is_choice = case["questions"].get("task_type") == "Multiple Choice"
    return references, results, {"questions": case["questions"]} if is_choice else {}


def test_every_processed_text_equals_the_original():
    for text, punctuated, processed in VQA["strings"]:
        cleaned = vqa_accuracy.clean_answer(text)
        assert vqa_accuracy.process_punctuation(cleaned) == punctuated, text
        assert vqa_accuracy.process_words(punctuated) == processed, text


def test_ports_to_python_3_take_digits_of_all_scripts_and_change_only_such_texts():
    for text, punctuated, _ in VQA["strings"]:
        ported = vqa_accuracy.process_punctuation(vqa_accuracy.clean_answer(text), python3=True)
        assert ported == punctuated or any(one.isdigit() and not one.isascii() for one in text)
    assert vqa_accuracy.process("٣,٣ x-y", python3=True) == "٣٣ xy"
    assert vqa_accuracy.process("٣,٣ x-y") == "٣ ٣ x y"
    assert vqa_accuracy.process("İ", python3=True) == "i\u0307"
    assert vqa_accuracy.process("İ") == "i"


@pytest.mark.parametrize(
    "case",
    [one for one in VQA["cases"] if "error" not in one["original"]],
    ids=lambda case: case["name"],
)
def test_vqa_accuracy_equals_the_original_also_rounded(case, tmp_path):
    references, results, more = case_files(case)
    folder = tmp_path / "official"
    result = score(tmp_path, references, results, more, official=str(folder))
    exact, rounded = case["original"]["n12"], case["original"]["n2"]
    assert 100 * value(result, "overall") == pytest.approx(exact["accuracy"]["overall"], abs=1e-10)
    for kind, name in (("answer_type", "perAnswerType"), ("question_type", "perQuestionType")):
        for one, wanted in exact["accuracy"][name].items():
            assert 100 * value(result, f"{kind}/{one}") == pytest.approx(wanted, abs=1e-10)
    items = result.evaluations[0].items
    found = {key.removesuffix(".0"): row for row, key in enumerate(items.ids)}
    for key, wanted in exact["evalQA"].items():
        row = found.get(f"{key} (2)", found[key])
        assert 100 * items.columns["overall"][row] == pytest.approx(wanted, abs=1e-10)
    assert json.loads((folder / "accuracy.json").read_text()) == rounded["accuracy"]
    written = json.loads((folder / "evalQA.json").read_text())
    assert {key.removesuffix(".0"): one for key, one in written.items()} == rounded["evalQA"]


VQA_ERRORS = {
    "missing question": "1 question without an answer: 1014.",
    "unknown question": "1 answer to questions that are not in references.json: 1.",
    "string ids": '6 entries with another spelling of the question id: "1024"',
    "results an object": "The file holds an object.",
    "results empty": "The list is empty.",
    "answer missing": 'Question 1024: "answer" is missing.',
    "answer number": 'Question 1024: "answer" is the number 2.',
    "answer null": 'Question 1024: "answer" is null.',
    "answer list": 'Question 1024: "answer" is a list of text.',
    "question_id missing": '"question_id" is missing.',
    "no answers": "The list is empty.",
    "no answer_type": '"answer_type" is missing.',
    "no question_type": '"question_type" is missing.',
    "no image_id": '"image_id" is missing.',
    "ground truth answer a number": "The answer is the number 3.",
    "empty annotations": "The file has no question.",
    "multiple choice, other answer": "The answer to question 0 is none of its choices.",
}


@pytest.mark.parametrize(
    "case",
    [one for one in VQA["cases"] if "error" in one["original"]],
    ids=lambda case: case["name"],
)
def test_what_the_original_refuses_is_named_with_its_place(case, tmp_path):
    references, results, more = case_files(case)
    result = score(tmp_path, references, results, more)
    if case["name"] == "questions without task_type":  # the questions are not needed here
        assert result.evaluations
        return
    assert result.evaluations == ()
    assert any(found.startswith(VQA_ERRORS[case["name"]]) for _, found in errors(result))


@pytest.mark.parametrize("case", ANLS["cases"], ids=lambda case: case["name"])
def test_anls_equals_the_original_or_names_what_it_refuses(case, tmp_path):
    options = {"program": "anls", "threshold": case["threshold"]}
    result = score(tmp_path, case["ground_truth"], case["submission"], **options)
    original = case["original"]
    if case["name"] == "by type, a type without questions":  # it is left out here
        assert result.evaluations
        return
    if "error" in original or case["name"] == "empty":
        assert result.evaluations == ()
        assert errors(result)
        return
    assert value(result, "anls") == pytest.approx(original["score"], rel=1e-12)
    items = result.evaluations[0].items
    for key, one in zip(items.ids, items.columns["anls"], strict=True):
        assert one == pytest.approx(original["per_sample"][key], rel=1e-12)
    for kind, found in (original["by_type"] or {}).items():
        family, names = ANLS_NAMES[kind]
        for name, wanted in found.items():
            found_value = value(result, f"{family}/{names[name]}")
            assert found_value == pytest.approx(wanted, rel=1e-12)


def test_every_pair_of_relaxed_accuracy_is_judged_as_in_the_original():
    assert [pair for pair in RELAXED["pairs"] if is_right(pair[0], pair[1]) != pair[2]] == []


@pytest.mark.parametrize("file", RELAXED["files"])
def test_relaxed_accuracy_of_files_equals_the_original(file, tmp_path):
    chart = [{"imgname": "1.png", "query": "?", "label": one} for one in file["targets"]]
    results = [{"answer": one} for one in file["predictions"]]
    found = value(score(tmp_path, chart, results), "relaxed_accuracy")
    assert 100 * found == pytest.approx(file["relaxed_accuracy"], rel=1e-12)
    numbered = [{"id": n, "answer": one} for n, one in enumerate(file["predictions"])]
    assert value(score(tmp_path, chart, numbered[::-1]), "relaxed_accuracy") == found


@pytest.mark.parametrize("case", GQA["cases"], ids=lambda case: case["name"])
def test_gqa_equals_the_original(case, tmp_path):
    more = {"choices": case["choices"]} if case["choices"] else {}
    consistency = case["consistency"]
    result = score(tmp_path, case["questions"], case["predictions"], more, consistency=consistency)
    original = case["original"]
    if "error" in original:
        # Predictions of unbalanced questions are not needed here.
        allowed = case["name"].startswith("balanced predictions only")
        assert bool(result.evaluations) == allowed
        return
    scores = original["scores"]
    names = ["accuracy", "binary", "open"]
    names += ["validity", "plausibility"] if case["choices"] else []
    names += ["consistency"] if consistency else []
    for name in names:
        assert 100 * value(result, name) == pytest.approx(scores[name], rel=1e-12)
    assert value(result, "distribution") == pytest.approx(scores["distribution"], rel=1e-12)
    for family, kind in (
        ("structural", "accuracyPerStructuralType"),
        ("semantic", "accuracyPerSemanticType"),
        ("words", "accuracyPerLength"),
        ("steps", "accuracyPerSteps"),
    ):
        for name, (wanted, count) in scores[kind].items():
            found = result.evaluations[0].score(f"{family}/{name}")
            assert (100 * found.value, found.n) == (pytest.approx(wanted, rel=1e-12), count)


def annotations(*questions, **more):
    listed = [
        {
            "question_id": number,
            "image_id": 1,
            "question_type": "what",
            "answer_type": "other",
            "answers": [
                {"answer": text, "answer_id": place} for place, text in enumerate(answers, start=1)
            ],
        }
        for number, answers in enumerate(questions)
    ]
    return {"annotations": listed, **more}


def answers(*texts):
    return [{"question_id": number, "answer": text} for number, text in enumerate(texts)]


def test_what_unanimous_answers_cost_is_said_and_is_gone_in_the_corrected_profile(tmp_path):
    references = annotations(["yes"] * 10, ["a"] * 5 + ["b"] * 5)
    result = score(tmp_path, references, answers("Yes.", "b"))
    assert value(result, "overall") == 0.5
    said = (
        "Unanimous human answers are not processed: the accuracy is 0.5000, it would be 1.0000 "
        "(1 question)."
    )
    assert said in [one.found for one in result.defects]
    corrected = score(tmp_path, references, answers("Yes.", "b"), profile="corrected")
    assert value(corrected, "overall") == 1.0


def test_other_programs_process_always_or_never_or_compare_with_all_answers(tmp_path):
    references = annotations(["yes"] * 10, ["two"] * 3 + ["2"] * 3 + ["x"] * 4)
    given = answers("Yes", "two")
    assert value(score(tmp_path, references, given), "overall") == pytest.approx(0.5)
    always = score(tmp_path, references, given, processing="always")
    assert value(always, "overall") == pytest.approx(1.0)
    never = score(tmp_path, references, given, processing="never")
    assert value(never, "overall") == pytest.approx(0.45)  # (3 * 2/3 + 7) / 10 of the second
    at_once = score(tmp_path, references, given, processing="never", matches="all")
    assert value(at_once, "overall") == pytest.approx(0.5)


def test_equal_answers_without_ids_are_left_out_together_with_a_warning(tmp_path):
    references = annotations(["cat"] * 10)
    for one in references["annotations"][0]["answers"]:
        del one["answer_id"]
    result = score(tmp_path, references, answers("cat"))
    assert value(result, "overall") == 0
    assert "Answers of 1 question have no answer_id." in [one.found for one in result.defects]
    corrected = score(tmp_path, references, answers("cat"), profile="corrected")
    assert value(corrected, "overall") == 1


def test_text_vqa_s_answers_are_numbered_by_their_position(tmp_path):
    data = {"data": [{"question_id": 3, "question": "?", "answers": ["a1"] * 9 + ["b"]}]}
    result = score(tmp_path, data, [{"question_id": 3, "answer": "a1"}])
    assert value(result, "overall") == 1


def test_an_answer_given_twice_counts_last_and_is_an_error_of_the_corrected_profile(tmp_path):
    given = [*answers("x"), *answers("cat")]
    references = annotations(["cat"] * 10)
    result = score(tmp_path, references, given)
    assert value(result, "overall") == 1
    assert "Question 0 also has an answer at [0]." in [one.found for one in result.defects]
    assert errors(score(tmp_path, references, given, profile="corrected"))


def test_missing_answers_count_as_zero_if_the_option_says_so(tmp_path):
    references = annotations(["cat"] * 10, ["dog"] * 10)
    result = score(tmp_path, references, answers("cat"), missing="zero")
    assert value(result, "overall") == 0.5


def docvqa(*answers_of):
    data = [
        {"questionId": n, "question": "?", "answers": list(found)}
        for n, found in enumerate(answers_of)
    ]
    return {"dataset_name": "own", "data": data}


def test_white_space_that_raises_anls_is_noticed_and_corrected(tmp_path):
    given = [{"questionId": 0, "answer": "x" + " " * 50}]
    result = score(tmp_path, docvqa(["ab"]), given)
    assert value(result, "anls") == pytest.approx(0.96, abs=0.005)
    assert "White space raises the score of 1 answer." in [one.found for one in result.defects]
    assert value(score(tmp_path, docvqa(["ab"]), given, profile="corrected"), "anls") == 0


def test_the_corrected_anls_compares_composed_and_decomposed_letters_alike(tmp_path):
    given = [{"questionId": 0, "answer": "caf\u0065\u0301"}]
    assert value(score(tmp_path, docvqa(["café"]), given), "anls") < 1
    corrected = score(tmp_path, docvqa(["café"]), given, profile="corrected")
    assert value(corrected, "anls") == 1


def test_chartqa_in_one_file_is_both_references_and_results(tmp_path):
    both = [{"answer": "104", "annotation": "100"}, {"answer": "no", "annotation": "yes"}]
    assert value(score(tmp_path, both, both), "relaxed_accuracy") == 0.5


def test_no_group_gives_no_distribution(tmp_path):
    case = GQA["cases"][0]
    questions = {key: {**one, "groups": {"global": None}} for key, one in case["questions"].items()}
    assert math.isnan(value(score(tmp_path, questions, case["predictions"]), "distribution"))


def test_an_invalid_record_among_valid_ones_is_named_with_its_place(tmp_path):
    references = annotations(["cat"] * 10, ["dog"] * 10, ["bird"] * 10)
    references["annotations"][1]["answers"][3]["answer"] = None
    del references["annotations"][2]["image_id"]
    assert errors(score(tmp_path, references, answers("cat", "dog", "bird"))) == [
        ("annotations[1].answers[3]", "The answer is null."),
        ("annotations[2].image_id", '"image_id" is missing.'),
    ]


@pytest.mark.parametrize("program", ["vqa", "anls", "relaxed", "gqa", "auto"])
def test_a_record_in_place_of_a_file_is_named_whatever_the_program(program, tmp_path):
    record = annotations(["cat"] * 10)["annotations"][0]
    for content in (record, [record], {"x": record}, {"data": record}):
        assert errors(score(tmp_path, content, answers("cat"), program=program))


def test_records_of_any_shape_are_scored_alike(tmp_path):
    by_number = annotations(["cat"] * 6 + ["a cat"] * 4)
    by_text = annotations(["cat"] * 6 + ["a cat"] * 4)
    for place, one in enumerate(by_text["annotations"][0]["answers"]):
        one["answer_id"] = [place]  # no set holds lists: read by the general reader
    for references in (by_number, by_text):
        result = score(tmp_path, references, answers("The cat"))
        assert value(result, "overall") == 1
        assert result.evaluations[0].items.show(0).compared == ("cat",) * 10


def test_a_file_of_no_program_is_refused(tmp_path):
    for content in ([], {}, {"a": 1}, [1], "x"):
        assert errors(score(tmp_path, content, answers("x")))


def test_the_evidence_has_what_was_compared(tmp_path):
    references = annotations(["Two dogs."] * 4 + ["two dogs"] * 6)
    items = score(tmp_path, references, answers("a Two dogs")).evaluations[0].items
    evidence = items.show(0)
    assert (evidence.given, evidence.processed) == ("a Two dogs", "2 dogs")
    assert set(evidence.compared) == {"2 dogs"}
    assert evidence.values == (1.0,) * 10


def choices(*texts):
    listed = [{"question_id": n, "multiple_choices": list(one)} for n, one in enumerate(texts)]
    return {"questions": {"task_type": "Multiple Choice", "questions": listed}}


def test_an_answer_that_is_no_choice_is_named_with_the_nearest_and_not_called_missing(tmp_path):
    references = annotations(["cat"] * 10, ["dog"] * 10)
    more = choices(["cat", "dog"], ["dogs", "bird"])
    result = score(tmp_path, references, answers("cat", "dog"), more)
    (defect,) = [one for one in result.defects if one.severity == "error"]
    assert (defect.place.json_path, defect.found) == (
        "[1].answer",
        "The answer to question 1 is none of its choices.",
    )
    assert 'Is "dogs" meant?' in str(defect)


def test_the_kit_of_multiple_choice_knows_the_choices_and_no_answers(tmp_path):
    references = annotations(["cat"] * 10, ["dog"] * 10)
    inputs = {}
    for name, content in {"references": references, **choices(["cat"], ["dog", "bird"])}.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(content))
        inputs[name] = [tmp_path / f"{name}.json"]
    read = TASK.readers.read_references(inputs, VqaOptions(), Run()).data
    redaction = TASK.submission_checks.redaction
    facts = {one.name: one.value for one in redaction.facts(read)}
    assert facts["choices"] == [["cat"], ["dog", "bird"]]
    kept = redaction.reference(facts)
    assert [one.choices for one in kept.questions.values()] == [("cat",), ("dog", "bird")]
    assert {one.answers for one in kept.questions.values()} == {()}


def test_items_are_filtered_by_the_rule_that_changes_their_answer(tmp_path):
    split = ["cat"] * 5 + ["dog"] * 5
    references = annotations(["yes"] * 10, split, split, split, split, split)
    given = answers("Yes", "a cat", "the", "two", "cat!", "dog")
    items = score(tmp_path, references, given).evaluations[0].items
    rules = TASK.presentation.attributes(items)["rule"]()
    assert rules == ["unanimity", "articles", "empty", "number words", "punctuation", ""]


COSTS = {
    "unanimity, articles, case": ("the Umbrella", ["umbrella"] * 10),
    "unanimity, number words": ("two", ["2"] * 10),
    "punctuation": ("t-shirt", ["tshirt"] * 9 + ["shirt"]),  # compared as "t shirt"
    "": ("a cat", ["cat"] * 9 + ["the cats"]),
}


@pytest.mark.parametrize("rules", COSTS)
def test_the_rule_but_for_which_an_answer_would_count_more_is_named(rules, tmp_path):
    given, human = COSTS[rules]
    items = score(tmp_path, annotations(human), answers(given)).evaluations[0].items
    assert TASK.presentation.attributes(items)["right but for"]() == [rules]
    (*_, answer) = TASK.explain(items.show(0))
    assert ("It would count more if" in answer.note) == bool(rules)


def test_equal_records_that_are_left_out_together_are_named_as_well(tmp_path):
    references = annotations(["cat"] * 10)
    for one in references["annotations"][0]["answers"]:
        del one["answer_id"]
    items = score(tmp_path, references, answers("cat")).evaluations[0].items
    assert TASK.presentation.attributes(items)["right but for"]() == ["records"]


def test_the_anls_of_pix2struct_is_a_choice_that_why_tries(tmp_path):
    # Its theta is strict, and it keeps blanks: 1 of 2 letters, 1 of 6, nothing.
    references = docvqa(["ab"], ["a tree"], ["Tree"])
    texts = ("ax", "a  tree", "tree")
    given = [{"questionId": n, "answer": one} for n, one in enumerate(texts)]
    published = value(score(tmp_path, references, given), "anls")
    assert published == pytest.approx((0.5 + 1 + 1) / 3, rel=1e-12)
    theirs = value(score(tmp_path, references, given, anls="pix2struct"), "anls")
    assert theirs == pytest.approx((0 + 6 / 7 + 1) / 3, rel=1e-12)
    inputs = {
        "references": [tmp_path / "references.json"], "results": [tmp_path / "results.json"]
    }  # fmt: skip
    found = explain(TASK, inputs, VqaOptions(), "anls", parse_target("0.619"), Run())
    assert (found[0].changes, found[0].is_match) == ((("anls", "pix2struct"),), True)


def test_the_share_of_yes_stands_beside_that_of_people(tmp_path):
    references = annotations(["yes"] * 6 + ["no"] * 4, ["no"] * 10, ["cat"] * 10)
    for one in references["annotations"][:2]:
        one["answer_type"] = "yes/no"
    figures = score(tmp_path, references, answers("Yes", "yes", "cat")).evaluations[0].figures
    (found,) = [one for one in figures if one.name == "yes"]
    assert found.x_axis.labels == ("yes/no (2)", "yes/no, people (2)")
    assert found.mean.tolist() == [1.0, 0.5]
