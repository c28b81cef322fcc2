"""ControlCap's results by annotation id, in files of its processes."""

import json

import pytest

from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.tasks.densecap.densecap_task import TASK
from support.oracles import oracle

SCENE = json.loads(oracle("densecap_today/shapes.json").read_text(encoding="utf-8"))["shapes"]
TRUTH = SCENE["controlcap"]["ground_truth"]
CAPTIONS = [one["caption"] for one in TRUTH["annotations"]]
RESULTS = [
    {"id": one["id"], "caption": caption, "score": 0.9 - number / 40}
    for number, (one, caption) in enumerate(
        zip(TRUTH["annotations"], [*CAPTIONS[1:], CAPTIONS[0]], strict=True)
    )
]
RESULTS[3].pop("score")


def score(folder, files, profile="controlcap"):
    """Return the only entry, and what was found in its files."""
    paths = [folder / "truth.json", *(folder / name for name in files)]
    for path, content in zip(paths, (TRUTH, *files.values()), strict=True):
        path.write_text(json.dumps(content), encoding="utf-8")
    inputs = {"ground-truth": paths[:1], "detections": paths[1:]}
    options = TASK.scoring.options(profile=profile)
    result = score_submissions(TASK, inputs, options, Run(), resamples=0)
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
