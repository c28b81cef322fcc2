from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.readers.natural_order import natural_key, natural_order


@pytest.mark.parametrize(
    "names",
    [
        ["q1", "q2", "q10", "q100"],
        ["1", "2", "10"],
        ["a", "a1", "a1b", "a2"],
        ["q1", "q09", "q9", "q10"],
        ["a1", "a2b1", "a2b10"],
    ],
)
def test_numbers_in_names_are_ordered_by_value(names):
    shuffled = names[::-1]
    assert [shuffled[i] for i in natural_order(shuffled)] == names
    assert sorted(shuffled, key=natural_key) == names


def test_a_number_of_ten_thousand_digits_is_ordered_quickly():
    assert natural_order(["q" + "9" * 10_000, "q1"]) == [1, 0]


@given(st.lists(st.text()))
def test_any_names_can_be_ordered(names):
    assert sorted(natural_order(names)) == list(range(len(names)))


@given(st.lists(st.integers(0, 10**30), unique=True))
def test_plain_numbers_are_ordered_by_their_value(numbers):
    names = [str(number) for number in numbers]
    assert [int(names[i]) for i in natural_order(names)] == sorted(numbers)
