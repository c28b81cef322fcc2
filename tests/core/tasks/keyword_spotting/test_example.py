"""The example competition: made again by its script, small, and worth looking at."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from core.run.engine import Result, score
from core.run.run import Run
from core.tasks.example import example_folder, example_inputs
from core.tasks.keyword_spotting.evidence import RankedList
from core.tasks.keyword_spotting.options import KeywordSpottingOptions
from core.tasks.keyword_spotting.task import TASK

SCRIPT = Path(__file__).parents[4] / "packaging" / "example_keyword_spotting.py"
LARGEST = 600_000


@pytest.fixture(scope="module")
def folder() -> Path:
    found = example_folder(TASK)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def result(folder: Path) -> Result:
    return score(TASK, example_inputs(TASK, folder), KeywordSpottingOptions(), Run())


def scores(result: Result, metric: str) -> dict[str, float]:
    return {one.system: one.score(metric).value for one in result.evaluations}


def same_picture(one: Path, other: Path) -> bool:
    with Image.open(one) as first, Image.open(other) as second:
        return ImageChops.difference(first, second).getbbox() is None


def test_the_script_makes_the_example_again(folder: Path, tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(SCRIPT), str(tmp_path)], check=True)
    names = {path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()}
    assert names == {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}
    for name in names:
        if name.suffix == ".png":  # another compression library packs it into other bytes
            assert same_picture(tmp_path / name, folder / name)
        else:
            assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()


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


def test_the_systems_differ(result: Result) -> None:
    ap = scores(result, "ap")
    assert ap["stroke-matcher"] > ap["word-shapes"] > ap["column-profiles"] > 0


def test_the_worst_system_shows_defects(result: Result) -> None:
    assert result.reference_defects == ()
    told = {entry.system: [str(one.severity) for one in entry.defects] for entry in result.entries}
    assert told["stroke-matcher"] == []
    assert told["word-shapes"] == []
    assert told["column-profiles"] == ["warning", "warning", "note", "note"]


def test_every_box_lies_on_its_page(folder: Path, result: Result) -> None:
    sizes = {}
    for path in (folder / "images").iterdir():
        with Image.open(path) as image:
            sizes[path.stem] = image.size
    for evaluation in result.evaluations:
        assert evaluation.items.evidence is not None
        for item in range(len(evaluation.items)):
            evidence = evaluation.items.evidence(item)
            assert isinstance(evidence, RankedList)
            for word in (*evidence.items, *evidence.missed):
                assert word.box is not None
                x, y, width, height = word.box
                assert 0 <= x < x + width <= sizes[word.name][0]
                assert 0 <= y < y + height <= sizes[word.name][1]


def test_the_trec_eval_pair_gives_the_same_average_precision(folder: Path, result: Result) -> None:
    pair = {
        "relevance": [folder / "trec_eval" / "relevance.qrels"],
        "results": [folder / "trec_eval" / "stroke-matcher.run"],
    }
    trec = score(TASK, pair, KeywordSpottingOptions(), Run())
    assert trec.defects == ()
    assert scores(trec, "ap")["stroke-matcher"] == scores(result, "ap")["stroke-matcher"]
