"""Possessive groups: what they match is the same on every Python."""

from __future__ import annotations

import re

import pytest

from jurydesk.core.metrics.ptb_tokenizer import possessive_groups
from jurydesk.core.metrics.ptb_tokenizer.possessive_groups import (
    compile_pattern,
    replace_possessive_groups,
)


@pytest.mark.parametrize(
    ("pattern", "replaced"),
    [
        ("(?:a)*+", "(?>(?:a)*)"),
        ("(?:a(?:b)++)?+c", "(?>(?:a(?>(?:b)+))?)c"),
        ("(?:a){2,3}+", "(?>(?:a){2,3})"),
        ("(?!a)(?:b|[)*+(])++d*+", r"(?!a)(?>(?:b|[)*+(])+)d*+"),
        (r"(?:\)*+[]()*+]x)+", r"(?:\)*+[]()*+]x)+"),
        (r"[^]()]\(*+", r"[^]()]\(*+"),
    ],
)
def test_a_possessive_group_becomes_an_atomic_group(pattern: str, replaced: str) -> None:
    assert replace_possessive_groups(pattern) == replaced
    re.compile(replaced)


@pytest.mark.parametrize("is_faulty", [False, True])
def test_a_repetition_that_fails_in_its_middle_is_given_back(
    is_faulty: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(possessive_groups, "IS_FAULTY", is_faulty or possessive_groups.IS_FAULTY)
    found = compile_pattern("(x(?:-[a-z]++(?:_[0-9])?)*+)").match("x-ab_1-cd_-")
    assert found is not None
    assert found[1] == "x-ab_1-cd"
    found = compile_pattern("(x(?:-[a-z])*+)").match("x-a-")
    assert found is not None
    assert found[1] == "x-a"
