"""Result files of other programs, by their column maps."""

from __future__ import annotations

import json
import shutil

import pytest

from jurydesk.core.cli import main
from jurydesk.core.desk import Desk
from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.intake.classify import classify_files
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.readers.foreign_tables.column_maps import column_maps, find_map
from jurydesk.core.tasks.table.table_options import TableOptions
from jurydesk.core.tasks.table.table_task import TASK, sniff
from support.oracles import oracle

FOLDER = oracle("tables")
RECORDED = [path for path in sorted(FOLDER.glob("*.*")) if path.suffix != ".md"]
INSPECT = json.loads((FOLDER / "inspect.json").read_text("utf-8"))


def scored(path, **options):
    """Return the system of a file, and its scores."""
    result = score_submissions(
        TASK, files_by_role({"results": [path]}), TableOptions(**options), Run()
    )
    (one,) = result.evaluations
    return one.system, {score.metric: score.value for score in one.scores}


@pytest.mark.parametrize(
    ("name", "system", "scores"),
    [
        # The means that the program itself wrote: its line "all", and the log's results.
        ("ir_measures.txt", "ir_measures", {"AP": 0.5833, "P@1": 0.3333, "nDCG@10": 0.6726}),
        ("ir_measures.jsonl", "ir_measures", {"AP": 0.5833, "P@1": 0.3333, "nDCG@10": 0.6726}),
        ("trec_eval.txt", "bm25", {"num_ret": 2.0, "map": 0.5833}),
        ("inspect.json", "mockllm/model", {
            one["name"]: one["metrics"]["accuracy"]["value"] for one in INSPECT["results"]["scores"]
        }),
        # By hand.
        ("agent.lite.json", "agent", {"resolved": 0.5}),
        ("report.json", "report", {"resolved": 0.5}),
        ("per_instance_stats.json", "per_instance_stats",
         {"exact_match": 0.5, "num_output_tokens": 4.0}),
        ("describer.spice.json", "describer", {"spice": 0.5}),
        ("lister.spice.json", "lister", {"spice": 0.5}),
        ("short.spice.json", "short", {"spice": 0.5}),
        ("lighteval.json", "lighteval", {"acc": 0.5, "acc_norm": 1.0}),
        ("samples.json", "samples",
         {"eval_tp": 2.0, "eval_fp": 0.5, "eval_fn": 1.0, "uniqueness": 0.6}),
    ],
)  # fmt: skip
def test_the_results_of_a_program_have_its_own_scores(name, system, scores):
    found, values = scored(FOLDER / name)
    assert found == system
    assert values == {metric: pytest.approx(value, abs=5e-5) for metric, value in scores.items()}


def test_the_scores_of_images_by_pycocoevalcap_are_read_by_image():
    recorded = json.loads((FOLDER / "pycocoevalcap.json").read_text("utf-8"))
    _, values = scored(FOLDER / "pycocoevalcap.json")
    names = [name for name in recorded[0] if name != "image_id"]
    assert values == {
        name: pytest.approx(sum(one[name] for one in recorded) / len(recorded)) for name in names
    }


def test_samples_of_several_filters_are_scores_of_their_own(tmp_path):
    (file,) = FOLDER.glob("samples_*.jsonl")
    folder = tmp_path / "openai__gpt"
    folder.mkdir()
    copy = shutil.copy(file, folder)
    found, values = scored(folder / file.name)
    assert copy
    assert found == "openai__gpt"
    assert values == {"exact_match,strict-match": 0.5, "exact_match,flexible-extract": 1.0}


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.*")), ids=lambda path: path.name)
def test_a_dropped_file_of_a_program_is_recognized(path):
    is_text = path.suffix in (".txt", ".md")
    assert (sniff(path.read_bytes()) is not None) is (not is_text or path.suffix == ".txt")


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.name)
def test_a_recorded_file_becomes_a_board_by_a_command_as_by_a_drop(path, tmp_path):
    desk = tmp_path / "table.jurydesk"
    assert main(["score", "table", "--results", str(path), "--desk", str(desk)]) == 0
    (dropped,) = classify_files([path], Run())
    assert dropped.guesses["table"].role == "results"
    with Desk.open(desk) as opened:
        (one,) = opened.evaluations()
        found = {score.metric: pytest.approx(score.value, nan_ok=True) for score in one.scores}
    assert (one.system, found) == scored(dropped.path)


def test_every_map_has_a_recorded_file():
    used = set()
    for path in FOLDER.glob("*.json*"):
        text = path.read_text("utf-8")
        lines = text.splitlines()
        data = list(map(json.loads, lines)) if path.suffix == ".jsonl" else json.loads(text)
        used.add(find_map("auto", path=path, data=data))
    for path in FOLDER.glob("*.txt"):
        used.add(find_map("auto", path=path, text=path.read_text("utf-8")))
    assert set(column_maps().values()) <= used


def test_a_map_can_be_refused():
    _, values = scored(FOLDER / "lighteval.json", map="none", item="doc.id", score=("metric.acc",))
    assert values == {"metric.acc": 0.5}
