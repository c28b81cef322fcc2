from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.analysis.leaderboard import Leaderboard, make_leaderboard
from jurydesk.core.desk import Summary
from jurydesk.core.model.evaluation import Interval, MetricInfo, Score
from support import toy

NAN = math.nan


def system(
    name: str,
    closeness: float | None = None,
    interval: tuple[float, float] | None = None,
    rmse: float | None = None,
    profile: str = "published",
    stale: bool = False,
) -> Summary:
    limits = None if interval is None else Interval(*interval)
    scores = []
    if closeness is not None:
        scores.append(Score("closeness", closeness, 10, interval=limits))
    if rmse is not None:
        scores.append(Score("rmse", rmse, 10))
    return Summary(0, name, profile, tuple(scores), "", stale, "", 10)


def board_of(*systems: Summary) -> Leaderboard:
    return make_leaderboard(toy.TASK, systems)


def order(found: Leaderboard) -> list[tuple[int | None, str]]:
    return [(row.place, row.summary.system) for row in found.rows]


class TestOrder:
    def test_the_best_headline_number_is_first(self) -> None:
        found = board_of(system("a", 0.2), system("b", 0.9), system("c", 0.5))
        assert order(found) == [(1, "b"), (2, "c"), (3, "a")]
        assert found.headline is toy.CLOSENESS

    def test_equal_numbers_share_a_rank_and_are_sorted_by_name(self) -> None:
        found = board_of(system("c", 0.5), system("a", 0.5), system("b", 0.9), system("d", 0.1))
        assert order(found) == [(1, "b"), (2, "a"), (2, "c"), (4, "d")]

    def test_undefined_and_missing_numbers_are_last_and_unranked(self) -> None:
        found = board_of(system("a", NAN), system("b", 0.1), system("c", rmse=1.0))
        assert order(found) == [(None, "b"), (None, "a"), (None, "c")]
        two = board_of(system("a", NAN), system("b", 0.1), system("c", 0.2))
        assert order(two) == [(1, "c"), (2, "b"), (None, "a")]

    def test_the_smallest_is_first_where_lower_is_better(self) -> None:
        found = board_of(system("a", rmse=2.0), system("b", rmse=1.0))
        assert found.headline is toy.ERROR
        assert order(found) == [(1, "b"), (2, "a")]

    def test_profiles_are_ranked_separately_in_the_task_s_order(self) -> None:
        found = board_of(system("a", 0.9, profile="corrected"), system("b", 0.1), system("a", 0.2))
        assert [(row.place, row.summary.profile) for row in found.rows] == [
            (1, "published"),
            (2, "published"),
            (None, "corrected"),
        ]

    @given(st.lists(st.floats(0, 1) | st.just(NAN), max_size=6), st.randoms(use_true_random=False))
    def test_the_given_order_does_not_matter(
        self, values: list[float], dice: random.Random
    ) -> None:
        systems = [system(f"s{i}", value) for i, value in enumerate(values)]
        shuffled = dice.sample(systems, len(systems))
        assert repr(board_of(*shuffled)) == repr(board_of(*systems))


class TestCells:
    def test_metrics_are_in_the_task_s_order_and_only_where_a_system_has_them(self) -> None:
        found = board_of(system("a", rmse=2.0), system("b", 0.5))
        assert [info.name for info in found.metrics] == ["closeness", "rmse"]
        assert [cell.score is None for cell in found.rows[0].cells] == [False, True]

    def test_metrics_of_a_family_follow_the_declared_ones(self) -> None:
        family = replace(toy.CLOSENESS, name="P_7", headline=False)
        task = replace(
            toy.TASK,
            scoring=replace(
                toy.TASK.scoring, metric_named=lambda name: family if name == "P_7" else None
            ),
        )
        one = system("a", 0.5)
        found = make_leaderboard(task, [replace(one, scores=(Score("P_7", 0.1, 1), *one.scores))])
        assert [info.name for info in found.metrics] == ["closeness", "P_7"]

    def test_the_best_value_of_every_metric_is_marked_in_its_direction(self) -> None:
        found = board_of(system("a", 0.9, rmse=2.0), system("b", 0.5, rmse=1.0))
        assert [[cell.best for cell in row.cells] for row in found.rows] == [
            [True, False],
            [False, True],
        ]

    def test_equal_bests_are_all_marked(self) -> None:
        found = board_of(system("a", 0.9), system("b", 0.9), system("c", 0.1))
        assert [row.cells[0].best for row in found.rows] == [True, True, False]

    def test_a_single_system_is_never_the_best(self) -> None:
        assert not board_of(system("a", 0.9)).rows[0].cells[0].best
        assert not board_of(system("a", 0.9), system("b", NAN)).rows[0].cells[0].best

    def test_each_profile_has_its_own_best(self) -> None:
        one, two = system("a", 0.9), system("b", 0.5)
        others = [replace(system(n, v), profile="corrected") for n, v in (("a", 0.2), ("b", 0.3))]
        found = board_of(one, two, *others)
        assert [
            (row.summary.profile, row.summary.system) for row in found.rows if row.cells[0].best
        ] == [("published", "a"), ("corrected", "b")]

    def test_counts_are_not_ranked(self) -> None:
        count = replace(system("a"), scores=(Score("listed", 3.0, 3),))
        other = replace(system("b"), scores=(Score("listed", 9.0, 9),))
        found = board_of(count, other)
        assert found.headline is None
        assert order(found) == [(None, "a"), (None, "b")]
        assert not any(cell.best for row in found.rows for cell in row.cells)


@pytest.mark.parametrize(
    ("systems", "sentence"),
    [
        ([], "No system has been scored yet."),
        ([system("a", NAN)], "Closeness is undefined for every system."),
        ([replace(system("a"), scores=())], "No metric of this board ranks the systems."),
        ([system("a", 0.12345)], "a has Closeness 0.1235."),
        (
            [system("a", 0.5), system("b", 0.25)],
            "a has the best Closeness, 0.5000; no difference was tested.",
        ),
        (
            [system("a", 0.5), system("b", 0.5), system("c", 0.5), system("d", 0.1)],
            "a, b and c have the best Closeness, 0.5000; no difference was tested.",
        ),
        (
            [system("a", 0.5, (0.4, 0.6)), system("b", 0.2, (0.1, 0.3))],
            "a has the best Closeness, 0.5000; no difference was tested.",
        ),
        (
            [system("a", 0.5, (0.4, 0.6)), system("b", 0.3, (0.2, 0.4))],
            "a has the best Closeness, 0.5000; no difference was tested.",
        ),
        (
            [system("a", 0.5, (0.4, 0.6)), system("b", 0.3)],
            "a has the best Closeness, 0.5000; no difference was tested.",
        ),
        (
            [system("a", 0.5), system("b", 0.9, profile="corrected")],
            "a has Closeness 0.5000. This is the profile published.",
        ),
        (
            [system("a", 0.5, stale=True), system("b", 0.2)],
            "a has the best Closeness, 0.5000; no difference was tested. "
            "One result is out of date: an input or option has changed since.",
        ),
        (
            [system("a", 0.5, stale=True), system("b", 0.2, stale=True)],
            "a has the best Closeness, 0.5000; no difference was tested. "
            "2 results are out of date: an input or option has changed since.",
        ),
        (
            [system("a", rmse=2.0), system("b", rmse=1.0)],
            "b has the best Error, 1.0000; no difference was tested.",
        ),
    ],
)
def test_the_finding_without_tests_names_the_best_score_alone(
    systems: list[Summary], sentence: str
) -> None:
    assert board_of(*systems).finding == sentence


DOUBT = "Not reliable: only 1 rater judged."


def doubted(*systems: Summary) -> Leaderboard:
    metric = replace(toy.CLOSENESS, doubt=DOUBT)
    task = replace(toy.TASK, scoring=replace(toy.TASK.scoring, metrics=(metric,)))
    return make_leaderboard(task, systems)


@pytest.mark.parametrize(
    ("systems", "sentence"),
    [
        (
            [system("a", 0.5, (0.4, 0.6)), system("b", 0.2, (0.1, 0.3))],
            f"No leader can be named by Closeness. {DOUBT}",
        ),
        (
            [system("a", 0.5), system("b", 0.5, stale=True)],
            f"No leader can be named by Closeness. {DOUBT} "
            "One result is out of date: an input or option has changed since.",
        ),
        ([system("a", 0.12345)], f"a has Closeness (0.1235). {DOUBT}"),
        ([system("a", 0.12345), system("b", NAN)], f"a has Closeness (0.1235). {DOUBT}"),
        ([system("a", NAN)], "Closeness is undefined for every system."),
    ],
)
def test_the_finding_names_no_leader_by_numbers_that_are_not_reliable(
    systems: list[Summary], sentence: str
) -> None:
    board = doubted(*systems)
    assert board.finding == sentence
    assert [row.places for row in board.rows] == [""] * len(systems)  # none has a rank either


def test_the_finding_rounds_as_the_metric_declares() -> None:
    coarse: MetricInfo = replace(toy.CLOSENESS, decimals=1)
    task = replace(toy.TASK, scoring=replace(toy.TASK.scoring, metrics=(coarse,)))
    assert make_leaderboard(task, [system("a", 0.55), system("b", 0.1)]).finding == (
        "a has the best Closeness, 0.6; no difference was tested."
    )
