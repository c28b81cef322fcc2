"""Quotes are closed as by FusionBrain's loop over all matches, but in one pass."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.metrics.russian_meteor.caption_words import with_closed_quotes

PIECES = ["'", "' ", " '", "' a '", " a ", "a", " ", "  ", "\n", "b"]


def replaced_find_by_find(text, quote):
    for found in re.findall(rf"{quote}\s[^{quote}]+\s{quote}", text):
        text = text.replace(found, f"{quote}{found[2:-2]}{quote}")
    return text


@given(st.lists(st.sampled_from(PIECES), max_size=24).map("".join))
def test_quotes_are_closed_as_by_replacing_each_match(text):
    assert with_closed_quotes(text, "'") == replaced_find_by_find(text, "'")


@pytest.mark.parametrize(
    ("text", "closed"),
    [
        ("a ' b ' c", "a 'b' c"),
        ("a '  b  ' c", "a ' b ' c"),
        ("' a '  ' a '", "'a'  'a'"),
        ("' a ' a ' a '", "'a'a'a'"),
        ("'a ' b '", "'a 'b'"),
        ("' '", "' '"),
    ],
)
def test_white_space_inside_quotes_is_removed(text, closed):
    assert replaced_find_by_find(text, "'") == closed
    assert with_closed_quotes(text, "'") == closed


def test_a_million_quote_characters_take_linear_time():
    assert with_closed_quotes("' a '" * 200_000, "'") == "'a'" * 200_000
