from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import scipy.stats

from jurydesk.core.analysis.comparison.pairwise import (
    MetricComparison,
    PairedItems,
    compare_systems,
    disagreements,
    pair_items,
)
from jurydesk.core.analysis.significance.pairwise_significance import compare_all_pairs
from jurydesk.core.analysis.significance.significance_methods import Entrant
from jurydesk.core.analysis.units import resampling_units
from jurydesk.core.execution.run import Run
from jurydesk.core.model.evaluation import ItemTable, MetricInfo
from jurydesk.core.statistics.inference import Inference
from support import toy

NAN = float("nan")


def entrant(name: str, values: dict[str, float]) -> Entrant:
    column = np.array(list(values.values()))
    items = ItemTable(tuple(values), {"closeness": column, "square": (1 - column) ** 2})
    return Entrant(name, float(np.nanmean(column)), items)


ONE = entrant("one", {"a": 1.0, "b": 0.5, "c": 0.25, "d": 0.75, "e": NAN})
TWO = entrant("two", {"d": 0.75, "a": 0.5, "b": 0.75, "c": 0.0, "x": 1.0})


def compared(
    first: Entrant = ONE, second: Entrant = TWO, metric: MetricInfo = toy.CLOSENESS
) -> MetricComparison:
    return compare_systems(toy.TASK, metric, "published", first, second, Run())


def test_common_items_are_won_lost_or_tied() -> None:
    items = compared().items
    assert items is not None
    assert items.ids == ("a", "b", "c", "d")
    assert (items.wins, items.losses, items.ties) == (2, 1, 1)


def test_the_largest_difference_is_first_and_equal_ones_are_sorted_by_id() -> None:
    items = compared().items
    assert items is not None
    order = [items.ids[row] for row in items.by_disagreement().tolist()]
    assert order == ["a", "b", "c", "d"]


def test_a_smaller_value_wins_where_lower_is_better() -> None:
    less = MetricInfo("closeness", "", "", (0, 1), "lower", "")
    items = pair_items(
        less, *(resampling_units(toy.TASK, one.items, "published") for one in (ONE, TWO))
    )
    assert items is not None
    assert (items.wins, items.losses) == (1, 2)


def test_the_difference_is_the_first_minus_the_second_over_the_common_items() -> None:
    found = compared()
    assert found.difference == pytest.approx(0.125)
    assert found.n == 4
    assert found.interval is None
    assert found.remarks(("number", "numbers")) == (
        "Difference and tests are over the 4 numbers that both answered.",
        "4 numbers are too few for a significant difference at 95 %: no p value can be below 0.12.",
        "There is no interval: it needs 5 numbers or more.",
    )


def test_the_tests_equal_scipy_s_where_scipy_has_them() -> None:
    p = {test.name: test.p for test in compared().tests}
    first, second = np.array([1.0, 0.5, 0.25, 0.75]), np.array([0.5, 0.75, 0.0, 0.75])
    assert p["paired t"] == pytest.approx(scipy.stats.ttest_rel(first, second).pvalue)
    assert p["Wilcoxon signed rank"] == scipy.stats.wilcoxon(first, second).pvalue
    assert list(p) == [
        "exact randomisation",
        "studentized bootstrap",
        "paired bootstrap as sacreBLEU counts it",
        "paired t",
        "Wilcoxon signed rank",
    ]


def test_swapping_the_systems_swaps_the_sign_and_keeps_the_p_values() -> None:
    there, back = compared(), compared(TWO, ONE)
    assert back.difference == -there.difference
    np.testing.assert_array_equal([test.p for test in back.tests], [test.p for test in there.tests])


def test_a_combined_score_is_compared_by_its_statistics() -> None:
    there = compared(metric=toy.ERROR)
    back = compared(TWO, ONE, metric=toy.ERROR)
    assert [test.name for test in there.tests] == ["bootstrap standard error"]
    assert back.difference == -there.difference
    assert there.interval is not None
    assert back.interval is not None
    assert (back.interval.low, back.interval.high) == (-there.interval.high, -there.interval.low)


def test_a_combined_score_of_too_few_items_is_not_tested_and_says_why() -> None:
    found = compared(metric=replace(toy.ERROR, fewest_groups=20))
    assert found.tests == ()
    assert found.interval is None
    (remark,) = found.remarks(("number", "numbers"))
    assert remark == f"{found.n} numbers cannot show a difference: at least 20 are needed."


def test_systems_without_a_common_item_are_not_tested() -> None:
    found = compared(ONE, entrant("other", {"z": 0.5}))
    assert found.tests == ()
    assert np.isnan(found.p)
    assert np.isnan(found.difference)


def test_the_wilcoxon_test_takes_the_means_of_groups() -> None:
    values = np.array([0.9, 0.1, 0.5, 0.4, 0.8, 0.3, 0.2, 0.7, 0.6, 0.5])
    other = np.array([0.2, 0.3, 0.1, 0.2, 0.5, 0.5, 0.1, 0.1, 0.2, 0.4])
    ids = [f"item {number}" for number in range(10)]
    labels = {one: f"group {number // 2}" for number, one in enumerate(ids)}
    inference = Inference(labels=labels)
    found = compare_systems(
        toy.TASK,
        toy.CLOSENESS,
        "published",
        entrant("one", dict(zip(ids, values.tolist(), strict=True))),
        entrant("two", dict(zip(ids, other.tolist(), strict=True))),
        Run(),
        inference=inference,
    )
    p = {test.name: test.p for test in found.tests}
    means = (values - other).reshape(5, 2).mean(axis=1)
    assert p["Wilcoxon signed rank"] == scipy.stats.wilcoxon(means).pvalue


def test_the_size_of_a_comparison_is_its_groups_or_its_items():
    entrant = Entrant("a", 0.5, None)
    alone = MetricComparison(toy.CLOSENESS, entrant, entrant, 0.0, None, (), None, 320, 1)
    assert (alone.groups, alone.size(("query", "queries"))) == (0, "320 queries")
    grouped = replace(alone, groups=38, group_noun=("keyword", "keywords"))
    assert grouped.size(("query", "queries")) == "38 keywords (320 queries)"


def test_metrics_disagree_where_each_prefers_another_system_and_both_have_a_value():
    ids = ("a", "b", "c", "d", "e")
    first, second = np.array([0.9, 0.2, 0.5, 0.7, 0.4]), np.array([0.1, 0.8, 0.5, 0.3, 0.6])
    errors = PairedItems(
        ("b", "c", "a", "d"), np.array([5.0, 1.0, 2.0, np.nan]), np.array([6.0, 9.0, 1.0, 0.0]),
        higher_is_better=False,
    )  # fmt: skip
    found = disagreements(PairedItems(ids, first, second, higher_is_better=True), errors)
    assert [ids[row] for row in found] == ["a", "b"]


@pytest.mark.parametrize(
    ("giant", "remarks"),
    [
        (36, ["10 groups count as fewer: effectively 3.6 (the largest holds 50 %)."]),
        (
            108,
            [
                "10 groups count as fewer: effectively 1.8 (the largest holds 75 %).",
                "There is no interval: it needs effectively 3 groups or more.",
            ],
        ),
    ],
)
def test_a_giant_group_is_named_and_the_bootstrap_has_no_p_value(giant, remarks) -> None:
    ids = [f"i{number:03d}" for number in range(giant + 36)]
    dice = np.random.default_rng(3)
    both = [entrant(name, dict(zip(ids, dice.random(len(ids)), strict=True))) for name in "ab"]
    labels = {one: "giant" if place < giant else f"g{place % 9}" for place, one in enumerate(ids)}
    found = compare_systems(
        toy.TASK, toy.CLOSENESS, "published", *both, Run(), inference=Inference(labels=labels)
    )
    assert list(found.remarks(("number", "numbers"))) == remarks
    assert np.isnan(found.tests[1].p)
    assert (found.interval is None) == (giant > 36)


@pytest.mark.parametrize(("failures", "gain", "differs"), [(2, 0.1, False), (3, 0.0, True)])
def test_lopsided_differences_are_decided_by_the_bootstrap(failures, gain, differs) -> None:
    dice = np.random.default_rng(2)
    ids = [f"i{number:03d}" for number in range(40)]
    even = dice.normal(0.7, 0.02, 40)
    rare = even + gain + dice.normal(0, 0.01, 40)
    rare[:failures] -= 0.5
    both = [
        entrant(name, dict(zip(ids, one, strict=True))) for name, one in (("a", rare), ("b", even))
    ]
    found = compared(*both)
    assert found.tests[0].note == "tests whether the systems could be exchanged"
    assert (found.p < 0.05) == (not differs)
    assert found.decided_by == "studentized bootstrap"
    assert found.interval is not None
    assert (not found.interval.low <= 0 <= found.interval.high) == differs
    assert found.remarks(("number", "numbers")) == (
        "The differences are lopsided (a few large failures): the studentized bootstrap decides "
        "in place of the test.",
    )
    board = compare_all_pairs(toy.TASK, toy.CLOSENESS, "published", both, Run())
    assert board is not None
    assert board.overruled == 1
    assert bool(board.differing) == differs
    limits = board.pairs[0].corrected_interval
    assert limits is not None
    assert (not limits.low <= 0 <= limits.high) == differs


def test_systems_that_differ_in_one_item_have_no_interval_shorter_than_students():
    """Signs of one difference always give the same statistic, which is no critical value."""
    ids = [f"i{number:02d}" for number in range(20)]
    one, other = np.full(20, 0.9), np.full(20, 0.9)
    other[3] = 0.4
    entrants = [
        entrant(name, dict(zip(ids, values, strict=True)))
        for name, values in (("one", one), ("other", other), ("third", one))
    ]
    board = compare_all_pairs(toy.TASK, toy.CLOSENESS, "published", entrants, Run())
    assert board is not None
    limits = board.pairs[0].corrected_interval
    assert limits is not None
    apart = one - other
    reach = scipy.stats.t.ppf(0.975, 19) * apart.std(ddof=1) / np.sqrt(20)
    assert (limits.low, limits.high) == pytest.approx((0.025 - reach, 0.025 + reach))
