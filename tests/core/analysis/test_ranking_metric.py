"""The metric that ranks the systems: the competition's, a chosen one, or several."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from jurydesk.core.analysis.average_rank import average_ranks
from jurydesk.core.analysis.leaderboard import headline_metric, make_leaderboard
from jurydesk.core.analysis.leaderboard_table import leaderboard_table
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.desk import Desk, Summary
from jurydesk.core.execution.run import Run
from jurydesk.core.model.evaluation import Evaluation, ItemTable, Score, UsageError
from jurydesk.core.statistics.inference import Inference
from support import toy

IDS = tuple(f"i{number:02d}" for number in range(40))


def summary(name: str, closeness: float, rmse: float) -> Summary:
    scores = (Score("closeness", closeness, 9), Score("rmse", rmse, 9), Score("listed", 9.0, 9))
    return Summary(0, name, "published", scores, "", False, "", 9)


CLOSE, EXACT = summary("close", 0.9, 2.0), summary("exact", 0.5, 1.0)


def ranked_by(metric: str) -> object:
    scoring = replace(toy.TASK.scoring, rank_by=metric)
    return replace(toy.TASK, scoring=scoring)


def order(task: object, rank_by: str = "") -> list[str]:
    board = make_leaderboard(task, [CLOSE, EXACT], rank_by=rank_by)
    return [row.summary.system for row in board.rows]


def test_a_competition_ranks_by_its_first_headline_metric_or_by_the_one_that_it_declares():
    assert order(toy.TASK) == ["close", "exact"]
    assert order(ranked_by("rmse")) == ["exact", "close"]
    assert ranked_by("rmse").headlines[0].name == "closeness"  # the error is no headline metric


def test_captions_are_ranked_by_cider():
    task = registry().tasks["captions"]
    assert [info.name for info in task.headlines][:2] == ["cider", "bleu_1"]
    scores = tuple(Score(name, 0.5, 9) for name in ("bleu_1", "bleu_4", "cider"))
    found = headline_metric(task, [replace(CLOSE, scores=scores)])
    assert found is not None
    assert found.name == "cider"


def test_a_chosen_metric_orders_and_words_the_board_in_its_direction():
    board = make_leaderboard(toy.TASK, [CLOSE, EXACT], rank_by="rmse")
    assert [(row.place, row.summary.system) for row in board.rows] == [(1, "exact"), (2, "close")]
    assert board.finding == "exact has the best Error, 1.0000; no difference was tested."


def test_a_metric_that_no_system_has_or_that_does_not_rank_is_not_used():
    for name in ("listed", "unknown"):
        assert order(toy.TASK, name) == ["close", "exact"]


MEANS = {"first": 0.8, "second": 0.7, "third": 0.3}


class TestAverageRank:
    @pytest.fixture
    def desk(self, tmp_path: Path):
        rng = np.random.default_rng(3)
        with Desk.create(tmp_path / "toy.jurydesk") as desk:
            desk.set_competition("toy", "Toy", {})
            for name, mean in MEANS.items():
                closeness = np.clip(rng.normal(mean, 0.02, len(IDS)), 0, 1)
                # The error orders the first two the other way round.
                square = (1 - closeness) ** 2 + (0.5 if name == "first" else 0.0)
                items = ItemTable(IDS, {"closeness": closeness, "square": square})
                scores = (
                    Score("closeness", float(closeness.mean()), len(IDS)),
                    Score("rmse", float(square.mean() ** 0.5), len(IDS)),
                )
                desk.add(Evaluation("toy", name, "published", scores, items))
            yield desk

    def averaged(self, desk: Desk, *names: str):
        return average_ranks(desk, toy.TASK, desk.evaluations(), names, Run(), Inference())

    def test_it_is_the_mean_of_the_ranks_and_of_the_ends_of_their_intervals(self, desk):
        """All differences are far beyond chance: both metrics rank the systems exactly."""
        found = self.averaged(desk, "closeness", "rmse")
        assert {system: value for (_, system), value in found.values.items()} == {
            "first": (1 + 3) / 2,
            "second": (2 + 1) / 2,
            "third": (3 + 2) / 2,
        }
        ends = {system: (i.low, i.high) for (_, system), i in found.intervals.items()}
        assert ends == {"first": (2, 2), "second": (1.5, 1.5), "third": (2.5, 2.5)}

    def test_a_column_has_it_on_the_board(self, desk):
        board = make_leaderboard(toy.TASK, desk.evaluations())
        board = replace(board, average_ranks=self.averaged(desk, "closeness", "rmse"))
        (column,) = [one for one in leaderboard_table(board) if one.name == "average_rank"]
        assert column.title == "Average rank (Closeness, Error)"
        assert [column.plain(row) for row in range(3)] == ["2.00", "1.50", "2.50"]

    @pytest.mark.parametrize("name", ["listed", "unknown"])
    def test_a_metric_that_cannot_rank_is_refused(self, desk, name):
        with pytest.raises(UsageError):
            self.averaged(desk, "closeness", name)

    def test_the_intervals_of_more_metrics_are_wider(self, desk):
        """Each metric gets its share of the 5 %."""
        from jurydesk.core.analysis.significance.leaderboard_significance import load_entrants
        from jurydesk.core.analysis.significance.pairwise_significance import compare_all_pairs

        entrants = load_entrants(desk, toy.TASK, toy.CLOSENESS, desk.evaluations())
        found = compare_all_pairs(toy.TASK, toy.CLOSENESS, "published", entrants, Run())
        assert found.ranks_at(0.05) == list(found.ranks)
        assert [(one.best, one.worst) for one in found.ranks_at(0.0)] == [(1, 3)] * 3
