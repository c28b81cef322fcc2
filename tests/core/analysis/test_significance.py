from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import scipy.stats

from jurydesk.core.analysis.leaderboard import Leaderboard, make_leaderboard
from jurydesk.core.analysis.leaderboard_finding import lead_sentence
from jurydesk.core.analysis.leaderboard_table import leaderboard_table
from jurydesk.core.analysis.significance.pairwise_significance import (
    PairwiseSignificance,
    compare_all_pairs,
    required_columns,
)
from jurydesk.core.analysis.significance.significance_methods import Entrant
from jurydesk.core.desk import Summary
from jurydesk.core.execution.intervals import add_intervals
from jurydesk.core.execution.run import Cancelled, CancelToken, Run
from jurydesk.core.model.evaluation import (
    Evaluation,
    FloatArray,
    ItemTable,
    Score,
    Units,
)
from jurydesk.core.statistics.bootstrap import RESAMPLES, SEED, ResamplingPlan, count_draws
from jurydesk.core.statistics.inference import Inference
from jurydesk.core.statistics.paired_tests import (
    RandomisationPlan,
    mean_differences,
    randomisation_test,
)
from jurydesk.core.statistics.power import minimum_detectable_differences
from jurydesk.core.statistics.rank_intervals import RankInterval
from support import toy

IDS = tuple(f"i{number:03d}" for number in range(120))


def columns(mean: float, seed: int) -> dict[str, FloatArray]:
    rng = np.random.default_rng(seed)
    closeness = np.clip(rng.normal(mean, 0.1, len(IDS)), 0, 1)
    return {"closeness": closeness, "square": (1 - closeness) ** 2}


def entrant(name: str, mean: float, seed: int, metric: str = "closeness") -> Entrant:
    found = columns(mean, seed)
    value = found["closeness"].mean() if metric == "closeness" else found["square"].mean() ** 0.5
    return Entrant(name, float(value), ItemTable(IDS, found))


FIELD = [entrant("a", 0.7, 1), entrant("b", 0.7, 2), entrant("c", 0.3, 3)]
ERRORS = [
    entrant(one, mean, seed, "rmse")
    for one, mean, seed in (("a", 0.7, 1), ("b", 0.7, 2), ("c", 0.3, 3))
]


def separated(entrants: list[Entrant]) -> PairwiseSignificance:
    found = compare_all_pairs(toy.TASK, toy.CLOSENESS, "published", entrants, Run())
    assert found is not None
    return found


def places(found: PairwiseSignificance) -> dict[str, tuple[int, int]]:
    ranks = zip(found.systems, found.ranks, strict=True)
    return {name: (rank.best, rank.worst) for name, rank in ranks}


class TestMeans:
    def test_systems_without_a_significant_difference_share_the_first_rank(self) -> None:
        assert places(separated(FIELD)) == {"a": (1, 2), "b": (1, 2), "c": (3, 3)}

    def test_the_tests_use_the_aligned_columns(self) -> None:
        found = separated(FIELD)
        values = np.column_stack([one.items.columns["closeness"] for one in FIELD])
        pairs = [(0, 1), (0, 2), (1, 2)]
        expected = randomisation_test(values, pairs, RandomisationPlan(len(IDS)))
        assert [pair.p for pair in found.pairs] == expected.tolist()
        apart = mean_differences(values, pairs)
        np.testing.assert_allclose([pair.difference for pair in found.pairs], apart)

    def test_the_order_of_systems_or_items_changes_no_number(self) -> None:
        turned = [
            replace(
                one,
                items=ItemTable(
                    one.items.ids[::-1],
                    {name: column[::-1] for name, column in one.items.columns.items()},
                ),
            )
            for one in FIELD[::-1]
        ]
        assert separated(turned) == separated(FIELD)

    def test_an_item_that_one_system_lacks_is_left_out_of_its_pairs(self) -> None:
        short = FIELD[0].items
        kept = ItemTable(short.ids[:-20], {n: c[:-20] for n, c in short.columns.items()})
        first = Entrant("a", float(kept.columns["closeness"].mean()), kept)
        found = separated([first, *FIELD[1:]])
        rest = FIELD[1].items.columns["closeness"][:-20]
        expected = kept.columns["closeness"].mean() - rest.mean()
        assert found.pairs[0].difference == pytest.approx(expected)

    @pytest.mark.parametrize(
        "entrants",
        [
            FIELD[:1],
            [FIELD[0], replace(FIELD[1], value=float("nan"))],
            [FIELD[0], replace(FIELD[1], value=0.123)],
        ],
        ids=["one system", "an undefined score", "a score that is not the mean of its items"],
    )
    def test_incomparable_systems_are_not_tested(self, entrants: list[Entrant]) -> None:
        assert compare_all_pairs(toy.TASK, toy.CLOSENESS, "published", entrants, Run()) is None

    def test_counts_are_not_ranked(self) -> None:
        assert required_columns(toy.TASK, toy.COUNT) == ()
        assert compare_all_pairs(toy.TASK, toy.COUNT, "published", FIELD, Run()) is None

    def test_the_tests_can_be_cancelled(self) -> None:
        cancel = CancelToken()
        cancel.cancel()
        with pytest.raises(Cancelled):
            compare_all_pairs(toy.TASK, toy.CLOSENESS, "published", FIELD, Run(cancel=cancel))


class TestOtherNumbers:
    def test_a_combined_score_is_resampled_and_the_lowest_error_is_first(self) -> None:
        found = compare_all_pairs(toy.TASK, toy.ERROR, "published", ERRORS, Run())
        assert found is not None
        assert found.method == "bootstrap standard error"
        assert places(found) == {"a": (1, 2), "b": (1, 2), "c": (3, 3)}

    def test_units_are_drawn_whole(self) -> None:
        def halves(items: ItemTable, profile: str) -> Units:
            column = items.columns["closeness"].reshape(-1, 2).sum(axis=1)
            names = tuple(f"u{number:02d}" for number in range(len(column)))
            return Units(names, lambda c: {"whole": float(c @ column / (2 * c.sum()))}, "halves")

        whole = replace(toy.CLOSENESS, name="whole", aggregate="own")
        task = replace(toy.TASK, scoring=replace(toy.TASK.scoring, metrics=(whole,), units=halves))
        assert required_columns(task, whole) is None
        found = compare_all_pairs(task, whole, "published", FIELD, Run())
        assert found is not None
        assert (found.unit, found.items, found.rounds) == ("halves", 60, 200)
        assert places(found) == {"a": (1, 2), "b": (1, 2), "c": (3, 3)}
        sums = FIELD[0].items.columns["closeness"].reshape(-1, 2).sum(axis=1)
        weights = np.concatenate([count_draws(draws) for draws in ResamplingPlan(60, 200).draws()])
        score = Score("whole", FIELD[0].value, 60)
        alone = Evaluation("toy", "a", "published", (score,), FIELD[0].items)
        (scored,) = add_intervals(task, alone, Run(), RESAMPLES, SEED, Inference()).scores
        limits, resampled = scored.interval, weights @ sums / 120
        assert limits is not None
        assert limits.method == "bootstrap t, 200 resamples of halves, no bias"
        assert (limits.low + limits.high) / 2 == pytest.approx(
            2 * FIELD[0].value - resampled.mean()
        )

    def test_the_interval_of_a_pair_agrees_with_its_p_value(self) -> None:
        found = compare_all_pairs(toy.TASK, toy.ERROR, "published", ERRORS, Run())
        assert found is not None
        for pair in found.pairs:
            assert pair.interval is not None
            assert (pair.interval.low > 0 or pair.interval.high < 0) == (pair.p < 0.05)


class TestBoard:
    def board(self, task=toy.TASK, entrants=FIELD, metric=toy.CLOSENESS):
        summaries = [
            Summary(0, one.system, "published", (score,), "", False, "", score.n)
            for one in entrants
            if (score := Score(metric.name, one.value, 120))
        ]
        significance = compare_all_pairs(task, metric, "published", entrants, Run())
        return make_leaderboard(
            task, summaries, {"published": significance} if significance else {}
        )

    def test_ranks_are_the_best_possible_ones(self) -> None:
        found = self.board()
        assert [(row.place, row.places) for row in found.rows] == [
            (1, "1–2"),
            (1, "1–2"),
            (3, "3"),
        ]

    def test_the_finding_names_systems_without_a_significant_difference(self) -> None:
        detectable = separated(FIELD).detectable
        assert self.board().finding == (
            "The best system is one of these 2; the data cannot say which. "
            f"Differences below about {detectable:.3f} cannot be seen reliably with 120 numbers "
            "(found 4 times in 5)."
        )

    def test_the_finding_names_the_leader(self) -> None:
        found = self.board(entrants=[FIELD[0], FIELD[2]])
        assert found.finding.startswith(
            f"a leads with Closeness {FIELD[0].value:.4f}, ahead of all others at 95 %. Differ"
        )

    def test_a_first_rank_that_is_not_ahead_of_all_is_not_said_to_be(self) -> None:
        """Only the third is behind; the second is not, though somebody is ahead of it."""
        found = separated([FIELD[0], FIELD[2]])
        ranks = (RankInterval(1, 2), RankInterval(2, 2))
        rows = self.board(entrants=[FIELD[0], FIELD[2]]).rows
        placed = [replace(row, rank=rank) for row, rank in zip(rows, ranks, strict=True)]
        assert lead_sentence(placed, toy.CLOSENESS, found, ("number", "numbers")).startswith(
            f"a leads with Closeness {FIELD[0].value:.4f}, but is not shown to be ahead of 1 other."
        )

    def test_too_few_items_of_a_combined_score_have_no_interval_and_the_board_says_why(
        self,
    ) -> None:
        metric = replace(toy.ERROR, fewest_groups=200)
        found = compare_all_pairs(toy.TASK, metric, "published", ERRORS, Run())
        assert found is not None
        assert [(one.best, one.worst) for one in found.ranks] == [(1, 3)] * 3
        rows = self.board(entrants=ERRORS, metric=toy.ERROR).rows
        assert lead_sentence(rows, metric, found, ("number", "numbers")) == (
            "120 numbers cannot show a difference: at least 200 are needed."
        )


class TestContradiction:
    """One system answers the 40 easy items alone: the better score, and worse on those."""

    EASY = np.where(np.arange(120) < 40, 0.9, 0.2)

    def field(self) -> list[Entrant]:
        rng = np.random.default_rng(5)
        noise = rng.normal(0, 0.02, (3, 120))
        every = self.EASY + noise[0]
        some = (self.EASY - 0.1 + noise[1])[:40]
        poor = self.EASY - 0.15 + noise[2]
        return [
            Entrant("easy", float(some.mean()), ItemTable(IDS[:40], {"closeness": some})),
            Entrant("every", float(every.mean()), ItemTable(IDS, {"closeness": every})),
            Entrant("poor", float(poor.mean()), ItemTable(IDS, {"closeness": poor})),
        ]

    def board(self, *, tested: bool = True) -> Leaderboard:
        field = self.field()
        summaries = [
            Summary(0, one.system, "published", (score,), "", False, "", score.n)
            for one in field
            if (score := Score("closeness", one.value, len(one.items)))
        ]
        tests = {"published": separated(field)} if tested else {}
        return make_leaderboard(toy.TASK, summaries, tests)

    def test_the_named_winner_has_rank_1_and_both_numbers_of_items_are_said(self) -> None:
        found = self.board()
        assert [(row.place, row.summary.system) for row in found.rows] == [
            (2, "easy"),
            (1, "every"),
            (3, "poor"),
        ]
        first, common, leader = found.finding.split(". ")[:3]
        assert first == "Score and test disagree: easy answered 40 of 120 numbers, every 120"
        assert common == "On common numbers, every is better"
        assert leader.startswith("every leads with Closeness 0.4")
        assert leader.endswith("ahead of all others at 95 %")

    def test_the_row_of_the_better_score_is_marked_in_the_table_and_in_files(self) -> None:
        columns = {one.name: one for one in leaderboard_table(self.board())}
        assert columns["system"].remarks == {0: "score and test disagree"}
        assert columns["remarks"].values == ["score and test disagree", "", ""]

    def test_without_tests_scores_of_different_items_give_no_places_and_no_leader(self) -> None:
        found = self.board(tested=False)
        assert [row.place for row in found.rows] == [None, None, None]
        assert found.finding == (
            "No system leads by score: they answered 40 to 120 numbers, and scores of different "
            "numbers give no order. Score with --missing zero to count unanswered numbers as 0."
        )

    def test_tests_that_contradict_each_other_name_no_winner(self) -> None:
        """Each of three systems is better than the next on the only items that both have."""
        table = {"a": (0.9, None, 0.1), "b": (0.1, 0.9, None), "c": (None, 0.1, 0.9)}
        field = []
        for name, values in table.items():
            parts = [
                (IDS[40 * part : 40 * part + 40], value)
                for part, value in enumerate(values)
                if value is not None
            ]
            ids = [one for own, _ in parts for one in own]
            column = np.concatenate([value + 0.001 * np.arange(len(own)) for own, value in parts])
            items = ItemTable(tuple(ids), {"closeness": column})
            field.append(Entrant(name, float(column.mean()), items))
        found = separated(field)
        assert {rank.best for rank in found.ranks} == {2}
        summaries = [
            Summary(
                0, one.system, "published", (Score("closeness", one.value, 80),), "", False, "", 80
            )
            for one in field
        ]
        finding = make_leaderboard(toy.TASK, summaries, {"published": found}).finding
        assert finding.startswith("Score and test disagree: ")
        assert "No system has rank 1: on common numbers, each is worse than another." in finding
        assert "leads" not in finding


def test_the_least_precise_pair_has_its_own_detectable_difference() -> None:
    wild = columns(0.7, 1)["closeness"] + np.where(np.arange(120) % 2, 0.4, -0.4)
    field = [*FIELD, Entrant("wild", float(wild.mean()), ItemTable(IDS, {"closeness": wild}))]
    found = separated(field)
    assert found.largest_detectable > 1.2 * found.detectable
    task_rows = TestBoard().board(entrants=field)
    assert "For the least precise pair it is 0." in task_rows.finding


def test_identical_systems_have_no_detectable_difference() -> None:
    twins = [replace(FIELD[0], system=name) for name in ("one", "two")]
    found = separated(twins)
    assert np.isnan(found.detectable)
    assert [pair.corrected for pair in found.pairs] == [1.0]


def test_the_minimum_detectable_difference_is_that_of_the_correction() -> None:
    """Holm's first step has Bonferroni's critical t; the maximum of t is smaller."""
    found = {
        correction: compare_all_pairs(
            *(toy.TASK, toy.CLOSENESS, "published", FIELD, Run()),
            inference=Inference(correction=correction),
        )
        for correction in ("holm", "romano-wolf")
    }
    values = np.column_stack([one.items.columns["closeness"] for one in FIELD])
    errors = np.array(
        [scipy.stats.sem(values[:, i] - values[:, j]) for i, j in ((0, 1), (0, 2), (1, 2))]
    )
    critical = scipy.stats.t.ppf(1 - 0.05 / (2 * 3), len(IDS) - 1)
    expected, _ = minimum_detectable_differences(errors, len(IDS) - 1, float(critical))
    assert found["holm"].detectable == pytest.approx(expected)
    assert found["romano-wolf"].detectable < expected


def test_effectively_few_groups_claim_no_order_and_no_detectable_difference() -> None:
    """One of 20 groups holds 60 % of the items: effectively 2.7 groups."""
    ids = tuple(f"q{number:02d}" for number in range(48))
    labels = {one: "giant" if row < 29 else one for row, one in enumerate(ids)}
    dice = np.random.default_rng(4)
    columns = {"a": dice.random(48) / 2, "b": 0.5 + dice.random(48) / 2}
    entrants = [
        Entrant(name, float(column.mean()), ItemTable(ids, {"closeness": column}))
        for name, column in columns.items()
    ]
    inference = Inference(labels=labels)
    found = compare_all_pairs(
        toy.TASK, toy.CLOSENESS, "published", entrants, Run(), inference=inference
    )
    assert found is not None
    assert places(found) == {"a": (1, 2), "b": (1, 2)}
    assert found.differing == []
    assert np.isnan([found.detectable, found.largest_detectable]).all()
    summaries = [
        Summary(
            row, one.system, "published", (Score("closeness", one.value, 48),), "", False, "", 48
        )
        for row, one in enumerate(entrants)
    ]
    board = make_leaderboard(toy.TASK, summaries, {"published": found})
    assert board.finding.endswith(
        "20 groups count as fewer: effectively 2.7 (the largest holds 60 %). "
        "There are no 95 % intervals: they need effectively 3 groups or more. "
        "No ranks are claimed: they need effectively 5 groups or more."
    )
