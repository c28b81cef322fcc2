from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.model.evidence_columns import EvidenceColumn, EvidenceColumns, list_lengths
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_evidence import RankedList
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_explanation import (
    explain_item,
    explain_rows,
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
def rows(draw: st.DrawFn, *, places: bool) -> dict[str, Any]:
    ranks = sorted(draw(st.sets(st.integers(1, 30), max_size=15)))
    missed = draw(st.integers(0, 14))
    numbers = {"query": "q", "listed": draw(st.integers(0, 5000))}
    numbers["relevant"] = missed + draw(st.integers(0, 12))
    items = draw(listed("items", ranks, places=places))
    return numbers | items | draw(listed("missed", [0] * missed, places=places))


def column(lists: list[Any]) -> EvidenceColumn:
    """Return the column of these numbers, or lists of numbers, texts or boxes."""
    if isinstance(lists[0], int):
        return EvidenceColumn(np.array(lists))
    entries = [one for part in lists for one in part]
    counts = list_lengths(lists)
    if any(isinstance(one, str) for one in entries):
        return EvidenceColumn.texts(entries, counts)
    return EvidenceColumn(np.array(entries), counts)


def stored(lists: list[dict[str, Any]]) -> EvidenceColumns:
    names = [name for name in lists[0] if name != "query"]
    return EvidenceColumns({name: column([one[name] for one in lists]) for name in names})


@given(st.booleans().flatmap(lambda places: st.lists(rows(places=places), min_size=1, max_size=6)))
def test_stored_rows_are_explained_like_their_lists(lists: list[dict[str, Any]]) -> None:
    explained = explain_rows(stored(lists), list(range(len(lists)))[::-1])
    wanted = [explain_item(RankedList.from_row(one)) for one in lists[::-1]]
    assert list(map(tuple, explained)) == list(map(tuple, wanted))


def test_lists_of_different_lengths_are_refused() -> None:
    places = {"items_rank": [[1, 2]], "items_name": [["a"]], "items_hit": [[1, 0]]}
    lists = {name: column(own) for name, own in places.items()}
    with pytest.raises(ValueError, match="different lengths"):
        explain_rows(EvidenceColumns(lists), [0])
