from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.tables.text_table import align_columns, display_width


def test_columns_are_as_wide_as_their_widest_cell():
    assert align_columns(("a", "number"), [("long", "1"), ("", "22")], right={1}) == [
        "a     number",
        "long       1",
        "          22",
    ]


@pytest.mark.parametrize(
    ("text", "columns"),
    [("abc", 3), ("漢字", 4), ("é", 1), ("e\u0301", 1), ("ｗ", 2), ("", 0), ("a\u200bb", 2)],
)
def test_width_is_counted_in_terminal_cells(text, columns):
    assert display_width(text) == columns


@given(st.lists(st.tuples(st.text(), st.text()), min_size=1))
def test_a_table_has_one_line_for_each_row(rows):
    assert len(align_columns(("x", "y"), rows)) == len(rows) + 1


def test_a_name_with_line_ends_takes_one_line():
    assert align_columns(("name", "n"), [("a\nb\tc", "1")]) == ["name     n", "a\\nb\\tc  1"]
