"""ControlCap's results by annotation id, in files of its processes."""

import json

import pytest

from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.tasks.densecap.densecap_task import TASK
from jurydesk.core.tasks.result_parts import unused_parts
from support.oracles import oracle

SCENE = json.loads(oracle("densecap_today/shapes.json").read_text(encoding="utf-8"))["shapes"]
TRUTH = SCENE["controlcap"]["ground_truth"]
ANNOTATIONS = TRUTH["annotations"]
CAPTIONS = [one["caption"] for one in ANNOTATIONS]
RESULTS = [
    {"id": one["id"], "caption": caption, "score": 0.9 - number / 40}
    for number, (one, caption) in enumerate(
        zip(TRUTH["annotations"], [*CAPTIONS[1:], CAPTIONS[0]], strict=True)
    )
]
RESULTS[3].pop("score")


def score(folder, files, profile="controlcap", truth=TRUTH, parts=None):
    """Return the only entry, and what was found in its files."""
    parts = parts or {}
    for name, content in {"truth.json": truth, **files, **parts}.items():
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
    inputs = {
        "ground-truth": [folder / "truth.json"],
        "detections": [folder / name for name in files],
        "parts": [folder / name for name in parts],
    }
    options = TASK.scoring.options(profile=profile)
    result = score_submissions(TASK, files_by_role(inputs), options, Run(), resamples=0)
    (entry,) = result.entries
    return entry, [one.found for one in result.defects]


def values(entry):
    return {one.metric: one.value for one in entry.evaluation.scores}


@pytest.mark.parametrize("profile", ["controlcap", "dynrefer"])
def test_files_of_the_processes_score_as_the_file_that_the_program_writes_of_them(
    tmp_path, profile
):
    predicted = {one["id"]: one for one in RESULTS}
    written = [
        one | {"extra_info": {"pred_result": predicted[one["id"]]}} for one in TRUTH["annotations"]
    ]
    whole, _ = score(tmp_path, {"val.json": TRUTH | {"annotations": written}}, profile)
    files = {"val_rank1.json": RESULTS[1::2], "val_rank0.json": RESULTS[::2]}
    parts, _ = score(tmp_path, files, profile)
    assert values(parts) == values(whole)
    assert parts.system == "val"


def test_an_annotation_that_two_processes_had_counts_once(tmp_path):
    once, _ = score(tmp_path, {"a_0.json": RESULTS[:5], "a_1.json": RESULTS[5:]})
    twice, said = score(tmp_path, {"a_0.json": RESULTS[:5], "a_1.json": RESULTS[4:]})
    assert values(twice) == values(once)
    assert "Repeated annotations: 1." in said


@pytest.mark.parametrize(
    ("damage", "found"),
    [
        ({"id": 99}, "1 result of annotations that are not in the ground truth: 99."),
        ({"caption": None}, "The caption is missing."),
        ({"score": "high"}, 'The score is the text "high".'),
        ({"id": None}, '"id" is null.'),
        ({"id": True}, '"id" is true.'),
    ],
)
def test_results_that_fit_no_annotation_or_lack_something_are_errors(tmp_path, damage, found):
    entry, said = score(tmp_path, {"val_rank0.json": [*RESULTS[:2], RESULTS[2] | damage]})
    assert entry.evaluation is None
    assert found in said


def test_a_missing_score_is_an_error_where_the_program_needs_one(tmp_path):
    entry, said = score(tmp_path, {"val_rank0.json": RESULTS}, "published")
    assert entry.evaluation is None
    assert "The score is missing." in said


def test_more_damaged_results_than_are_listed_are_errors(tmp_path):
    damaged = [{"id": number, "caption": "a dog", "score": "high"} for number in range(10_010)]
    entry, said = score(tmp_path, {"val_rank0.json": damaged})
    assert entry.evaluation is None
    assert 'The score is the text "high".' in said


def test_annotations_without_an_id_have_no_results(tmp_path):
    bare = [{name: held for name, held in one.items() if name != "id"} for one in ANNOTATIONS]
    for key in ("", "None"):
        files = {"val_rank0.json": [RESULTS[0] | {"id": key}]}
        entry, _ = score(tmp_path, files, truth=TRUTH | {"annotations": bare})
        assert entry.evaluation is None


def test_a_part_that_cannot_be_joined_is_named(tmp_path):
    placed = {"annotations": [one | {"score": 0.5} for one in ANNOTATIONS], "images": []}
    entry, said = score(tmp_path, {"mine.json": placed}, parts={"more.json": RESULTS})
    assert entry.evaluation is None
    assert any("without captions by annotation id." in one for one in said)


def test_a_part_of_no_known_system_is_named(tmp_path):
    folders = [tmp_path / name for name in ("one", "two", "three")]
    for folder in folders:
        folder.mkdir()
        (folder / "mine.json").write_text(json.dumps(RESULTS), encoding="utf-8")
    one, two, three = (folder / "mine.json" for folder in folders)
    (said,) = unused_parts({"detections": [one, two], "parts": [three]}, "detections")
    assert said.place.path == str(three)
    assert list(unused_parts({"detections": [one], "parts": [three]}, "detections")) == []
