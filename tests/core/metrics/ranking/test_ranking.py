"""Measures of ranked lists: known values, pytrec_eval's numbers, and properties."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.metrics.ranking import (
    ON_DEMAND,
    STANDARD_MEASURES,
    Hits,
    MeasureRules,
    RankingStatistics,
    experimental,
    measure_by_name,
)
from jurydesk.core.metrics.ranking.catalogue import FAMILIES
from jurydesk.core.metrics.ranking.precision import items_at
from support.files.trec import hits

JUDGED = st.dictionaries(
    st.one_of(st.integers(1, 30), st.sampled_from("abcdefgh")),
    st.sampled_from([-1.0, 0.0, 1.0, 2.0, 3.0]),
    min_size=1,
    max_size=12,
)
QUERIES = st.lists(JUDGED, min_size=1, max_size=6)
SHARES = [
    one.info.name
    for one in (*STANDARD_MEASURES, *ON_DEMAND)
    if one.info.range == (0.0, 1.0) and one.info.aggregate == "mean" and one.info.better == "higher"
]


def values(name: str, some_hits: Hits, rules: MeasureRules | None = None) -> list[float]:
    found = measure_by_name(name)
    assert found is not None
    return found.values(RankingStatistics(some_hits, rules)).tolist()


def one(judged: dict[int | str, float], listed: int = 20) -> Hits:
    return hits([judged], [listed])


# Known values


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("P_5", 2 / 5),
        ("precAt5", 2 / 3),
        ("recall_5", 2 / 3),
        ("success_1", 0.0),
        ("success_5", 1.0),
        ("ap", (1 / 2 + 2 / 4) / 3),
        ("map", (1 / 2 + 2 / 4) / 3),
        ("map_cut_3", (1 / 2) / 3),
        ("recip_rank", 1 / 2),
        ("Rprec", 1 / 3),
        ("iprec_at_recall_0.00", 1 / 2),
        ("iprec_at_recall_1.00", 0.0),
        ("num_rel", 3.0),
        ("num_rel_ret", 2.0),
        ("num_ret", 20.0),
    ],
)
def test_two_of_three_relevant_items_at_ranks_2_and_4(name: str, expected: float) -> None:
    assert values(name, one({2: 1, 4: 1, "missed": 1})) == [expected]


def test_the_icfhr_sample_has_rusteval_s_numbers() -> None:
    """Use rusteval's own sample: 9 relevant words, found at ranks 1 to 5, and at 1 to 4."""
    every = dict.fromkeys("abcd", 1.0)
    sample = hits([{1: 1, 2: 1, 3: 1, 4: 1, 5: 1, **every}], [48])
    assert values("precAt5", sample) == [1.0]
    assert values("precAt10", sample) == [pytest.approx(0.55555, abs=1e-5)]
    shorter = hits([{1: 1, 2: 1, 3: 1, 4: 1, "e": 1, **every}], [48])
    assert values("precAt5", shorter) == [0.8]
    assert values("precAt10", shorter) == [pytest.approx(0.44444, abs=1e-5)]


def test_ndcg_discounts_rank_i_by_log2_of_i_plus_1() -> None:
    gained = 3 / math.log2(2) + 1 / math.log2(4)
    best = 3 / math.log2(2) + 2 / math.log2(3) + 1 / math.log2(4)
    assert values("ndcg", one({1: 3, 3: 1, "missed": 2})) == [gained / best]


def test_ndcg_cut_truncates_the_ideal_list_too() -> None:
    assert values("ndcg_cut_1", one({1: 3, 3: 1, "missed": 2})) == [1.0]


def test_the_icfhr_discount_weighs_the_second_rank_most() -> None:
    rules = MeasureRules(discount="icfhr")
    best = 1 + 1 / math.log(2) + 1 / math.log(3)
    assert values("ndcg_binary", one({2: 1, "b": 1, "c": 1}), rules) == [(1 / math.log(2)) / best]


def test_icfhr_ndcg_can_exceed_1() -> None:
    assert values("ndcg", one({2: 1}), MeasureRules(discount="icfhr"))[0] > 1.0


def test_precision_of_a_short_list_depends_on_the_rule() -> None:
    short = hits([{1: 1, 3: 1, "b": 1, "c": 1, "d": 1, "e": 1}], [3])
    assert values("precAt5", short) == [2 / 5]
    assert values("precAt5", short, MeasureRules(cut="listed")) == [2 / 3]
    assert values("Rprec", short) == [2 / 6]
    assert values("Rprec", short, MeasureRules(cut="listed")) == [2 / 3]


@pytest.mark.parametrize(
    ("recall", "expected"),
    [("trec9", [1.0, 1.0, 2 / 3]), ("trec10", [1.0, 1.0, 1.0]), ("exact", [1.0, 1.0, 2 / 3])],
)
def test_recall_levels_of_three_relevant_items(recall: str, expected: list[float]) -> None:
    """Use R = 3 at level 0.4: 2 items by trec_eval 9 and by the exact rule, 1 by trec_eval 10."""
    rules = MeasureRules(recall=recall)  # type: ignore[arg-type]
    found = one({1: 1, 3: 1, 6: 1})
    names = ("iprec_at_recall_0.00", "iprec_at_recall_0.30", "iprec_at_recall_0.40")
    assert [values(name, found, rules)[0] for name in names] == expected


def test_bpref_ignores_unjudged_items() -> None:
    assert values("bpref", one({1: -1, 2: 1, 3: 0, 4: 1, "missed": 0})) == [(1 + 1 - 1 / 2) / 2]


def test_a_query_without_a_relevant_item_scores_0() -> None:
    nothing = one({1: 0})
    for name in SHARES:
        assert values(name, nothing) == [0.0], name


def test_a_query_without_results_scores_0() -> None:
    absent = hits([{"a": 1}], [0])
    for name in SHARES:
        assert values(name, absent) == [0.0], name


def test_the_geometric_mean_replaces_zeros_by_a_small_number() -> None:
    found = measure_by_name("gm_map")
    assert found is not None
    assert found.info.combine is not None
    column = found.values(RankingStatistics(hits([{1: 1}, {"a": 1}], [5, 5])))
    assert found.info.combine(column) == pytest.approx(math.sqrt(0.00001))


def test_levels_beyond_the_exact_whole_numbers_do_not_exceed_the_ideal_gain() -> None:
    """The sum of the gains found is rounded up, that of the ideal ones down."""
    query = experimental._Graded(
        [(1, 2000.0), (2, 2000.0), (3, 2.0**64)], [2.0**64, 2000.0, 2000.0], 3
    )
    assert experimental._g_measure(query) == pytest.approx(1.0)


def test_selecting_queries_keeps_their_rows() -> None:
    some = hits([{1: 1}, {2: 1, 5: 2}, {}, {3: 1}], [5, 6, 7, 8])
    chosen = some.select([3, 1])
    assert chosen.queries == ("q3", "q1")
    assert chosen.listed.tolist() == [8, 6]
    assert chosen.ranks.tolist() == [3, 2, 5]
    assert chosen.starts.tolist() == [0, 1, 3]
    assert chosen.judged_gains.tolist() == [1, 1, 2]


# Properties


@given(QUERIES)
def test_shares_are_between_0_and_1(judged: list[dict[int | str, float]]) -> None:
    ranked = RankingStatistics(hits(judged, [30] * len(judged)))
    for name in SHARES:
        found = measure_by_name(name)
        assert found is not None
        column = found.values(ranked)
        assert ((column >= 0.0) & (column <= 1.0 + 1e-12)).all(), name


@given(QUERIES, st.randoms(use_true_random=False))
def test_a_query_has_the_same_value_beside_any_others(
    judged: list[dict[int | str, float]], random: object
) -> None:
    some = hits(judged, [30] * len(judged))
    order = list(range(len(judged)))
    random.shuffle(order)  # type: ignore[attr-defined]
    for name in ("ap", "ndcg", "ndcg_cut_5", "bpref", "infAP", "11pt_avg", "precAt10"):
        assert values(name, some.select(order)) == [values(name, some)[i] for i in order]


@given(QUERIES)
def test_a_perfect_list_has_the_highest_values(judged: list[dict[int | str, float]]) -> None:
    best = [
        dict(enumerate(sorted((g for g in query.values() if g > 0), reverse=True), 1))
        for query in judged
    ]
    found = hits([dict(query) for query in best], [30] * len(best))
    for name in ("ap", "ndcg", "Rprec", "recip_rank", "precAt5", "bpref", "ndcg_binary"):
        expected = [1.0 if query else 0.0 for query in best]
        assert values(name, found) == pytest.approx(expected), name


# trec_eval crashes where all judgements of a query are negative.
@given(
    st.lists(JUDGED.filter(lambda judged: max(judged.values()) >= 0), min_size=1, max_size=6),
    st.integers(1, 12),
)
def test_every_measure_equals_pytrec_eval_s_exactly(
    judged: list[dict[int | str, float]], more: int
) -> None:
    pytrec_eval = pytest.importorskip("pytrec_eval")
    listed = [
        more + max((key for key in query if isinstance(key, int)), default=0) for query in judged
    ]
    some = hits(judged, listed)
    qrels = {
        name: {f"d{key}": int(gain) for key, gain in query.items()}
        for name, query in zip(some.queries, judged, strict=True)
    }
    run = {
        name: {f"d{rank}": float(-rank) for rank in range(1, count + 1)}
        for name, count in zip(some.queries, listed, strict=True)
    }
    wanted = set(pytrec_eval.supported_measures) - {"runid", "relstring"}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, wanted).evaluate(run)
    ranked = RankingStatistics(some)
    for i, query in enumerate(some.queries):
        for name, value in theirs[query].items():
            found = measure_by_name(name)
            assert found is not None, name
            ours = float(found.values(ranked)[i])
            # 0 / 0 is NaN in pytrec_eval for relative measures without a relevant item.
            assert ours == value or math.isnan(value), (query, name)


# Declarations


def test_names_are_unique() -> None:
    names = [one.info.name for one in (*STANDARD_MEASURES, *ON_DEMAND)]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("one", [*STANDARD_MEASURES, *ON_DEMAND], ids=lambda one: one.info.name)
def test_a_measure_is_described_in_one_sentence(one: object) -> None:
    info = one.info  # type: ignore[attr-defined]
    assert info.title
    assert info.source
    assert re.fullmatch(r"[A-Zn][^{}]+\.", info.summary)


def test_one_measure_sorts_the_board() -> None:
    assert [one.info.name for one in STANDARD_MEASURES if one.info.headline] == ["ap"]


@pytest.mark.parametrize(
    "name", ["P_7", "ndcg_cut_3", "success_2", "recall_1", "iprec_at_recall_0.25", "precAt7"]
)
def test_a_family_has_members_for_every_parameter(name: str) -> None:
    found = measure_by_name(name)
    assert found is not None
    assert found.info.name == name
    assert re.search(r"\d", found.info.title)


@pytest.mark.parametrize(
    "name", ["P_0", "P_-1", "P_", "P_5.5", "iprec_at_recall_1.10", "iprec_at_recall_0.1", "mapp"]
)
def test_no_member_of_a_family_is_meaningless(name: str) -> None:
    assert measure_by_name(name) is None


def test_families_list_trec_eval_s_default_ranks() -> None:
    listed = {family.stem: family.defaults for family in FAMILIES}
    assert listed["P_"] == ("5", "10", "15", "20", "30", "100", "200", "500", "1000")
    assert listed["success_"] == ("1", "5", "10")
    assert len(listed["iprec_at_recall_"]) == 11


def test_ranks_beyond_the_table_have_the_same_discount() -> None:
    """The table of logarithms ends at 2^20."""
    far = hits([{(1 << 20) + 5: 1, "a": 1}], [1 << 21])
    expected = (1 / math.log2((1 << 20) + 6)) / (1 + 1 / math.log2(3))
    assert values("ndcg", far) == [expected]
    assert np.isfinite(values("ndcg_binary", far)).all()


@pytest.mark.parametrize(
    ("rule", "half", "third"), [("trec9", 3, 2), ("trec10", 3, 2), ("exact", 3, 2)]
)
def test_the_items_of_a_recall_level_follow_their_rule(rule, half, third) -> None:
    """Half of 5 items and a third of 6, which is a little less than 2."""
    assert items_at(np.array([[50]]), np.array([5]), rule).tolist() == [[half]]
    assert items_at(np.array([[33]]), np.array([6]), rule).tolist() == [[third]]


def test_trec_eval_10_rounds_a_small_recall_level_to_no_item() -> None:
    """A tenth of 4 items is 0.4: int(0.4 + 0.9) is 1, and 0.4 rounded is 0."""
    level, relevant = np.array([[10]]), np.array([4])
    found = [items_at(level, relevant, rule)[0, 0] for rule in ("trec9", "trec10", "exact")]
    assert found == [1, 0, 1]
