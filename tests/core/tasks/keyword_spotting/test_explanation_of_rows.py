from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.tasks.keyword_spotting.keyword_spotting_evidence import RankedList
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_explanation import (
    EXPLAINED,
    explain_item,
    explain_row,
)

WORDS = st.sampled_from(["", "word", "слово", "a b"])
BOXES = st.one_of(st.just([0, 0, -1, -1]), st.lists(st.integers(0, 900), min_size=4, max_size=4))


@st.composite
def listed(draw: st.DrawFn, member: str, ranks: list[int], *, places: bool) -> dict[str, Any]:
    """Draw the columns of items with these ranks, with boxes and words or without."""
    count = len(ranks)

    def several(one: st.SearchStrategy[Any]) -> Any:
        return draw(st.lists(one, min_size=count, max_size=count))

    columns = {
        "rank": ranks,
        "name": several(WORDS),
        "hit": several(st.integers(0, 1)),
        "gain": several(st.sampled_from([0.0, 1.0, 2.0, 0.5, float("nan")])),
    }
    if places:
        columns |= {"box": several(BOXES), "text": several(WORDS)}
    return {f"{member}_{name}": column for name, column in columns.items()}


@st.composite
def rows(draw: st.DrawFn) -> dict[str, Any]:
    ranks = sorted(draw(st.sets(st.integers(1, 30), max_size=15)))
    missed = draw(st.integers(0, 14))
    places = draw(st.booleans())
    numbers = {"query": "q", "listed": draw(st.integers(0, 5000))}
    numbers["relevant"] = missed + draw(st.integers(0, 12))
    items = draw(listed("items", ranks, places=places))
    return numbers | items | draw(listed("missed", [0] * missed, places=places)) | {"ap": 0.5}


@given(rows())
def test_a_stored_row_is_explained_like_its_list(row: dict[str, Any]) -> None:
    known = {name: row[name] for name in row if name in EXPLAINED}
    assert tuple(explain_row(known)) == tuple(explain_item(RankedList.from_row(row)))
