"""Slices: the matching items, and a board of these alone."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from jurydesk.core.analysis.item_attributes import ItemAttributes
from jurydesk.core.analysis.leaderboard import find_score
from jurydesk.core.analysis.slice_leaderboard import (
    family_of_slices,
    slice_leaderboard,
    slice_leaderboards,
)
from jurydesk.core.analysis.slices import ItemSlice, slice_by_query, slices_by_column
from jurydesk.core.competition.examples import example_folder, example_inputs
from jurydesk.core.desk import Desk
from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.model.evaluation import Evaluation, ItemTable, Passage, Score, UsageError
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.tasks.densecap.densecap_task import TASK as DENSECAP
from support import toy

TRUTH = {f"n{number:02d}": number / 10 for number in range(20)}
TASK = replace(
    toy.TASK,
    presentation=replace(
        toy.TASK.presentation,
        attributes=lambda items: {"kind": lambda: ["even", "odd"] * (len(items) // 2)},
        explain_item=lambda evidence: (
            Passage("Wanted", f"value {evidence.wanted:g}", shared=True),
        ),
    ),
)


def filled(path: Path, task, inputs) -> Desk:
    desk = Desk.create(path)
    desk.set_competition(task.id, task.title, {})
    for evaluation in score_submissions(
        task, files_by_role(inputs), task.scoring.options(), Run()
    ).evaluations:
        desk.add(evaluation)
    return desk


@pytest.fixture
def desk(tmp_path) -> Iterator[Desk]:
    truth = toy.write(tmp_path / "truth.txt", TRUTH)
    near = {key: value + 0.01 * (n % 5) for n, (key, value) in enumerate(TRUTH.items())}
    far = {key: value - 0.5 for key, value in list(TRUTH.items())[:-2]}
    paths = [toy.write(tmp_path / "near.txt", near), toy.write(tmp_path / "far.txt", far)]
    with filled(tmp_path / "toy.jurydesk", TASK, {"truth": [truth], "guesses": paths}) as opened:
        yield opened


@pytest.fixture
def attributes(desk) -> ItemAttributes:
    return ItemAttributes(desk, TASK, desk.evaluations(), Run())


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("n1", {f"n1{n}" for n in range(10)}),
        ("kind=odd n0", {"n01", "n03", "n05", "n07", "n09"}),
        ('KIND != "odd" n00', {"n00"}),
        ("id=n07", {"n07"}),
        ("VALUE n02", {"n02"}),
        ("1.9", {"n19"}),
        ("listed < 1", {"n18", "n19"}),
    ],
)
def test_items_are_found_by_words_texts_and_numbers(attributes, query, expected):
    assert slice_by_query(attributes, query).ids == expected


def test_a_number_that_differs_between_systems_is_compared_by_its_mean(attributes):
    of_all = attributes.number("closeness")
    assert of_all is not None
    row = attributes.ids.index("n04")
    assert of_all[row] == pytest.approx((0.96 + 0.5) / 2)
    assert of_all[attributes.ids.index("n19")] == pytest.approx(0.96)
    assert "n19" in slice_by_query(attributes, "closeness > 0.9").ids


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("closness < 1", 'no column "closness" in “closness < 1”. Did you mean clos'),
        ("closeness > 7", "No number matches “closeness > 7”."),
        ("elephant", "No number matches “elephant”."),
        (
            "closeness<<5",
            "No number matches “closeness<<5”. “closeness<<5” is not a condition and was",
        ),
        (
            "n0 closeness <",
            "“<” is not a condition and was searched for as text. A condition is NAME",
        ),
        ("kind < odd", "“kind < odd” is not a condition"),
        (" ", "A slice needs a query"),
    ],
)
def test_a_query_without_matches_is_reported_with_the_reason(attributes, query, sentence):
    with pytest.raises(UsageError) as reported:
        slice_by_query(attributes, query)
    assert sentence in str(reported.value)


def test_every_value_of_a_text_column_is_a_slice(attributes):
    assert [(one.title, one.size) for one in slices_by_column(attributes, "Kind")] == [
        ("kind even", "10 numbers"),
        ("kind odd", "10 numbers"),
    ]


def test_many_numbers_are_split_into_quarters_that_contain_every_item_once(attributes, monkeypatch):
    monkeypatch.setattr("jurydesk.core.analysis.slices.MAX_VALUES", 2)
    found = slices_by_column(attributes, "closeness")
    assert len(found) <= 4
    together = [key for one in found for key in one.ids]
    assert sorted(together) == sorted(TRUTH)


def test_few_distinct_numbers_are_a_slice_each(attributes):
    assert [one.title for one in slices_by_column(attributes, "listed")] == [
        "listed 0.5",
        "listed 1",
    ]


def test_texts_with_too_many_values_are_refused(attributes, monkeypatch):
    monkeypatch.setattr("jurydesk.core.analysis.slices.MAX_GROUPS", 3)
    with pytest.raises(UsageError, match="id has 20 different values, more than 3"):
        slices_by_column(attributes, "id")


class TestBoard:
    def test_a_slice_of_all_items_has_the_numbers_of_the_whole_board(self, desk, attributes):
        every = ItemSlice("all", frozenset(attributes.ids), ("number", "numbers"))
        summaries = desk.evaluations()
        board = slice_leaderboard(desk, TASK, summaries, every, Run())
        for row in board.rows:
            before = next(one for one in summaries if one.system == row.summary.system)
            for was in before.scores:
                now = find_score(row.summary, was.metric)
                assert now is not None
                assert now.value == pytest.approx(was.value, rel=1e-14)
                assert (now.interval is None) == (was.interval is None)
                if now.interval and was.interval:
                    assert now.interval.low == pytest.approx(was.interval.low, rel=1e-12)

    def test_a_slice_is_scored_by_its_own_items(self, desk, attributes):
        chosen = slice_by_query(attributes, "id=n04")
        chosen = replace(chosen, ids=chosen.ids | {"n19"})
        board = slice_leaderboard(desk, TASK, desk.evaluations(), chosen, Run())
        near, far = (row.summary for row in board.rows)
        assert find_score(near, "closeness").value == pytest.approx((0.96 + 0.96) / 2)
        assert (find_score(far, "closeness").value, find_score(far, "closeness").n) == (0.5, 1)
        assert find_score(far, "rmse").value == pytest.approx(math.sqrt(0.5**2 / 2))
        assert find_score(near, "listed").value == 2
        assert [near.n_items, far.n_items] == [2, 2]
        assert board.title == "Toy: id=n04 (2 numbers)"

    def test_a_metric_without_items_of_the_slice_is_not_on_the_board(self, desk, attributes):
        board = slice_leaderboard(
            desk, TASK, desk.evaluations(), slice_by_query(attributes, "id=n19"), Run()
        )
        assert [find_score(row.summary, "closeness") is None for row in board.rows] == [False, True]


def test_the_map_of_some_images_equals_that_of_a_competition_of_these_images(tmp_path):
    folder = example_folder(DENSECAP)
    assert folder is not None
    kept = ("02-harbour", "05-park", "09-lake", "12-hill")
    small = tmp_path / "small"
    small.mkdir()
    people = json.loads((folder / "people.json").read_text())
    people["images"] = [one for one in people["images"] if one["image_id"] in kept]
    grid = json.loads((folder / "grid.json").read_text())
    grid["detections"] = [one for one in grid["detections"] if one["image_id"] in kept]
    (small / "people.json").write_text(json.dumps(people))
    (small / "grid.json").write_text(json.dumps(grid))
    inputs = {"ground-truth": [small / "people.json"], "detections": [small / "grid.json"]}
    (alone,) = score_submissions(
        DENSECAP, files_by_role(inputs), DENSECAP.scoring.options(), Run(), resamples=0
    ).evaluations
    whole = dict(example_inputs(DENSECAP, folder))
    whole["detections"] = [path for path in whole["detections"] if path.stem in ("grid", "tagger")]
    with filled(tmp_path / "dense.jurydesk", DENSECAP, whole) as desk:
        chosen = ItemSlice("four", frozenset(kept), ("image", "images"))
        board = slice_leaderboard(desk, DENSECAP, desk.evaluations(), chosen, Run())
    row = next(row for row in board.rows if row.summary.system == "grid")
    ours = np.array([find_score(row.summary, one.metric).value for one in alone.scores])
    np.testing.assert_allclose(ours, [one.value for one in alone.scores], rtol=1e-12)
    assert board.significance_tests["published"].items == 4


class TestFamily:
    """Claims of the slices of a column hold together."""

    SLICES, ITEMS = 12, 20

    @pytest.fixture
    def desk(self, tmp_path) -> Iterator[Desk]:
        """Two equal systems, except on the items of the last slice."""
        rng = np.random.default_rng(4)
        ids = tuple(f"n{number:03d}" for number in range(self.SLICES * self.ITEMS))
        with Desk.create(tmp_path / "sliced.jurydesk") as desk:
            desk.set_competition("toy", "Toy", {})
            for name, gain in (("one", 0.0), ("two", 0.2)):
                closeness = rng.normal(0.5, 0.1, len(ids))
                closeness[-self.ITEMS :] += gain
                items = ItemTable(ids, {"closeness": closeness, "square": (1 - closeness) ** 2})
                scores = (Score("closeness", float(closeness.mean()), len(ids)),)
                desk.add(Evaluation("toy", name, "published", scores, items))
            yield desk

    def slices(self, column: str = "part") -> list[ItemSlice]:
        ids = [f"n{number:03d}" for number in range(self.SLICES * self.ITEMS)]
        parts = [ids[at : at + self.ITEMS] for at in range(0, len(ids), self.ITEMS)]
        noun = ("number", "numbers")
        return [ItemSlice(f"{n}", frozenset(one), noun, column) for n, one in enumerate(parts)]

    def leads(self, desk: Desk, slices: list[ItemSlice]) -> list[bool]:
        boards = slice_leaderboards(desk, TASK, desk.evaluations(), slices, Run())
        return ["leads" in board.finding for _, board in boards]

    def test_a_chance_difference_of_one_slice_is_no_claim_among_all(self, desk):
        alone = [self.leads(desk, [one])[0] for one in self.slices()]
        together = self.leads(desk, self.slices())
        assert sum(alone) > 1
        assert together == [False] * (self.SLICES - 1) + [True]

    def test_a_slice_shown_alone_belongs_to_the_family_of_its_column(self, desk):
        slices = self.slices()
        alone = [
            replace(one, others=(*slices[:n], *slices[n + 1 :])) for n, one in enumerate(slices)
        ]
        assert [self.leads(desk, [one]) for one in alone] == [[False]] * (self.SLICES - 1) + [
            [True]
        ]
        assert family_of_slices([alone[0]]) == family_of_slices(slices)

    def test_a_slice_without_a_claim_keeps_its_numbers_and_shares_its_ranks(self, desk):
        slices = self.slices()
        alone = slice_leaderboard(desk, TASK, desk.evaluations(), slices[0], Run())
        board = slice_leaderboards(desk, TASK, desk.evaluations(), slices, Run())[0][1]
        assert [row.summary.scores for row in board.rows] == [
            row.summary.scores for row in alone.rows
        ]
        assert [row.places for row in board.rows] == ["1–2", "1–2"]
        assert board.finding.startswith("The best system is one of these 2; the data cannot say")
        (pair,) = board.significance_tests["published"].pairs
        assert pair.corrected >= 0.05
        assert pair.corrected_interval.low <= 0 <= pair.corrected_interval.high

    def test_the_number_of_chance_claims_is_said_once(self):
        assert family_of_slices(self.slices() * 2) == (
            "24 slices: about one claims a difference by chance alone; claims are corrected over "
            "the slices (Holm)."
        )
        assert "about 0.3 claims" in family_of_slices(self.slices()[:6])
        assert family_of_slices(self.slices()[:1]) == ""
