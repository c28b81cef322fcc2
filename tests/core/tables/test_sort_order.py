"""Sorting a million cells."""

from __future__ import annotations

import re
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.tables import sort_order as natural_module
from jurydesk.core.tables.sort_order import sorted_rows, text_ranks

EVERY = np.arange


def natural(text: str) -> list[tuple[int, int, str]]:
    """Return the natural order in the slow way: letters without case, numbers by value."""
    parts = re.findall(r"[0-9]+|[^0-9]", text.replace("\0", " ").casefold())
    return [(ord("0"), int(p), "") if p.isdigit() else (ord(p), 0, p) for p in parts]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["q10", "q2", "q1"], ["q1", "q2", "q10"]),
        (["b", "A", "a", "B"], ["A", "a", "b", "B"]),
        (["page_010", "page_9", "page_0011"], ["page_9", "page_010", "page_0011"]),
        (["", "a", " "], ["", " ", "a"]),
        (["a1b2", "a1b10", "a1", "a01b3"], ["a1", "a1b2", "a01b3", "a1b10"]),
        (["é", "z", "e"], ["e", "z", "é"]),
        (["a" * 40 + "2", "a" * 40 + "1"], ["a" * 40 + "1", "a" * 40 + "2"]),
    ],
)
def test_texts_are_sorted_naturally(texts: list[str], expected: list[str]) -> None:
    rows = sorted_rows(text_ranks(texts), EVERY(len(texts)), descending=False)
    assert [texts[row] for row in rows] == expected


ALIKE = st.text("aB0129-ßéя\0", max_size=20)
PREFIXED = st.builds(lambda head, tail: "page_00" * head + tail, st.integers(0, 3), ALIKE)


@given(st.lists(ALIKE | PREFIXED), st.integers(1, 5))
def test_ranks_equal_those_of_a_simple_natural_sort(texts: list[str], at_a_time: int) -> None:
    with patch.object(natural_module, "BLOCK_TEXTS", at_a_time):
        ranks = text_ranks(texts)
    expected = sorted(range(len(texts)), key=lambda row: natural(texts[row]))
    assert sorted_rows(ranks, EVERY(len(texts)), descending=False).tolist() == expected
    for i, first in enumerate(texts):
        for j, second in enumerate(texts):
            assert (ranks[i] == ranks[j]) == (natural(first) == natural(second))


@given(st.lists(st.text()))
def test_any_text_can_be_ranked(texts: list[str]) -> None:
    ranks = text_ranks(texts)
    assert len(ranks) == len(texts)
    for text, rank in zip(texts, ranks, strict=True):
        assert rank == ranks[texts.index(text)]


@pytest.mark.parametrize("descending", [False, True])
def test_undefined_numbers_come_last_both_ways(descending: bool) -> None:
    values = np.array([np.nan, 2.0, 1.0, np.nan, 3.0])
    rows = sorted_rows(values, EVERY(5), descending=descending)
    assert rows.tolist() == ([4, 1, 2, 0, 3] if descending else [2, 1, 4, 0, 3])


NUMBERS = st.floats() | st.sampled_from([0.0, -0.0, 1.0, -1.0, float("nan"), float("-inf")])
ROWS = st.lists(NUMBERS) | st.lists(st.integers(-(2**63), 2**63 - 1)) | st.lists(st.integers(0, 3))


@given(ROWS, st.booleans())
def test_numbers_are_sorted_as_by_numpy(values: list[float], descending: bool) -> None:
    key = np.array(values, dtype=np.float64 if any(isinstance(v, float) for v in values) else None)
    defined = [row for row in range(len(values)) if values[row] == values[row]]
    undefined = [row for row in range(len(values)) if values[row] != values[row]]
    expected = sorted(defined, key=lambda row: -values[row] if descending else values[row])
    rows = sorted_rows(key, EVERY(len(key)), descending=descending)
    assert rows.tolist() == [*expected, *undefined]


def test_the_smallest_integer_is_last_when_the_largest_is_first() -> None:
    least = np.iinfo(np.int64).min
    rows = sorted_rows(np.array([least, 5, -1]), EVERY(3), descending=True)
    assert rows.tolist() == [1, 2, 0]


def test_only_the_given_rows_are_sorted() -> None:
    rows = sorted_rows(np.array([3.0, 1.0, 2.0, 0.0]), np.array([0, 2]), descending=False)
    assert rows.tolist() == [2, 0]


def test_memory_depends_on_the_number_of_texts_and_not_on_the_longest() -> None:
    texts = ["a" * 100_000, *(f"q{i}" for i in range(1000))]
    ranks = text_ranks(texts)
    assert ranks[0] == 0
    assert ranks[1:].tolist() == list(range(1, 1001))


def test_a_long_text_of_zeros_is_ranked_quickly() -> None:
    texts = ["0" * 5_000_000 + "7", "6", "8"]
    assert text_ranks(texts).tolist() == [1, 0, 2]


def test_a_hundred_thousand_shuffled_ids_are_ranked_by_their_numbers() -> None:
    numbers = np.random.default_rng(1).permutation(100_000)
    ranks = text_ranks([f"sb{number:05d}" for number in numbers.tolist()])
    assert np.array_equal(ranks, numbers)
