"""Every example competition: reproducible by its script, small, and complete."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from jurydesk.core.competition.examples import example_inputs, example_title
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.model.evaluation import Json
from support.examples import folder_of

SCRIPT = Path(__file__).parents[3] / "packaging" / "examples" / "make.py"
LARGEST = 700_000
ROUNDING = 2e-4
"""Another processor rounds the correlations of built reference sets otherwise."""


@pytest.fixture(params=sorted(registry().tasks), scope="module")
def task(request: pytest.FixtureRequest) -> AnyTask:
    return registry().tasks[request.param]


def test_the_script_reproduces_the_example(task: AnyTask, tmp_path: Path) -> None:
    folder = folder_of(task)
    command = [sys.executable, str(SCRIPT), task.presentation.example, str(tmp_path)]
    subprocess.run(command, check=True)
    assert files(tmp_path) == files(folder)
    assert [name for name in files(folder) if not same(tmp_path / name, folder / name)] == []


def files(folder: Path) -> set[Path]:
    return {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}


def same(one: Path, other: Path) -> bool:
    """Return whether two files have the same content, however libraries compress it."""
    if one.suffix in (".png", ".jpg"):
        return same_picture(one, other)
    if one.suffix == ".db":
        return dump(one) == dump(other)
    if one.name == "references.json":
        made, kept = (json.loads(path.read_text(encoding="utf-8")) for path in (one, other))
        return nearly(made, kept)
    return one.read_bytes() == other.read_bytes()


def same_picture(one: Path, other: Path) -> bool:
    with Image.open(one) as first, Image.open(other) as second:
        return ImageChops.difference(first.convert("RGB"), second.convert("RGB")).getbbox() is None


def dump(path: Path) -> list[str]:
    database = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
    try:
        return list(database.iterdump())
    finally:
        database.close()


def nearly(one: Json, other: Json) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= ROUNDING
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(nearly, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(nearly(one[key], other[key]) for key in one)
    return bool(one == other)


def test_an_example_is_small(task: AnyTask) -> None:
    assert sum(path.stat().st_size for path in folder_of(task).rglob("*")) < LARGEST


def test_the_manifest_lists_every_file_with_its_role(task: AnyTask) -> None:
    folder = folder_of(task)
    manifest = json.loads((folder / "example.json").read_text(encoding="utf-8"))
    assert manifest["task"] == task.id
    assert example_title(folder) == manifest["title"] != ""
    found = example_inputs(task, folder)
    named = {role: sorted(names) for role, names in manifest["inputs"].items()}
    assert named == {role: sorted(path.name for path in paths) for role, paths in found.items()}
