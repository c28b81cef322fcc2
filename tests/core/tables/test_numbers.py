"""Numbers, counts and times have one format everywhere."""

from __future__ import annotations

import math

import pytest

from jurydesk.core.model.evaluation import Interval
from jurydesk.core.tables import numbers
from support.language import shown_in


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (0.31424, 4, "0.3142"),
        (-0.0011, 4, "−0.0011"),
        (12345.6, 1, "12,345.6"),
        (math.nan, 4, "–"),
        (math.inf, 4, "∞"),
        (-math.inf, 4, "−∞"),
        (40.0, 0, "40"),
        (-0.00001, 3, "0.000"),
        (-0.0, 4, "0.0000"),
    ],
)
def test_a_number_is_rounded_and_has_a_true_minus_sign(value, decimals, text):
    assert numbers.number(value, decimals) == text


def test_a_difference_has_a_sign():
    assert numbers.signed(0.0011) == "+0.0011"
    assert numbers.signed(-0.0011) == "−0.0011"
    assert numbers.signed(0.0) == "0.0000"


@pytest.mark.parametrize("value", [0.1 + 0.2, 1e-300, 1 / 3, 12.0])
def test_exact_formats_can_be_parsed_back(value):
    assert float(numbers.exact(value)) == value


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.2, "1 s"),
        (59.4, "59 s"),
        (60, "1 min"),
        (80, "1 min 20 s"),
        (1500, "25 min"),
        (4800, "1 h 20 min"),
    ],
)
def test_a_duration_has_as_few_units_as_needed(seconds, text):
    assert numbers.duration(seconds) == text


@pytest.mark.parametrize(
    ("n", "text"),
    [(0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (125_000_000, "125 MB"), (1500, "1.5 kB")],
)
def test_a_size_is_in_decimal_units(n, text):
    assert numbers.size(n) == text


def test_an_interval_has_two_ends_or_is_empty():
    assert numbers.interval(Interval(0.3109, 0.31764)) == "0.3109 – 0.3176"
    assert numbers.interval(Interval(math.nan, math.nan)) == ""
    assert numbers.interval(None) == ""


def test_counts_agree_with_their_noun():
    assert numbers.quantity(1, "file") == "1 file"
    assert numbers.quantity(1938, "sequence", "sequences") == "1,938 sequences"
    assert numbers.quantity(2, "query", "queries") == "2 queries"


def test_a_level_is_a_percentage():
    assert numbers.percent(0.95) == "95 %"


def test_russian_writes_numbers_its_own_way():
    with shown_in("ru"):
        assert numbers.number(-12345.6, 1) == "−12\u00a0345,6"
        assert numbers.quantity(22, "file") == "22\u00a0файла"
        assert numbers.size(1_500) == "1,5\u00a0кБ"
        assert numbers.duration(4800) == "1\u00a0ч 20\u00a0мин"
        assert numbers.exact(0.5) == "0.5"
