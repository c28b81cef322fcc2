"""The same score has the same interval on every page and in every file."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from jurydesk.core.analysis.slice_leaderboard import slice_leaderboard
from jurydesk.core.analysis.slices import ItemSlice
from jurydesk.core.cli import main
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.desk import Desk
from jurydesk.core.execution.run import Run
from jurydesk.core.library import scoring
from jurydesk.core.model.stamp import Stamp
from support.rating.rated_examples import scored_desk

Ends = tuple[float, float] | None
Scores = Mapping[tuple[str, str], Ends]
"""Intervals by system and metric."""
OF_THE_BOARD = {"densecap"}
"""Examples of scores of whole sets of images, of which the board resamples the ranking one."""
FEW = {"visdial"}
"""Examples whose scores have too few groups for intervals, or do not follow from items."""


def ends(interval: object) -> Ends:
    low, high = getattr(interval, "low", None), getattr(interval, "high", None)
    return None if low is None or high is None else (low, high)


def of_board_json(path: Path) -> Scores:
    board = json.loads(path.read_text("utf-8"))
    return {
        (row["name"], one["metric"]): (one["interval"]["low"], one["interval"]["high"])
        if one["interval"]
        else None
        for row in board["systems"]
        for one in row["details"]
    }


def of_board_csv(path: Path) -> Scores:
    rows = list(csv.DictReader(path.read_text("utf-8").splitlines()))
    names = [name.removesuffix("_low") for name in rows[0] if name.endswith("_low")]
    return {
        (row["system"], name): (float(row[f"{name}_low"]), float(row[f"{name}_high"]))
        if row[f"{name}_low"]
        else None
        for row in rows
        for name in names
    }


@pytest.mark.parametrize(
    "name", ["captions", "densecap", "keyword-spotting", "retrieval", "visdial", "vist", "vqa"]
)
def test_every_output_of_an_example_has_the_intervals_of_its_desk(name: str, tmp_path) -> None:
    path = scored_desk(name, tmp_path)
    with Desk.open(path, read_only=True) as desk:
        evaluations = [desk.load(one.id) for one in desk.evaluations()]
        scored = {score.metric for one in evaluations for score in one.scores}
        headlines = registry().tasks[name].headlines  # of which some belong to other rules
        rankings = [info.name for info in headlines if info.name in scored]
        assert rankings
    stored = {
        (one.system, score.metric): ends(score.interval)
        for one in evaluations
        for score in one.scores
    }
    assert any(stored.values()) == (name not in FEW)

    stamped = {
        (one.system, score.metric): ends(score.interval)
        for one in evaluations
        for score in Stamp.from_json(one.stamp).scores
    }
    assert stamped == stored
    opened = scoring.open(path)
    library = {
        (one.name, metric): ends(one.intervals.get(metric))
        for one in opened
        for metric in one.scores
    }
    assert library == stored

    for ranking in rankings[:3]:
        document, table = tmp_path / "board.json", tmp_path / "board.csv"
        given = ["board", str(path), "--metric", ranking, "--quiet"]
        assert main([*given, "--json", str(document), "--csv", str(table)]) == 0
        for found in (of_board_json(document), of_board_csv(table)):
            assert found
            for (system, metric), limits in found.items():
                if name not in OF_THE_BOARD or metric != ranking:
                    assert limits == pytest.approx(stored[system, metric]), (ranking, metric)


def test_a_slice_of_all_items_has_the_intervals_of_the_whole(tmp_path) -> None:
    path = scored_desk("keyword-spotting", tmp_path)
    task = registry().tasks["keyword-spotting"]
    with Desk.open(path, read_only=True) as desk:
        summaries = desk.evaluations()
        ids = frozenset(key for one in summaries for key in desk.load(one.id).items.ids)
        whole = ItemSlice("all", ids, task.item_noun)
        board = slice_leaderboard(desk, task, summaries, whole, Run())
    stored = {
        (one.system, score.metric): score.interval for one in summaries for score in one.scores
    }
    for row in board.rows:
        for score in row.summary.scores:
            expected = stored[row.summary.system, score.metric]
            assert ends(score.interval) == pytest.approx(ends(expected)), score.metric
