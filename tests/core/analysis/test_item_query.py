"""Syntax of queries: texts by name, words, and words that look like conditions."""

from __future__ import annotations

import numpy as np
import pytest

from jurydesk.core.analysis.item_query import (
    Condition,
    free_words,
    match_rows,
    parse_conditions,
    unmatched_conditions,
)

NUMBERS = {"ap": np.array([0.1, 0.5, np.nan])}
TEXTS = {"kind": ["is it", "what", "is"], "id": ["q1", "q2", "q3"]}


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ("kind=is", [2]),
        ('kind="IS IT"', [0]),
        ("kind!=is", [0, 1]),
        ("kind=is ap<1", []),
        ("is", [0, 2]),
        ("kind<is", []),
        ("ap=is", []),
    ],
)
def test_a_text_is_compared_whole_and_a_word_is_searched(query, rows):
    mask = match_rows(query, 3, NUMBERS, TEXTS)
    assert mask is not None
    assert np.flatnonzero(mask).tolist() == rows


def test_conditions_and_words_are_distinguished():
    assert parse_conditions("a Ap>=.5 kind = what b") == [
        Condition("ap", ">=", ".5"),
        Condition("kind", "=", "what"),
    ]
    assert free_words("a Ap>=.5 kind = what B") == ["a", "b"]


@pytest.mark.parametrize(
    ("query", "parts"),
    [
        ("is ap<1 kind=is", []),
        ("ap<<1", ["ap<<1"]),
        ("ap<1 q <= ", ["<="]),
        ("kind < is", ["kind < is"]),
        ("ap=is what!", ["ap=is"]),
    ],
)
def test_an_invalid_condition_is_named(query, parts):
    assert unmatched_conditions(query, NUMBERS, TEXTS) == parts


def test_a_quoted_value_ends_with_its_quote():
    assert parse_conditions('kind="is it"ap<1') == [
        Condition("kind", "=", "is it"),
        Condition("ap", "<", "1"),
    ]


@pytest.mark.parametrize("run", ["a", "a=", '"', 'a="', "a<  "])
def test_parsing_a_long_query_takes_linear_time(run):
    assert free_words("b " + run * 100_000 + " c")[0] == "b"
