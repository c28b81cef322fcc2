from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.metrics.ranking import TIE_RANGE, Hits, RankingStatistics, measure_by_name
from jurydesk.core.metrics.ranking.ties import tie_affected_queries
from support.files.trec import hits

MEASURES = ("ap", "P_5", "P_10", "ndcg", "recip_rank", "Rprec")

GROUPS = st.lists(
    st.lists(st.sampled_from([None, 0.0, 1.0, 2.0]), min_size=1, max_size=4),
    min_size=1,
    max_size=3,
)
"""Groups of equal scores from the highest on: the relevance of each item, None for unjudged."""


def ranked(groups: list[list[float | None]]) -> RankingStatistics:
    """Return one query with these groups of equal scores and one relevant item outside the list."""
    return RankingStatistics(_hits([groups]))


def _hits(queries: list[list[list[float | None]]]) -> Hits:
    judged, first, last, listed = [], [], [], []
    for groups in queries:
        items: dict[int | str, float] = {"absent": 1.0}
        rank = 1
        for group in groups:
            for place, gain in enumerate(group):
                if gain is not None:
                    items[rank + place] = gain
                    first.append(rank)
                    last.append(rank + len(group) - 1)
            rank += len(group)
        judged.append(items)
        listed.append(rank - 1)
    return replace(hits(judged, listed), first=np.array(first, int), last=np.array(last, int))


def every_order(groups: list[list[float | None]]) -> list[RankingStatistics]:
    orders = itertools.product(*(itertools.permutations(group) for group in groups))
    return [RankingStatistics(_hits([[list(group) for group in order]])) for order in orders]


def value(name: str, lists: RankingStatistics) -> float:
    found = measure_by_name(name)
    assert found is not None
    return float(found.values(lists)[0])


@given(GROUPS)
def test_lowest_expected_and_highest_values_are_those_over_all_orders(groups) -> None:
    orders, given_order = every_order(groups), ranked(groups)
    for name in MEASURES:
        values = [value(name, order) for order in orders]
        found = [value(f"{name}_{which}", given_order) for which in ("min", "expected", "max")]
        assert found == pytest.approx([min(values), np.mean(values), max(values)], abs=1e-12)


@given(GROUPS)
def test_a_query_is_undecided_where_a_relevant_item_ties_with_another(groups) -> None:
    mixed = any(
        any(gain is not None and gain >= 1 for gain in group)
        and not all(gain is not None and gain >= 1 for gain in group)
        for group in groups
    )
    assert tie_affected_queries(ranked(groups)).tolist() == [mixed]


@given(st.lists(GROUPS, min_size=2, max_size=4))
def test_a_query_has_the_same_range_beside_others_as_alone(queries) -> None:
    together = RankingStatistics(_hits(queries))
    for one in TIE_RANGE:
        alone = [float(one.values(ranked(groups))[0]) for groups in queries]
        assert one.values(together) == pytest.approx(alone, abs=1e-12)


def test_without_ties_all_three_equal_the_value() -> None:
    lists = RankingStatistics(hits([{1: 1.0, 3: 1.0, 4: 0.0, "absent": 1.0}], [5]))
    for name in MEASURES:
        own = value(name, lists)
        assert [value(f"{name}_{which}", lists) for which in ("min", "expected", "max")] == (
            pytest.approx([own, own, own], abs=1e-12)
        )
    assert not tie_affected_queries(lists).any()
