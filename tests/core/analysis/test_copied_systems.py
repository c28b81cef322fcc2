from __future__ import annotations

import numpy as np
import pytest

from jurydesk.core.analysis.significance.copied_systems import (
    CopiedPair,
    ItemValues,
    distinctive_values,
    find_copies,
)
from jurydesk.core.model.evaluation import ItemTable

COLUMNS = ("ap", "p")
IDS = tuple(f"q{number:02d}" for number in range(50))


def table(seed: int, *, of: ItemTable | None = None, share: float = 1.0) -> ItemTable:
    """Return random values of 50 items, of which a `share` is copied from another system."""
    values = np.random.default_rng(seed).random((2, 50))
    if of is not None:
        kept = int(50 * share)
        values[:, :kept] = [of.columns[column][:kept] for column in COLUMNS]
    return ItemTable(IDS, dict(zip(COLUMNS, values, strict=True)))


def marks(items: ItemTable) -> ItemValues:
    return distinctive_values(items, COLUMNS)


ONE, TWO = table(1), table(2)


def test_independent_systems_are_not_reported_as_copies() -> None:
    assert find_copies({"one": marks(ONE), "two": marks(TWO), "three": marks(table(3))}) == ()


@pytest.mark.parametrize("share", [1.0, 0.9])
def test_a_copy_is_reported_with_the_identical_items(share: float) -> None:
    copy = table(3, of=TWO, share=share)
    (found,) = find_copies({"one": marks(ONE), "two": marks(TWO), "copy": marks(copy)})
    assert (found.first, found.second, found.distinctive) == ("copy", "two", 50)
    assert found.same == IDS[: len(found.same)]
    assert len(found.same) == 50 * share


def test_half_of_the_items_in_common_is_not_a_copy() -> None:
    assert find_copies({"one": marks(ONE), "half": marks(table(3, of=ONE, share=0.5))}) == ()


def test_values_that_are_often_equal_by_chance_are_no_evidence() -> None:
    round_values = np.round(np.random.default_rng(0).random(50), 1)
    items = ItemTable(IDS, {"ap": round_values, "p": round_values})
    assert marks(items) == {}
    assert find_copies({"one": marks(items), "two": marks(items)}) == ()


def test_columns_without_item_values_are_not_read() -> None:
    assert distinctive_values(ONE, ("map", "p")) == distinctive_values(ONE, ("p",))
    assert distinctive_values(ONE, ("map",)) == distinctive_values(ONE, COLUMNS)


def test_the_order_of_systems_does_not_matter() -> None:
    copy = table(3, of=TWO)
    given = {"copy": marks(copy), "two": marks(TWO), "one": marks(ONE)}
    assert find_copies(given) == find_copies(dict(sorted(given.items(), reverse=True)))


def test_the_sentence_names_both_systems_and_some_items() -> None:
    reported = CopiedPair("one", "two", ("a", "b", "c", "d"), 5).sentence(("query", "queries"))
    assert reported == (
        "one and two have the same values in 4 of 5 queries (a, b, c and 1 more): "
        "one may be a copy of the other."
    )


def test_the_sentence_names_no_items_if_all_values_are_the_same() -> None:
    reported = CopiedPair("one", "two", ("a", "b", "c", "d"), 4).sentence(("query", "queries"))
    assert reported == (
        "one and two have the same values in 4 of 4 queries: one may be a copy of the other."
    )
