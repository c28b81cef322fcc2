"""A field of a hundred thousand characters is told to be no number as quickly as it is read."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.human_evaluation.imported import question_titles
from jurydesk.core.readers import bounded_defects
from jurydesk.core.tasks.keyword_spotting.icfhr import word_rules
from jurydesk.core.tasks.keyword_spotting.overlap.readers import field_columns, xml_reader
from jurydesk.core.tasks.keyword_spotting.trec import lines

LONG = 100_000
BEFORE = {
    question_titles.SEPARATORS: r"\s+[|/–—-]\s+|\s*[|:]\s+",
    bounded_defects._VARYING: r'"[^"]*"|[^ "]*[0-9][^ "]*',
    xml_reader.POINT: r"(-?[0-9]+(?:\.[0-9]+)?),(-?[0-9]+(?:\.[0-9]+)?)",
}
"""Patterns that search texts, and what they find: the obvious pattern is as slow as its square."""


@pytest.mark.parametrize(
    "pattern",
    [word_rules._DECIMAL, field_columns.DECIMAL, lines.NUMBER, lines._C_NUMBER, *BEFORE],
)
@pytest.mark.parametrize("unit", ["1", " ", "a", "1.", "-", '"'])
def test_every_pattern_takes_the_time_of_its_text(pattern, unit):
    text = unit * (LONG // len(unit)) + "\x01"
    given_text = text.encode() if isinstance(pattern.pattern, bytes) else text
    before = time.process_time()
    pattern.fullmatch(given_text)
    if pattern in BEFORE:
        pattern.sub("#", given_text)
    assert time.process_time() - before < 2


@pytest.mark.parametrize("pattern", BEFORE, ids=lambda one: one.pattern)
@given(text=st.text('01 .,-|:/"a', max_size=30))
def test_what_is_found_is_what_the_obvious_pattern_finds(pattern, text):
    plain = [found.span() for found in re.finditer(BEFORE[pattern], text)]
    assert [found.span() for found in pattern.finditer(text)] == plain


@given(text=st.text("0123456789.+-eExX", max_size=12))
def test_decimal_numbers_are_those_of_the_obvious_pattern(text):
    obvious = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
    is_number = re.fullmatch(obvious, text) is not None
    for pattern in (word_rules._DECIMAL, field_columns.DECIMAL, lines.NUMBER):
        own = text.encode() if isinstance(pattern.pattern, bytes) else text
        assert (pattern.fullmatch(own) is not None) == is_number
