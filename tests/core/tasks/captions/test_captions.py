"""Tests of the captioning competition against recorded results of pycocoevalcap."""

import json
import math
import re

import pytest

from jurydesk.core.execution.run import Run
from jurydesk.core.language import translate_text
from jurydesk.core.model.defects import has_errors
from jurydesk.core.readers.text_file import file_head
from jurydesk.core.tasks.captions.captions_options import CaptionOptions
from jurydesk.core.tasks.captions.captions_task import TASK
from support.language import shown_in
from support.oracles import data, oracle

RECORDED = json.loads(oracle("captions/own_eval.json").read_bytes())
CASES, ERRORS = RECORDED["cases"], RECORDED["errors"]
TOLERANCE = 1e-12
ACCEPTED = {
    *("image without references or result", "image listed twice", "every reference empty"),
    *("results are an object", "image id as text"),  # read with a note
}
"""Cases that pycocoevalcap refuses and Jurydesk scores."""


def case_name(case):
    return case["name"]


def write_json(folder, name, value):
    path = folder / name
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def read(folder, case, **chosen):
    options = CaptionOptions(**chosen)
    annotations = write_json(folder, "annotations.json", case["annotations"])
    file = write_json(folder, "results.json", case["results"])
    run = Run(jobs=1)
    references = TASK.readers.read_references({"references": [annotations]}, options, run)
    if references.data is None:
        return None, None, references.defects
    reading = TASK.readers.read_submission(file, references.data, options, run)
    return references.data, reading.data, (*references.defects, *reading.defects)


def evaluate(folder, case, **chosen):
    references, submission, defects = read(folder, case, **chosen)
    assert submission is not None, defects
    return TASK.scoring.evaluate(references, submission, CaptionOptions(**chosen), Run(jobs=1))


def scores(evaluation):
    return {score.metric: score.value for score in evaluation.scores}


@pytest.mark.parametrize("case", CASES, ids=case_name)
def test_a_recorded_evaluation_has_the_originals_numbers(case, tmp_path):
    images = "results" if case["images_from"] == "results" else "all"
    evaluation = evaluate(tmp_path, case, images=images)
    assert scores(evaluation) == pytest.approx(case["aggregate"], abs=TOLERANCE)
    rows = {str(row["image_id"]): row for row in case["per_image"]}
    assert set(evaluation.items.ids) == rows.keys()
    for name in case["aggregate"]:
        expected = [rows[image][name] for image in evaluation.items.ids]
        assert evaluation.items.columns[name] == pytest.approx(expected, abs=TOLERANCE)


@pytest.mark.parametrize("part", ["loo", "perturbed"])
def test_real_captions_have_the_originals_numbers(part):
    path = "part_loo_references" if part == "loo" else "captions_val2017_part"
    options, run = CaptionOptions(), Run(jobs=1)
    inputs = {"references": [data(f"coco/{path}.json")]}
    references = TASK.readers.read_references(inputs, options, run).data
    file = data(f"coco/part_{part}_results.json")
    submission = TASK.readers.read_submission(file, references, options, run).data
    evaluation = TASK.scoring.evaluate(references, submission, options, run)
    recorded = json.loads(data(f"coco/part_scores_{part}.json").read_bytes())
    assert scores(evaluation) == pytest.approx(recorded["aggregate"], abs=TOLERANCE)
    rows = {str(row["image_id"]): row for row in recorded["per_image"]}
    for name in recorded["aggregate"]:
        expected = [rows[image][name] for image in evaluation.items.ids]
        assert evaluation.items.columns[name] == pytest.approx(expected, abs=TOLERANCE)


@pytest.mark.parametrize("case", ERRORS, ids=case_name)
def test_files_that_the_original_refuses_are_errors_with_their_place(case, tmp_path):
    if isinstance(case["results"], str):
        (tmp_path / "results.json").write_text(case["results"], encoding="utf-8")
    _, submission, defects = read(tmp_path, case)
    accepted = case["original"] == "accepted" and case["name"] != "image id true"
    if accepted or case["name"] in ACCEPTED:
        assert submission is not None, defects
        return
    assert submission is None
    assert has_errors(defects)


def small_case(results=None, captions=None):
    return {
        "annotations": {
            "images": [{"id": 1}, {"id": 2}, {"id": 3}],
            "annotations": captions
            or [
                {"image_id": 1, "caption": "a goat"},
                {"image_id": 2, "caption": "two rams"},
                {"image_id": 3, "caption": "a tall gate"},
            ],
        },
        "results": results
        or [
            {"image_id": 1, "caption": "a goat"},
            {"image_id": 2, "caption": "two rams"},
            {"image_id": 3, "caption": "a gate"},
        ],
    }


def findings(defects):
    return [defect.found for defect in defects]


def test_all_defects_are_reported_at_once(tmp_path):
    results = [
        {"image_id": "1", "caption": "a goat"},
        {"image_id": 2, "caption": None},
        {"image_id": 3, "caption": "a"},
        {"image_id": 3, "caption": "b"},
        "x",
    ]
    _, _, defects = read(tmp_path, small_case(results))
    assert findings(defects) == [
        'Image 2: "caption" is null.',
        'The element is the text "x".',
        '1 entry with another spelling of the image id: "1" = 1.',
        "Image 3 already has a caption at [2].",
    ]


def test_missing_images_are_named_and_can_be_left_out(tmp_path):
    results = [{"image_id": 2, "caption": "two rams"}]
    _, _, defects = read(tmp_path, small_case(results))
    assert findings(defects) == ["2 images without a caption: 1, 3."]
    evaluation = evaluate(tmp_path, small_case(results), images="results")
    assert evaluation.items.ids == ("2",)
    assert "Images scored (those of the results only): 1." in findings(evaluation.defects)


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (1, ["It is ignored.", "It scores 0 or nearly 0."]),
        (2, ["They are ignored.", "They score 0 or nearly 0."]),
    ],
)
def test_one_caption_is_described_as_one_and_several_as_several(tmp_path, count, expected):
    case = small_case()
    case["annotations"]["annotations"] += [{"image_id": 9, "caption": "a gate"}] * count
    for result in case["results"][:count]:
        result["caption"] = " "
    _, _, defects = read(tmp_path, case)
    found = [*defects, *evaluate(tmp_path, case).defects]
    assert [one.hint for one in found if one.hint in expected] == expected


@pytest.mark.parametrize(("profile", "severity"), [("published", "warning"), ("corrected", "note")])
def test_a_line_separator_is_a_warning_only_if_it_shifts_captions(tmp_path, profile, severity):
    results = small_case()["results"]
    results[0]["caption"] = "a\u2028goat"
    _, submission, defects = read(tmp_path, small_case(results), profile=profile)
    assert submission is not None
    assert [(str(one.severity), one.place.json_path) for one in defects] == [
        (severity, "[0].caption")
    ]


def test_a_lone_surrogate_is_an_error_only_in_the_published_profile(tmp_path):
    results = small_case()["results"]
    results[0]["caption"] = "a \ud83d goat"
    _, submission, defects = read(tmp_path, small_case(results))
    assert submission is None
    assert "pycocoevalcap stops here" in defects[0].hint
    _, submission, defects = read(tmp_path, small_case(results), profile="corrected")
    assert submission is not None


def test_cider_is_undefined_if_no_reference_contains_words(tmp_path):
    captions = [{"image_id": image, "caption": "..."} for image in (1, 2, 3)]
    evaluation = evaluate(tmp_path, small_case(captions=captions))
    values = scores(evaluation)
    assert math.isnan(values["cider"])
    assert values["bleu_1"] < 1e-6
    assert "CIDEr is undefined: the references contain no words." in findings(evaluation.defects)


def test_cider_of_a_single_image_comes_with_the_reason_of_its_0(tmp_path):
    case = small_case()
    listed = {
        "images": [{"id": 1}],
        "annotations": [{"image_id": 1, "caption": "a goat"}],
    }
    given = {"annotations": listed, "results": case["results"][:1]}
    evaluation = evaluate(tmp_path, given)
    assert scores(evaluation)["cider"] == 0
    assert any("With one image, CIDEr is 0" in one for one in findings(evaluation.defects))


def test_the_test_part_of_a_karpathy_split_is_read(tmp_path):
    images = [
        {"filename": "a.jpg", "split": "test", "sentences": [{"raw": "A goat."}]},
        {"filename": "b.jpg", "split": "train", "sentences": [{"raw": "A ram."}]},
    ]
    case = {
        "annotations": {"images": images},
        "results": [{"image_id": "a.jpg", "caption": "a goat"}],
    }
    references, submission, _ = read(tmp_path, case)
    assert [image.id for image in references.images] == ["a.jpg"]
    assert submission is not None


@pytest.mark.parametrize("case", CASES[:12], ids=case_name)
def test_ngram_shares_of_the_evidence_sum_to_cider(case, tmp_path):
    items = evaluate(tmp_path, case).items
    for row in range(len(items)):
        evidence = items.show(row)
        assert sum(gram.share for gram in evidence.top_ngrams(10_000)) == pytest.approx(
            items.columns["cider"][row], abs=1e-9
        )
        assert TASK.presentation.explain_item(evidence)[-1].title == "Caption"


def test_the_note_of_a_caption_is_shown_in_russian(tmp_path):
    items = evaluate(tmp_path, CASES[0]).items
    note = TASK.presentation.explain_item(items.show(0))[-1].note
    assert "N-grams with the largest shares of CIDEr: " in note
    with shown_in("ru"):
        assert not re.search("Deciding|shares", translate_text(note))


def test_the_difference_between_the_profiles_is_explained(tmp_path):
    from jurydesk.core.model.evaluation import ScoredItem

    results = small_case()["results"]
    results[0]["caption"] = "a (goat)"
    scored = []
    for profile in ("published", "corrected"):
        items = evaluate(tmp_path, small_case(results), profile=profile).items
        values = {name: float(column[0]) for name, column in items.columns.items()}
        scored.append(ScoredItem(items.ids[0], values, items.show(0)))
    sentences = TASK.presentation.explain_difference(*scored)
    assert sentences[0] == (
        "Only the published profile counts brackets as words of the caption: "
        '"a -lrb- goat -rrb-" (published), "a goat" (corrected).'
    )


def test_the_redacted_data_list_the_images_without_references(tmp_path):
    references, _, _ = read(tmp_path, small_case())
    redaction = TASK.submission_checks.redaction
    facts = {fact.name: fact.value for fact in redaction.facts(references)}
    assert "goat" not in json.dumps(facts)
    again = redaction.reference(facts)
    file = write_json(tmp_path, "mine.json", [{"image_id": 2, "caption": "two rams"}])
    reading = TASK.readers.read_submission(file, again, CaptionOptions(), Run(jobs=1))
    assert findings(reading.defects) == ["2 images without a caption: 1, 3."]


@pytest.mark.parametrize(
    ("head", "role"),
    [
        (
            b'{"images": [{"id": 1}], "annotations": [{"image_id": 1, "caption": "a"}]}',
            "references",
        ),
        (b'{"images": [{"sentences": [{"raw": "a"}], "filename": "a"}]}', "references"),
        (b'[{"image_id": 1, "caption": "a"}]', "results"),
        (b'[{"image_id": 1, "SPICE": {"All": {"f": 1}}}]', None),
        (b'[{"image_id": 1, "caption": "a", "bbox": [1, 2, 3, 4]}]', None),
        (b"no json", None),
    ],
)
def test_files_are_recognized_by_their_members(head, role):
    sniffed = TASK.readers.sniff(head)
    assert (sniffed.role if sniffed else None) == role


@pytest.mark.parametrize("extra", [{}, {"license": 1}])
def test_annotations_after_a_long_list_of_images_are_recognized_without_licences(tmp_path, extra):
    images = [{"id": one, "file_name": f"{one:012}.jpg", "height": 480, **extra}
              for one in range(3000)]  # fmt: skip
    captions = [{"id": one, "image_id": one, "caption": "a goat on a hill"} for one in range(3000)]
    path = write_json(tmp_path, "long.json", {"images": images, "annotations": captions})
    assert TASK.readers.sniff(file_head(path)).role == "references"
    boxes = [{**one, "bbox": [1, 2, 3, 4]} for one in captions]
    path = write_json(tmp_path, "boxes.json", {"images": images, "annotations": boxes})
    sniffed = TASK.readers.sniff(file_head(path))
    assert (sniffed is None) is not bool(extra)
