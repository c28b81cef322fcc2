"""Every p value names its family, and the interval beside it agrees with it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from jurydesk.core.analysis.comparison.pairwise import compare_systems
from jurydesk.core.analysis.significance.board_verdict import board_verdict, family_of_metrics
from jurydesk.core.analysis.significance.pairwise_significance import (
    PairwiseSignificance,
    compare_all_pairs,
)
from jurydesk.core.analysis.significance.significance_methods import Entrant
from jurydesk.core.execution.run import Run
from jurydesk.core.model.evaluation import ItemTable, MetricInfo
from jurydesk.core.statistics.corrected_intervals import corrected_intervals, holm_critical
from jurydesk.core.statistics.inference import Inference
from support import toy


def entrants(systems: int, items: int, seed: int, step: float = 0.02) -> list[Entrant]:
    rng = np.random.default_rng(seed)
    ids = tuple(f"i{number:03d}" for number in range(items))
    found = []
    for number in range(systems):
        closeness = np.clip(rng.normal(0.5 + step * number, 0.1, items), 0, 1)
        table = ItemTable(ids, {"closeness": closeness, "square": (1 - closeness) ** 2})
        found.append(Entrant(f"s{number:02d}", float(closeness.mean()), table))
    return found


def compared(
    found: list[Entrant],
    metric: MetricInfo = toy.CLOSENESS,
    inference: Inference = Inference(),  # noqa: B008 - frozen
) -> PairwiseSignificance:
    if metric is toy.ERROR:
        found = [
            replace(one, value=float(one.items.columns["square"].mean() ** 0.5)) for one in found
        ]
    made = compare_all_pairs(toy.TASK, metric, "published", found, Run(), inference=inference)
    assert made is not None
    return made


@pytest.mark.parametrize("metric", [toy.CLOSENESS, toy.ERROR], ids=["mean", "function of rows"])
@pytest.mark.parametrize("correction", ["romano-wolf", "holm"])
@pytest.mark.parametrize("items", [12, 40])
def test_a_corrected_interval_excludes_0_exactly_where_the_corrected_p_is_significant(
    metric, correction, items
):
    for seed in range(4):
        found = compared(entrants(8, items, seed), metric, Inference(correction=correction))
        claims = 0
        for pair in found.pairs:
            limits = pair.corrected_interval
            assert limits is not None
            assert limits.low <= pair.difference <= limits.high
            is_significant = pair.corrected < 0.05
            assert (limits.low > 0 or limits.high < 0) == is_significant
            claims += is_significant
        assert 0 < claims < len(found.pairs) or items == 12


def test_the_first_step_s_critical_value_is_that_of_the_largest_of_all_pairs():
    """With equal systems nothing is rejected: every pair has the value of the first step."""
    found = compared(entrants(5, 40, 1, step=0.0))
    widths = [
        (one.corrected_interval.high - one.corrected_interval.low)
        / (one.interval.high - one.interval.low)
        for one in found.pairs
    ]
    assert not any(one.corrected < 0.05 for one in found.pairs)
    assert min(widths) > 1.2  # 10 pairs: about 2.9 standard errors instead of 2.0


def test_holm_s_steps_have_bonferroni_s_values_of_the_pairs_that_are_left():
    """scipy.stats.t.ppf(1 - 0.05 / (2 * left), 30) for 3, 2 and 1 pairs left."""
    p = np.array([0.03, 0.001, 0.02])
    corrected = np.array([0.04, 0.003, 0.04])
    critical = holm_critical(p, corrected, np.full(3, 30.0))
    np.testing.assert_allclose(critical, [2.0422725, 2.5357478, 2.3595662], rtol=1e-5)


def test_identical_and_undefined_pairs_have_a_point_and_no_interval():
    same, unknown = corrected_intervals(
        np.array([0.0, np.nan]), np.zeros(2), np.array([2.0, 2.0]), np.array([1.0, np.nan])
    )
    assert same is not None
    assert (same.low, same.high, unknown) == (0.0, 0.0, None)


def test_the_verdict_names_the_better_system_and_the_family():
    found = compared(entrants(3, 40, 2, step=0.2))
    verdict = board_verdict(found, ("s00", "s02"))
    assert verdict is not None
    assert verdict.sentence == (
        "On the board s02 is ahead: p < 0.001, corrected over the 3 pairs of 3 systems "
        "(Romano-Wolf)."
    )


def test_a_verdict_without_a_difference_calls_nobody_equal():
    found = compared(entrants(3, 40, 1, step=0.0))
    verdict = board_verdict(found, ("s00", "s01"))
    assert verdict is not None
    assert verdict.sentence.startswith("On the board the data cannot say which is better: p = 0.")


def test_a_single_pair_is_no_family():
    assert board_verdict(compared(entrants(2, 40, 1)), ("s00", "s01")) is None
    assert board_verdict(None, ("s00", "s01")) is None


def test_several_metrics_say_how_many_differences_are_chance():
    assert family_of_metrics("abcde") == (
        "5 metrics, each tested by itself: expect 0.25 differences by chance."
    )
    assert family_of_metrics("a") == ""


@pytest.mark.parametrize("items", [2, 5, 8])
def test_no_test_has_a_p_below_what_the_items_can_show(items):
    """Of n differences of one sign, 2 of the 2^n assignments of signs are as large."""
    one, other = entrants(2, items, 3, step=0.4)
    found = compare_systems(toy.TASK, toy.CLOSENESS, "published", one, other, Run())
    floor = 2.0 ** (1 - items)
    known = [test.p for test in found.tests if np.isfinite(test.p)]
    assert min(known) == floor
    combined = compared([one, other], toy.ERROR)
    assert all(pair.p >= floor for pair in combined.pairs)


def test_a_function_of_rows_has_too_few_items_like_a_mean():
    for metric in (toy.CLOSENESS, toy.ERROR):
        found = compared(entrants(2, 5, 3, step=0.4), metric)
        assert found.is_underpowered
        assert np.isnan(found.detectable)


def test_identical_systems_have_p_1_in_every_test():
    (one,) = entrants(1, 20, 1)
    found = compare_systems(
        *(toy.TASK, toy.CLOSENESS, "published", one, replace(one, system="twin"), Run())
    )
    assert {test.p for test in found.tests} == {1.0}
    assert (found.difference, found.interval) == (0.0, None)
    assert "There is no interval: the differences do not vary." in found.remarks(
        ("number", "numbers")
    )
