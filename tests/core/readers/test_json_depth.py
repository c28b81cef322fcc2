from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.model.json_text import DEEPEST, is_too_deep

VALUES = st.recursive(
    st.none() | st.integers() | st.text(alphabet='[]{}"\\a,: \n\u00e9\U0001f600'),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text('[]{}"\\'), inner, max_size=3)
    ),
    max_leaves=30,
)


def depth(value: Any) -> int:
    if isinstance(value, dict):
        value = list(value.values())
    return 1 + max(map(depth, value), default=0) if isinstance(value, list) else 0


@given(VALUES, st.booleans())
def test_texts_and_siblings_do_not_count(value: Any, ascii_only: bool) -> None:
    """Wrap values so that the deepest is at the limit, and then one level deeper."""
    more = DEEPEST - depth(value)
    text = json.dumps(value, ensure_ascii=ascii_only)
    assert not is_too_deep("[" * more + text + "]" * more)
    assert is_too_deep('{"[": ' * (more + 1) + text + "}" * (more + 1)) == (depth(value) + more > 0)


@pytest.mark.parametrize("ending", ["", '"[', '"\\', '1, "]]]]'])
def test_the_valid_beginning_of_a_broken_text_counts(ending: str) -> None:
    assert not is_too_deep("[" * DEEPEST + ending)
    assert is_too_deep("[" * (DEEPEST + 1) + ending)


def test_closed_levels_do_not_count() -> None:
    assert not is_too_deep(f"[{'[], {}, ' * 5000}1]")
