"""The example competition: what the script makes, and how its systems fare."""

import json
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image, ImageChops
from tiny_models import torch_or_skip

from core.run.engine import score
from core.run.run import Run
from core.tasks.example import example_folder, example_inputs, example_options, example_title
from core.tasks.fusionbrain.subtasks import SUBTASKS
from core.tasks.fusionbrain.task import TASK

SCRIPT = Path(__file__).parents[4] / "packaging" / "example_fusionbrain.py"
LARGEST = 700_000


@pytest.fixture(scope="module")
def folder():
    found = example_folder(TASK)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def result(folder):
    inputs, options = example_inputs(TASK, folder), example_options(TASK, folder)
    return score(TASK, inputs, replace(options, weights=()), Run())


def value(result, system, metric):
    found = next(one for one in result.evaluations if one.system == system)
    return found.score(metric).value


def test_the_script_makes_the_example_again(folder, tmp_path):
    subprocess.run([sys.executable, str(SCRIPT), str(tmp_path)], check=True)
    names = {path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()}
    assert names == {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}
    for name in names:
        made, kept = tmp_path / name, folder / name
        if name.suffix == ".png":  # another compression library packs it into other bytes
            assert same_picture(made, kept)
        elif name.suffix == ".db":  # another SQLite lays its pages out otherwise
            assert dump(made) == dump(kept)
        else:
            assert made.read_bytes() == kept.read_bytes()


def same_picture(one, other):
    with Image.open(one) as first, Image.open(other) as second:
        return ImageChops.difference(first.convert("RGB"), second.convert("RGB")).getbbox() is None


def dump(path):
    database = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
    try:
        return list(database.iterdump())
    finally:
        database.close()


def test_it_is_small(folder):
    assert sum(path.stat().st_size for path in folder.rglob("*")) < LARGEST


def test_the_manifest_names_the_files_that_are_found(folder):
    manifest = json.loads((folder / "example.json").read_text(encoding="utf-8"))
    inputs = example_inputs(TASK, folder)
    named = {role: sorted(names) for role, names in manifest["inputs"].items()}
    assert named == {role: sorted(path.name for path in paths) for role, paths in inputs.items()}
    assert example_title(folder) == "Six tasks by the sea"


def test_its_options_name_its_own_words(folder):
    options = example_options(TASK, folder)
    assert Path(options.ruwordnet) == folder / "ruwordnet.db"
    assert options.hidden_scores("any") == {"hidden1": 0.52, "hidden2": 0.41, "hidden3": 0.35}


def test_all_six_subtasks_have_a_score_by_models_of_random_numbers_which_is_said(folder):
    torch_or_skip()
    inputs, options = example_inputs(TASK, folder), example_options(TASK, folder)
    careful = {**inputs, "predictions": [folder / "careful.json"]}
    (entry,) = score(TASK, careful, options, Run(device="cpu"), resamples=0).entries
    values = {one.metric: entry.evaluation.score(one.metric).value for one in SUBTASKS}
    assert all(value == value for value in values.values())
    said = [str(one) for one in entry.defects if "Random numbers" in one.found]
    assert said == [
        "warning  careful.json: Random numbers stand in the place of models: ruclip, inception.\n"
        "       Scores of pictures mean nothing then. Name real models."
    ]


def test_the_careful_system_answers_every_question(result):
    for metric in ("textqa_f1", "mathqa_em", "vqa_meteor", "text_recognition_ned"):
        assert value(result, "careful", metric) == 1


def test_the_other_systems_show_what_can_happen(result):
    said = {defect.found for entry in result.entries for defect in entry.defects}
    assert "The content is null." in said
    assert "The list is empty." in said
    assert "CLIP: The prediction has no second element." in said
    assert value(result, "torn", "textqa_f1") == 0
    hasty = next(one for one in result.evaluations if one.system == "hasty").items
    assert hasty.columns["by_letter"][:4].tolist() == [1, 0, 1, 1]
    assert hasty.columns["reused"][3] == 1


def test_rules_tell_how_scores_came_about(result):
    hasty = next(one for one in result.evaluations if one.system == "hasty").items
    shown = {name: hasty.show(number) for number, name in enumerate(hasty.ids)}
    assert shown["textqa/0"].rules == (
        "The answer scored no more than 0.5, so its first letter of a to e, “c”, was scored in "
        "its place.",
    )
    assert shown["vqa/16"].rules == (
        "The accepted answer is the number 1: the lesser of it and 2 by the greater.",
    )
    assert shown["text_recognition/22"].rules == (
        "1 − 1 / 6: edits by the characters of the longer text.",
    )
    (match,) = shown["vqa/18"].alignment.matches
    assert shown["vqa/18"].alignment.modules[match.module] == "synonym"
