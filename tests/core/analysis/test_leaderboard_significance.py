"""Comparison of a desk's systems, whatever order they were added in."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jurydesk.core.analysis.leaderboard import make_leaderboard
from jurydesk.core.analysis.significance.leaderboard_significance import (
    desk_significance,
    find_copied_systems,
)
from jurydesk.core.desk import Desk
from jurydesk.core.execution.run import Run
from jurydesk.core.model.evaluation import Evaluation, ItemTable, Score
from support import toy
from support.windows import dense_evaluations

ITEMS = 40


def evaluation(number: int) -> Evaluation:
    """Return a system that lacks some items and has the others in its own order."""
    rng = np.random.default_rng(number)
    order = rng.permutation(ITEMS)
    closeness = np.clip(0.6 + 0.02 * number + rng.normal(0, 0.2, ITEMS), 0, 1)
    closeness[rng.random(ITEMS) < 0.05 * number] = np.nan
    closeness = closeness[order]
    ids = tuple(f"q{item:02d}" for item in order.tolist())
    items = ItemTable(ids, {"closeness": closeness, "square": (1 - closeness) ** 2})
    known = int(np.isfinite(closeness).sum())
    scores = (Score("closeness", float(np.nanmean(closeness)), known),)
    return Evaluation("toy", f"system {number}", "published", scores, items)


SYSTEMS = tuple(evaluation(number) for number in range(6))


def numbers_of_desk(task, evaluations, folder: Path):
    """Return the tests, copies and board of a desk, without the desk's own numbers."""
    with Desk.create(folder / "some.jurydesk") as desk:
        for one in evaluations:
            desk.add(one)
        summaries = desk.evaluations()
        apart = desk_significance(desk, task, summaries, Run())
        made = make_leaderboard(task, summaries, apart)
        rows = [(r.summary.system, r.place, r.places, r.summary.scores) for r in made.rows]
        return apart, find_copied_systems(desk, task, summaries, Run()), made.finding, rows


@settings(max_examples=15, deadline=None)
@given(st.permutations(SYSTEMS), st.integers(2, len(SYSTEMS)))
def test_no_number_depends_on_the_order_of_the_systems(order, count) -> None:
    chosen = sorted(order[:count], key=lambda one: one.system)
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        there = numbers_of_desk(toy.TASK, order[:count], Path(first))
        assert there == numbers_of_desk(toy.TASK, chosen, Path(second))


@pytest.fixture(scope="module")
def dense():
    return tuple(dense_evaluations.evaluations().values())


def test_no_number_of_map_by_images_depends_on_the_order_of_the_systems(
    dense, tmp_path: Path
) -> None:
    (tmp_path / "turned").mkdir()
    there = numbers_of_desk(dense_evaluations.TASK, dense, tmp_path)
    assert there == numbers_of_desk(dense_evaluations.TASK, dense[::-1], tmp_path / "turned")
    assert there[0]["published"].unit == "images"


def test_a_single_system_has_an_interval(dense, tmp_path: Path) -> None:
    apart, _, sentence, ((system, place, places, scores),) = numbers_of_desk(
        dense_evaluations.TASK, dense[:1], tmp_path
    )
    assert not apart
    assert (system, place, places) == (dense[0].system, None, "")
    limits = next(score.interval for score in scores if score.metric == "map")
    assert limits is not None
    assert limits.low < dense[0].score("map").value < limits.high
    assert sentence == f"{system} has mAP {dense[0].score('map').value:.4f}."
