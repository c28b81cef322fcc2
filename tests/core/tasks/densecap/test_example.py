from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from core.model import Evaluation
from core.run.engine import Result, score
from core.run.run import Run
from core.tasks.densecap.task import TASK
from core.tasks.example import example_folder, example_inputs

SCRIPT = Path(__file__).parents[4] / "packaging" / "example_densecap.py"
LARGEST = 700_000


@pytest.fixture(scope="module")
def folder() -> Path:
    found = example_folder(TASK)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def result(folder: Path) -> Result:
    return score(TASK, example_inputs(TASK, folder), TASK.options(), Run())


def map_of(result: Result, system: str) -> float:
    found: Evaluation = next(one for one in result.evaluations if one.system == system)
    return found.score("map").value


def test_the_script_makes_the_example_again(folder: Path, tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(SCRIPT), str(tmp_path)], check=True)
    names = {path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()}
    assert names == {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}
    for name in names:
        if name.suffix == ".json":
            assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()
        else:  # another compression library packs the same picture into other bytes
            assert same_picture(tmp_path / name, folder / name)


def same_picture(one: Path, other: Path) -> bool:
    with Image.open(one) as first, Image.open(other) as second:
        return ImageChops.difference(first.convert("RGB"), second.convert("RGB")).getbbox() is None


def test_it_is_small(folder: Path) -> None:
    assert sum(path.stat().st_size for path in folder.rglob("*")) < LARGEST


def test_the_manifest_names_every_file_with_its_role(folder: Path) -> None:
    manifest = json.loads((folder / "example.json").read_text(encoding="utf-8"))
    assert manifest["task"] == TASK.id
    found = {
        role: sorted(path.name for path in paths)
        for role, paths in example_inputs(TASK, folder).items()
    }
    assert {role: sorted(names) for role, names in manifest["inputs"].items()} == found


def test_the_systems_stand_in_the_order_that_they_deserve(result: Result) -> None:
    assert result.reference_defects == ()
    names = ("region-net", "tagger", "grid", "wrong-boxes")
    values = [map_of(result, name) for name in names]
    assert values == sorted(values, reverse=True)
    assert values[-1] > 0


def test_every_picture_is_there(folder: Path, result: Result) -> None:
    pictures = {path.stem for path in (folder / "images").iterdir()}
    ids = {name.partition(" · ")[0] for name in result.evaluations[0].items.ids}
    assert ids == pictures


def test_wrong_boxes_are_told_with_the_format_that_they_are_in(result: Result) -> None:
    entry = next(entry for entry in result.entries if entry.system == "wrong-boxes")
    hints = [defect.hint for defect in entry.defects if "overlap no ground truth" in defect.found]
    assert hints == ["Read as xyxy it would be 0.74: try --box-format xyxy."]
