from __future__ import annotations

import numpy as np
import pytest

from core.copies import Copies, copies
from core.model import Evaluation, ItemTable

COLUMNS = ("ap", "p")


def system(name: str, seed: int, *, of: Evaluation | None = None, share: float = 1.0) -> Evaluation:
    """Random values of 50 items, the first ones (`share` of them) those of another system."""
    values = np.random.default_rng(seed).random((2, 50))
    if of is not None:
        kept = int(50 * share)
        values[:, :kept] = [of.items.columns[column][:kept] for column in COLUMNS]
    columns = dict(zip(COLUMNS, values, strict=True))
    items = ItemTable(tuple(f"q{number:02d}" for number in range(50)), columns)
    return Evaluation("toy", name, "published", (), items)


ONE, TWO = system("one", 1), system("two", 2)


def test_systems_of_their_own_are_no_copies() -> None:
    assert copies([ONE, TWO, system("three", 3)], COLUMNS) == ()


@pytest.mark.parametrize("share", [1.0, 0.9])
def test_a_copy_is_found_with_the_items_that_are_the_same(share: float) -> None:
    copy = system("copy", 3, of=TWO, share=share)
    (found,) = copies([ONE, TWO, copy], COLUMNS)
    assert (found.first, found.second, found.telling) == ("copy", "two", 50)
    assert len(found.same) == 50 * share


def test_half_of_the_items_in_common_is_no_copy() -> None:
    assert copies([ONE, system("half", 3, of=ONE, share=0.5)], COLUMNS) == ()


def test_values_that_chance_repeats_tell_nothing() -> None:
    round_values = np.round(np.random.default_rng(0).random(50), 1)
    items = ItemTable(tuple(map(str, range(50))), {"ap": round_values, "p": round_values})
    same = [Evaluation("toy", name, "published", (), items) for name in ("one", "two")]
    assert copies(same, COLUMNS) == ()


def test_the_order_of_systems_changes_nothing() -> None:
    copy = system("copy", 3, of=TWO)
    assert copies([copy, TWO, ONE], COLUMNS) == copies([ONE, TWO, copy], COLUMNS)


def test_the_sentence_names_both_and_some_items() -> None:
    told = Copies("one", "two", ("a", "b", "c", "d"), 5).sentence(("query", "queries"))
    assert told == (
        "one and two have the same values in 4 of 5 queries (a, b, c and 1 more): "
        "one may be a copy of the other."
    )
