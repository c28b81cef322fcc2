"""The states in which every page is pictured and checked."""

from __future__ import annotations

from itertools import combinations

from support.windows.layout_states import (
    FEW_SYSTEMS,
    MANY_ITEMS,
    METRICS,
    MODES,
    SIZES,
    SYSTEMS,
    ZOOMS,
    covering_states,
)


def test_every_pair_of_values_occurs() -> None:
    names = ["captions", "vist"]
    found = {
        pair for state in covering_states(names) for pair in combinations(state_values(state), 2)
    }
    for one, other in combinations([names, SYSTEMS, METRICS, SIZES, ZOOMS, MODES], 2):
        assert all((a, b) in found for a in one for b in other)


def test_a_million_items_are_asked_of_few_systems() -> None:
    many = [one for one in covering_states(["captions", "vist"]) if one.items == MANY_ITEMS]
    assert many
    assert all(one.systems <= FEW_SYSTEMS and one.competition == "captions" for one in many)


def state_values(state) -> list[object]:
    return [
        state.competition, state.systems, state.metrics, state.size, state.zoom, state.mode,
    ]  # fmt: skip
