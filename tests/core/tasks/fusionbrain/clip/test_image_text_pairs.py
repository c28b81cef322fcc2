"""Tests of picture-text pairs against the organisers' program with a stubbed model."""

import json
import shutil

import pytest

from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.tasks.fusionbrain.fusionbrain_options import FusionBrainOptions
from jurydesk.core.tasks.fusionbrain.fusionbrain_task import TASK
from jurydesk.core.tasks.fusionbrain.subtask_scorer import clip_mean
from support.oracles import oracle

PICTURES = oracle("fusionbrain/shared_clip_images")
ROUNDING = 1e-7
"""PyTorch multiplied the stand-in's float32 vectors in another order."""


def recorded(subtask):
    path = oracle(f"fusionbrain/shared_clip_{subtask}.json")
    return json.loads(path.read_text(encoding="utf-8"))["cases"]


def evaluated(case, subtask, folder, profile="published", pictures=PICTURES):
    truth = {key: [{"type": "text", "content": ["дом"]}] for key in case["pred_json"]}
    files = {"truth": truth, "input": case["input_json"], "predictions": case["pred_json"]}
    for name, content in files.items():
        (folder / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
    inputs = {name: (folder / f"{name}.json",) for name in files} | {"images": (pictures,)}
    options = FusionBrainOptions(profile, subtask)
    result = score_submissions(TASK, files_by_role(inputs), options, Run(), resamples=0)
    return result.entries[0]


def columns(evaluation, name):
    items = evaluation.items
    return dict(zip(items.ids, items.columns[name], strict=True))


@pytest.mark.parametrize("case", recorded("captioning"), ids=lambda case: case["name"])
def test_captioning_clip_equals_the_organisers_program(case, tmp_path, stub_clip):
    evaluation = evaluated(case, "captioning", tmp_path).evaluation
    value = evaluation.score("captioning_clip").value
    assert value == pytest.approx(case["expected_mean"], abs=ROUNDING)
    found = columns(evaluation, "captioning_clip")
    for key, expected in case["per_key_in_isolation"].items():
        assert found[f"captioning/{key}"] == pytest.approx(expected, abs=ROUNDING), key


@pytest.mark.parametrize("case", recorded("generation"), ids=lambda case: case["name"])
def test_generation_clip_equals_the_organisers_program(case, tmp_path, stub_clip):
    evaluation = evaluated(case, "generation", tmp_path).evaluation
    value = evaluation.score("generation_clip").value
    assert value == pytest.approx(case["expected_mean"], abs=ROUNDING)
    found = columns(evaluation, "generation_clip")
    for key, expected in case["per_key_in_isolation"].items():
        if key != "2":  # in isolation no key before it has a text
            assert found[f"generation/{key}"] == pytest.approx(expected, abs=ROUNDING), key


@pytest.mark.parametrize(
    "case", [*recorded("captioning"), recorded("generation")[1]], ids=lambda case: case["name"]
)
def test_the_mean_is_formed_of_float32_until_a_pair_fails(case):
    values = list(case["per_key_in_isolation"].values())
    failed = case["mean_dtype"] == "float64"
    assert clip_mean(values, failed=failed) == pytest.approx(case["expected_mean"], abs=1e-15)


def test_every_failed_pair_is_reported_with_key_and_reason(tmp_path, stub_clip):
    entry = evaluated(recorded("generation")[0], "generation", tmp_path)
    reported = {
        defect.place.json_path: (defect.found, defect.expected)
        for defect in entry.defects
        if defect.found.startswith("CLIP")
    }
    assert reported == {
        '["3"]': ("CLIP: The prediction has no second element.", "It scores 0."),
        '["5"]': ("CLIP: There is no file “images/missing.png”.", "It scores 0."),
        '["6"]': ("CLIP: The second element of the prediction is not a picture.", "It scores 0."),
    }


def test_the_corrected_profile_uses_the_first_picture_and_leaves_failed_pairs_out(
    tmp_path, stub_clip
):
    evaluation = evaluated(
        recorded("generation")[0], "generation", tmp_path, "corrected"
    ).evaluation
    found = columns(evaluation, "generation_clip")
    assert found["generation/3"] == found["generation/3"]
    assert found["generation/5"] != found["generation/5"]
    known = [value for value in found.values() if value == value]
    assert evaluation.score("generation_clip").value == pytest.approx(sum(known) / len(known))


def test_pictures_are_found_beside_the_predictions(tmp_path, stub_clip):
    shutil.copytree(PICTURES / "images", tmp_path / "images")
    case = recorded("generation")[1]
    evaluation = evaluated(case, "generation", tmp_path, pictures=tmp_path / "none").evaluation
    assert evaluation.score("generation_clip").value == pytest.approx(case["expected_mean"])


@pytest.mark.parametrize("path", ["../secret.png", "a/../../secret.png", "C:/secret.png"])
def test_a_path_never_leaves_its_folder(path, tmp_path, stub_clip):
    folder = tmp_path / "inside"
    folder.mkdir()
    shutil.copyfile(PICTURES / "images" / "image_0.png", tmp_path / "secret.png")
    case = {
        "input_json": {"0": [{"type": "text", "content": "a"}, {"type": "image", "content": path}]},
        "pred_json": {"0": [{"type": "text", "content": "b"}]},
    }
    entry = evaluated(case, "captioning", folder, pictures=folder)
    assert f"CLIP: The path “{path}” leads out of its folder." in [d.found for d in entry.defects]


def test_the_corrected_profile_scores_no_caption_outside_a_list(tmp_path, stub_clip):
    """The published profile refuses such a file."""
    picture = {"type": "image", "content": "images/image_0.png"}
    asked = [{"type": "text", "content": "What is it?"}, picture]
    alone = {"type": "text", "content": "a cat"}
    predictions = {"bare": alone, "listed": [alone]}
    case = {"input_json": dict.fromkeys(predictions, asked), "pred_json": predictions}
    entry = evaluated(case, "captioning", tmp_path, "corrected")
    reported = [d.place.json_path for d in entry.defects if "There is no text" in d.found]
    assert reported == ['["bare"]']
