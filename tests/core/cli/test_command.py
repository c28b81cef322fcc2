from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.cli.command import spread_repeatable, suggest_command

REPEATABLE = ("--results", "--name")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("--results a b c", "--results a --results b --results c"),
        ("--results a --results b c", "--results a --results b --results c"),
        ("--relevance r --results a b --json -", "--relevance r --results a --results b --json -"),
        ("--results a b -- c", "--results a --results b -- c"),
        ("--results - x", "--results - --results x"),
        ("--results=a b", "--results=a b"),
        ("--results --odd b", "--results --odd --results b"),
        ("plain words", "plain words"),
        ("--results a --quiet --name x y", "--results a --quiet --name x --name y"),
    ],
)
def test_values_after_a_repeatable_option_belong_to_it(typed, meant):
    assert spread_repeatable(typed.split(), REPEATABLE) == meant.split()


words = st.text("abc.", min_size=1, max_size=4)


@given(st.lists(words, min_size=1, max_size=6))
def test_every_value_is_returned_once_and_in_order(values):
    assert spread_repeatable(["--results", *values], REPEATABLE)[1::2] == values


@given(st.lists(words | st.sampled_from(["--quiet", "-", "--json", "--results", "--"])))
def test_no_argument_is_lost(arguments):
    result = spread_repeatable(arguments, REPEATABLE)
    assert [word for word in result if word != "--results"] == [
        word for word in arguments if word != "--results"
    ]


def test_similar_names_are_suggested_or_else_all_are_listed():
    assert suggest_command("scor", ["score", "check"]) == "Did you mean score?"
    assert suggest_command("xyz", ["score", "check"]) == "Available: score, check."
