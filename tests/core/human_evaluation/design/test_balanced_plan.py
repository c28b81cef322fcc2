from __future__ import annotations

from collections import Counter
from dataclasses import asdict, replace
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.human_evaluation.design.balanced_plan import (
    BalancedPlan,
    InfeasiblePlan,
    PlannedItem,
    PlanRequest,
    _rotate,
    make_plan,
    williams_design,
)


@st.composite
def requests(draw: st.DrawFn) -> PlanRequest:
    stories = draw(st.sampled_from([1, 1, 1, 2, 3]))
    systems = draw(st.integers(stories, 6 if stories == 1 else 4))
    raters = draw(st.integers(1, 9))
    sequences = draw(st.integers(1, 12))
    return PlanRequest(
        systems=systems,
        sequences=sequences,
        raters=raters,
        ratings=draw(st.integers(1, raters)),
        available=sequences + draw(st.integers(0, 6)),
        stories=stories,
    )


def feasible(request: PlanRequest) -> PlanRequest:
    """Return the request, or the nearest possible one."""
    while True:
        try:
            make_plan(request, 0)
        except InfeasiblePlan as refusal:
            request = refusal.nearest
        else:
            return request


def within_one(counts: list[int]) -> bool:
    return max(counts) - min(counts) <= 1


def arm(item: PlannedItem) -> tuple[int, ...]:
    return tuple(sorted(item.systems))


def arms(request: PlanRequest) -> list[tuple[int, ...]]:
    return list(combinations(range(request.systems), request.stories))


planned = st.tuples(requests(), st.integers(0, 2**32))


def plan_of(case: tuple[PlanRequest, int]) -> BalancedPlan:
    return make_plan(feasible(case[0]), case[1])


@given(planned)
def test_every_combination_of_every_sequence_gets_the_same_number_of_ratings(case):
    found = plan_of(case)
    counts = Counter((item.sequence, arm(item)) for items in found.raters for item in items)
    wanted = {(cell, one) for cell in found.drawn for one in arms(found.request)}
    assert set(counts) == wanted
    assert set(counts.values()) == {found.request.ratings}


@given(planned)
def test_every_rater_rates_every_combination_equally_often(case):
    found = plan_of(case)
    for items in found.raters:
        counts = Counter(arm(item) for item in items)
        assert within_one([counts[one] for one in arms(found.request)])


@given(planned)
def test_all_raters_have_the_same_amount_of_work(case):
    found = plan_of(case)
    loads = [len(items) for items in found.raters]
    assert within_one(loads)
    assert min(loads) > 0


@given(planned)
def test_nobody_rates_the_same_story_twice(case):
    for items in plan_of(case).raters:
        assert len({(item.sequence, arm(item)) for item in items}) == len(items)


@given(planned)
def test_over_all_full_rounds_each_combination_is_at_each_place_equally_often(case):
    found = plan_of(case)
    size = len(arms(found.request))
    places: Counter[tuple[int, tuple[int, ...]]] = Counter()
    for items in found.raters:
        for start in range(0, len(items) - size + 1, size):
            around = [arm(item) for item in items[start : start + size]]
            if len(set(around)) == size:
                places.update(enumerate(around))
    for place in range(size):
        assert within_one([places[place, one] for one in arms(found.request)])


@given(planned)
def test_among_several_stories_each_system_is_at_each_place_equally_often(case):
    found = plan_of(case)
    for one in arms(found.request):
        shown = [i.systems for items in found.raters for i in items if arm(i) == one]
        for system in one:
            counts = Counter(systems.index(system) for systems in shown)
            assert within_one([counts[place] for place in range(len(one))])


@given(planned)
def test_equal_seeds_give_equal_plans_and_others_give_others(case):
    request, seed = feasible(case[0]), case[1]
    assert make_plan(request, seed) == make_plan(request, seed)
    large = replace(request, sequences=12, available=30)
    assert make_plan(large, seed) != make_plan(large, seed + 1)


@given(planned)
def test_every_item_is_written_as_json_and_read_back(case):
    for items in plan_of(case).raters:
        assert tuple(PlannedItem.from_json(item.to_json()) for item in items) == items


@pytest.mark.parametrize("size", range(1, 9))
def test_in_a_williams_square_everything_follows_everything_else_equally_often(size):
    rows = williams_design(size)
    assert all(sorted(row) == list(range(size)) for row in rows)
    follows = Counter(pair for row in rows for pair in pairwise(row))
    assert len(set(follows.values())) <= 1
    assert len(follows) == size * (size - 1)


WANTED = PlanRequest(systems=4, sequences=10, raters=5, ratings=3, available=12)


def test_all_impossible_numbers_are_refused_with_possible_ones():
    wanted = PlanRequest(systems=2, sequences=9, raters=2, ratings=3, available=4, practice=1)
    with pytest.raises(InfeasiblePlan) as refusal:
        make_plan(wanted, 1)
    assert str(refusal.value).endswith(
        "The nearest feasible plan: sequences 4, ratings 2, practice 0."
    )
    make_plan(refusal.value.nearest, 1)


@pytest.mark.parametrize(
    ("change", "sentence", "nearest"),
    [
        (
            {"ratings": 6},
            "6 ratings of each story need as many raters, but there are only 5, and no rater rates "
            "the same story twice. The nearest feasible plan: ratings 5.",
            {"ratings": 5},
        ),
        (
            {"sequences": 20},
            "20 sequences were requested, but there are only 12 sequences. The nearest feasible "
            "plan: sequences 12.",
            {"sequences": 12},
        ),
        (
            {"raters": 500},
            "500 raters are too many for 120 ratings in all. The nearest feasible plan: "
            "raters 120.",
            {"raters": 120},
        ),
        (
            {"ratings": 0},
            "At least 1 rating is needed, not 0. The nearest feasible plan: ratings 1.",
            {"ratings": 1},
        ),
        (
            {"practice": 9},
            "9 practice items need stories that are not rated, but 8 are left. The nearest "
            "feasible plan: practice 8.",
            {"practice": 8},
        ),
        (
            {"repeated": -0.5},
            "The share of repeated items must be from 0 to 1, not -0.5. The nearest feasible plan: "
            "repeated 0.",
            {"repeated": 0.0},
        ),
        (
            {"repeated": 1.5},
            "The share of repeated items must be from 0 to 1, not 1.5. The nearest feasible plan: "
            "repeated 1.",
            {"repeated": 1.0},
        ),
        (
            {"stories": 2, "attention": 1},
            "Items with a known answer need stories that are shown one by one. The nearest "
            "feasible plan: attention 0.",
            {"attention": 0},
        ),
    ],
)
def test_an_impossible_request_is_refused_with_the_nearest_possible_one(change, sentence, nearest):
    wanted = replace(WANTED, **change)
    if "raters" in change:
        wanted = replace(wanted, ratings=3)
    with pytest.raises(InfeasiblePlan) as refusal:
        make_plan(wanted, 1)
    assert str(refusal.value) == sentence
    assert asdict(refusal.value.nearest) == {**asdict(wanted), **nearest}
    make_plan(refusal.value.nearest, 1)


def test_the_same_photos_are_not_shown_twice_in_a_row_where_avoidable():
    found = make_plan(replace(WANTED, sequences=12), 7)
    for items in found.raters:
        running = [a.sequence == b.sequence for a, b in pairwise(items)]
        assert sum(running) <= 1


class TestExtras:
    found = make_plan(replace(WANTED, practice=3, attention=2, repeated=0.25), 11)

    def test_practice_comes_first_with_stories_that_are_not_rated(self):
        for items in self.found.raters:
            assert [item.kind == "practice" for item in items[:4]] == [True, True, True, False]
            assert not {item.sequence for item in items[:3]} & set(self.found.drawn)

    def test_attention_items_have_a_known_answer(self):
        for items in self.found.raters:
            answers = [item.answer for item in items if item.kind == "attention"]
            assert len(answers) == 2
            assert set(answers) <= {1, 2, 3, 4, 5}

    def test_repetitions_come_after_what_they_repeat(self):
        for items in self.found.raters:
            again = [item for item in items if item.kind == "repeat"]
            assert len(again) == 6
            for item in again:
                first = replace(item, kind="story")
                assert items.index(first) < items.index(item)


def test_systems_shown_together_rotate_from_their_own_order():
    shown: Counter[tuple[int, ...]] = Counter()
    orders = [_rotate((4, 5, 6), shown) for _ in range(4)]
    assert orders == [(4, 5, 6), (5, 6, 4), (6, 4, 5), (4, 5, 6)]
