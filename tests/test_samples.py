"""Samples of cases, and the variable that has all of them tried."""

from __future__ import annotations

import pytest

from support.suite import samples


@pytest.fixture(params=[False, True], ids=["samples", "all"])
def is_whole(request, monkeypatch) -> bool:
    monkeypatch.setattr(samples, "SAMPLES_ARE_WHOLE", request.param)
    return request.param


def test_a_sample_is_spread_from_the_first_to_the_last_case(is_whole):
    assert samples.sample(range(9), 3) == ([*range(9)] if is_whole else [0, 4, 8])
    assert samples.sample("ab", 1) == (["a", "b"] if is_whole else ["a"])


def test_fewer_cases_are_all_tried(is_whole):
    assert samples.sample("ab", 3) == ["a", "b"]


def test_a_number_of_cases_is_the_smaller_one_in_a_sample(is_whole):
    assert samples.sample_size(3, of=8) == (8 if is_whole else 3)


def test_two_tests_share_the_cases_by_halves(is_whole):
    one, other = samples.halves("abcde")
    assert (one, other) == ((list("abcde"),) * 2 if is_whole else (list("ace"), list("bd")))
