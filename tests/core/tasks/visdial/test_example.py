from __future__ import annotations

import json
import runpy
from pathlib import Path

import pytest

from core.run.engine import score
from core.run.run import Run
from core.tasks.example import example_folder, example_inputs
from core.tasks.visdial.task import TASK

SCRIPT = Path(__file__).parents[4] / "packaging" / "example_visdial.py"


@pytest.fixture(scope="module")
def folder():
    found = example_folder(TASK)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def result(folder):
    return score(TASK, example_inputs(TASK, folder), TASK.options(), Run(), resamples=20)


def test_the_script_makes_the_example_again(folder, tmp_path):
    runpy.run_path(str(SCRIPT))["make"](tmp_path)
    names = {path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()}
    assert names == {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}
    built = Path("references.json")
    for name in names - {built}:
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()
    again, known = (
        json.loads((place / built).read_text(encoding="utf-8")) for place in (tmp_path, folder)
    )
    for one, other in zip(again, known, strict=True):  # another processor rounds otherwise
        assert one.pop("correlations") == pytest.approx(other.pop("correlations"), abs=2e-4)
        assert one.pop("threshold") == pytest.approx(other.pop("threshold"), abs=2e-4)
        assert one == other


def test_the_manifest_names_every_file_with_its_role(folder):
    manifest = json.loads((folder / "example.json").read_text(encoding="utf-8"))
    assert manifest["task"] == TASK.id
    found = {
        role: sorted(path.name for path in paths)
        for role, paths in example_inputs(TASK, folder).items()
    }
    assert {role: sorted(names) for role, names in manifest["inputs"].items()} == found


def test_the_systems_stand_in_the_order_that_they_deserve(result):
    found = {one.system: one for one in result.evaluations}
    for metric in ("cider_1", "cider_4", "meteor"):
        careful, short, baseline = (
            found[name].score(metric).value for name in ("careful", "short", "always-yes")
        )
        assert careful > short > baseline > 0


def test_the_careless_file_shows_what_can_go_wrong(result):
    careless = next(entry for entry in result.entries if entry.system == "careless")
    assert careless.evaluation is None
    assert [str(defect.severity) for defect in careless.defects] == [
        *["error"] * 7,
        "warning",
        "note",
    ]


def test_it_is_small(folder):
    assert sum(path.stat().st_size for path in folder.rglob("*")) < 250_000
