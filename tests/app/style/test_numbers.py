"""Numbers, counts and times have one format everywhere."""

from __future__ import annotations

import math
from datetime import datetime

import pytest

from jurydesk.app.style import numbers
from jurydesk.core.model.evaluation import Interval


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


@pytest.mark.parametrize(
    ("when", "text"),
    [
        (datetime(2026, 5, 3, 9, 5), "today 09:05"),
        (datetime(2026, 5, 2, 23, 59), "yesterday 23:59"),
        (datetime(2026, 1, 9), "9 January"),
        (datetime(2024, 1, 9), "9 January 2024"),
    ],
)
def test_recent_and_old_times_have_their_own_formats(when, text):
    assert numbers.moment(when, datetime(2026, 5, 3, 12, 0)) == text


def test_a_level_is_a_percentage():
    assert numbers.percent(0.95) == "95 %"
