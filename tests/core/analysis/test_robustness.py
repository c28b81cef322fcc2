"""Choices that could change a ranking, for a score that is a function of rows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from jurydesk.core.analysis.robustness.assessment import assess_robustness
from jurydesk.core.analysis.robustness.robustness import (
    Alternative,
    Robustness,
    robustness_sentences,
)
from jurydesk.core.analysis.significance.leaderboard_significance import desk_significance
from jurydesk.core.analysis.significance.rank_maps import rank_maps
from jurydesk.core.desk import Desk
from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.model.evaluation import Evaluation, ItemTable, Score
from jurydesk.core.model.input_file import files_by_role
from support import toy

TASK = replace(
    toy.TASK,
    scoring=replace(
        toy.TASK.scoring,
        metrics=tuple(replace(one, headline=one == toy.ERROR) for one in toy.TASK.scoring.metrics),
    ),
)
GAINS = {"one": 0.0, "two": 0.02, "three": 0.1}
ERRORS = {"steady": (0.5, 0.5, 0.5, 0.5), "careless": (0.1, 0.1, 0.1, 2.0)}


def test_a_score_of_rows_is_computed_without_each_item_in_turn(tmp_path: Path) -> None:
    """The root of the mean square is 0.5 and 1.0; without the last item 0.5 and 0.1."""
    ids = ("a", "b", "c", "d")
    truth = toy.write(tmp_path / "truth.txt", dict.fromkeys(ids, 0.0))
    guesses = [
        toy.write(tmp_path / f"{name}.txt", dict(zip(ids, values, strict=True)), name)
        for name, values in ERRORS.items()
    ]
    inputs = {"truth": [truth], "guesses": guesses}
    scored = score_submissions(
        TASK, files_by_role(inputs), toy.Options(), Run(), resamples=0
    ).evaluations
    with Desk.create(tmp_path / "toy.jurydesk") as desk:
        desk.set_competition(TASK.id, TASK.title, {})
        for one in scored:
            desk.add(replace(one, scores=one.scores[1:2]))
        found = assess_robustness(desk, TASK, "published", Run(), rescoring=False)
    assert found is not None
    assert found.systems == ("steady", "careless")
    (left_out,) = [one for one in found.alternatives if one.choice == "leave out"]
    assert (left_out.value, left_out.cases, left_out.changed) == ("one number", 4, 1)
    assert left_out.winners == (("d", ("careless",)),)


def test_an_order_is_described_with_what_is_left_out() -> None:
    kept = Alternative("profile", "corrected", (1, 2), (1, 2), 1, 0)
    found = Robustness(toy.CLOSENESS, "published", ("one", "two"), (1, 2), (kept,), ("Left out.",))
    sentence = "1 of 1 choice does not change the order of 2 systems by Closeness (published)."
    assert robustness_sentences(found) == (sentence, "Left out.")


def test_the_maps_have_the_ranks_of_resamples_and_the_p_values_of_pairs(tmp_path: Path) -> None:
    dice = np.random.default_rng(1)
    columns = {name: 0.5 + gain + 0.1 * dice.standard_normal(40) for name, gain in GAINS.items()}
    with Desk.create(tmp_path / "toy.jurydesk") as desk:
        desk.set_competition("toy", "Toy", {})
        for name, column in columns.items():
            ids = tuple(f"n{row:02d}" for row in range(40))
            items = ItemTable(ids, {"closeness": column, "square": column**2})
            scores = (Score("closeness", float(column.mean()), 40),)
            desk.add(Evaluation("toy", name, "published", scores, items))
        found = assess_robustness(desk, toy.TASK, "published", Run(), rescoring=False)
        tested = desk_significance(desk, toy.TASK, desk.evaluations(), Run())
        given = assess_robustness(
            desk, toy.TASK, "published", Run(), rescoring=False, tested=tested
        )
    assert found is not None
    assert given == found  # the board's tests are those that it would make
    tests = tested["published"]
    assert found.sampling is not None
    ranks, pairs = rank_maps(found)
    np.testing.assert_allclose(ranks.values.sum(axis=1), 100)
    np.testing.assert_allclose(ranks.values.sum(axis=0), 100)  # no two scores are equal
    np.testing.assert_allclose(ranks.values[:, 0], 100 * np.array(found.sampling.shares))
    rows = dice.integers(0, 40, (4000, 40))
    means = np.array([columns[name][rows].mean(axis=1) for name in found.systems])
    second = (np.argsort(np.argsort(-means, axis=0), axis=0) == 1).mean(axis=1)
    np.testing.assert_allclose(ranks.values[:, 1], 100 * second, atol=5)
    place = {name: number for number, name in enumerate(found.systems)}
    for one in tests.pairs:
        assert pairs.values[place[one.first], place[one.second]] == one.corrected
    np.testing.assert_array_equal(pairs.values, pairs.values.T)
    assert np.isnan(np.diag(pairs.values)).all()
    many = replace(found, systems=tuple(map(str, range(21))))
    assert rank_maps(many) == []
