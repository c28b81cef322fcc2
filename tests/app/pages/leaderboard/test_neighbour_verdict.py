"""Sentences about a system and its neighbour on the board."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from jurydesk.app.pages.leaderboard.neighbour_verdict import compare_with_neighbour
from jurydesk.core.analysis.leaderboard import Leaderboard, make_leaderboard
from jurydesk.core.analysis.significance.pairwise_significance import compare_all_pairs
from jurydesk.core.analysis.significance.significance_methods import Entrant
from jurydesk.core.desk.summary import Summary
from jurydesk.core.execution.run import Run
from jurydesk.core.model.evaluation import ItemTable, Score
from support import toy

IDS = tuple(f"q{number:03d}" for number in range(100))


def entrant(name: str, mean: float, seed: int) -> Entrant:
    values = np.clip(np.random.default_rng(seed).normal(mean, 0.1, len(IDS)), 0, 1)
    return Entrant(name, float(values.mean()), ItemTable(IDS, {"closeness": values}))


def scores_of(one: Entrant) -> tuple[Score]:
    return (Score("closeness", one.value, len(IDS)),)


@pytest.fixture(scope="module")
def made() -> Leaderboard:
    entrants = [entrant("zoe", 0.8, 1), entrant("ann", 0.5, 2), entrant("bob", 0.5, 3)]
    summaries = [
        Summary(
            0, one.system, "published", (Score("closeness", one.value, 100),), "", False, "", 100
        )
        for one in entrants
    ]
    significance = compare_all_pairs(toy.TASK, toy.CLOSENESS, "published", entrants, Run())
    assert significance is not None
    return make_leaderboard(toy.TASK, summaries, {"published": significance})


def test_the_first_is_compared_with_the_second(made: Leaderboard) -> None:
    found = compare_with_neighbour(made, made.rows[0])
    assert found is not None
    assert (found.first, found.second) == ("zoe", made.rows[1].summary.system)
    assert found.sentence.startswith("They differ significantly: difference +0.")
    assert (
        "p < 0.001, approximate randomisation, corrected over the 3 pairs of 3 systems"
        in found.sentence
    )


def test_any_other_is_compared_with_the_one_above(made: Leaderboard) -> None:
    found = compare_with_neighbour(made, made.rows[2])
    assert found is not None
    names = [row.summary.system for row in made.rows]
    assert (found.first, found.second) == (names[1], names[2])
    assert found.sentence.startswith("The data cannot say which of them is better: difference +0.0")


def test_systems_are_not_told_apart_by_numbers_that_are_not_reliable(made: Leaderboard) -> None:
    metrics = [replace(info, doubt="Not reliable: only 1 rater judged.") for info in made.metrics]
    doubted = replace(made, metrics=tuple(metrics), headline=metrics[0])
    found = compare_with_neighbour(doubted, doubted.rows[0])
    assert found is not None
    assert found.sentence == "Not reliable: only 1 rater judged."
    assert found.comparable


def test_the_only_pair_that_could_be_tested_is_not_corrected_over_others(made: Leaderboard) -> None:
    significance, nan = made.significance_tests["published"], float("nan")
    names = {row.summary.system for row in made.rows[:2]}
    pairs = tuple(
        one if {one.first, one.second} == names else replace(one, p=nan, corrected=nan)
        for one in significance.pairs
    )
    few = replace(made, significance_tests={"published": replace(significance, pairs=pairs)})
    found = compare_with_neighbour(few, few.rows[0])
    assert found is not None
    assert "(approximate randomisation, this pair alone)" in found.sentence


def test_a_single_system_has_no_comparison(made: Leaderboard) -> None:
    alone = make_leaderboard(toy.TASK, [made.rows[0].summary])
    assert compare_with_neighbour(alone, alone.rows[0]) is None


def untested(made: Leaderboard, **changed: object) -> Leaderboard:
    """Return the same board without tests."""
    metric = replace(toy.CLOSENESS, **changed)
    return replace(made, headline=metric, significance_tests={})


@pytest.mark.parametrize(
    ("aggregate", "reason"),
    [
        ("mean", "Closeness in this desk is not the mean of its stories."),
        ("sum", "Closeness is a sum that cannot be resampled over stories."),
        ("own", "Closeness cannot be resampled over stories."),
    ],
)
def test_the_reason_for_a_missing_test_is_stated(
    made: Leaderboard, aggregate: str, reason: str
) -> None:
    found = compare_with_neighbour(untested(made, aggregate=aggregate), made.rows[0], "stories")
    assert found is not None
    assert found.sentence == f"These two were not tested: {reason}"
    assert found.comparable


def test_a_running_test_is_reported(made: Leaderboard) -> None:
    found = compare_with_neighbour(
        untested(made), made.rows[0], "stories", "They are being compared."
    )
    assert found is not None
    assert found.sentence == "They are being compared."
    assert compare_with_neighbour(
        made, made.rows[0], "stories", "They are being compared."
    ) == compare_with_neighbour(made, made.rows[0], "stories")


def test_a_system_without_the_score_cannot_be_compared(made: Leaderboard) -> None:
    rows = list(made.rows)
    rows[2] = replace(rows[2], summary=replace(rows[2].summary, scores=()))
    found = compare_with_neighbour(replace(made, rows=tuple(rows)), rows[2])
    assert found is not None
    name = rows[2].summary.system
    assert found.sentence == f"These two were not tested: {name} has no Closeness."
    assert not found.comparable


def test_systems_with_too_few_items_are_not_tested(made: Leaderboard) -> None:
    significance = made.significance_tests["published"]
    pairs = tuple(replace(one, p=float("nan")) for one in significance.pairs)
    few = replace(made, significance_tests={"published": replace(significance, pairs=pairs)})
    found = compare_with_neighbour(few, few.rows[0], "stories")
    assert found is not None
    assert found.sentence.endswith("too few stories are scored for both systems.")
