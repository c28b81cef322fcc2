"""Table columns: displayed text, and copied values."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.model.evaluation import Interval
from jurydesk.core.tables.columns import NumberColumn, TextColumn, row_indices
from jurydesk.core.tables.html_table import html_table
from jurydesk.core.tables.latex_table import latex_table
from jurydesk.core.tables.table_file import tab_separated
from jurydesk.core.tables.text_table import text_table
from support.language import shown_in

AP = NumberColumn("ap", "AP", np.array([1 / 3, np.nan, 1.0]))
COUNT = NumberColumn("n", "Listed", np.array([5000, 0, -3]))
QUERY = TextColumn("query", "Query", ["sb0001", "a\tb\nc", "=1+1"])


def test_numbers_are_rounded_on_the_screen_and_exact_in_tooltips() -> None:
    assert [AP.text(row) for row in range(3)] == ["0.3333", "–", "1.0000"]
    assert AP.exact(0) == "0.3333333333333333"
    assert [COUNT.text(row) for row in range(3)] == ["5,000", "0", "−3"]


def test_a_copy_has_all_digits_and_undefined_numbers_are_empty() -> None:
    copied = tab_separated((AP, COUNT), np.array([2, 1, 0]), headers=True)
    assert copied == "AP\tListed\n1.0\t-3\n\t0\n0.3333333333333333\t5000"


def test_copied_text_stays_in_its_cell_and_is_never_a_formula() -> None:
    copied = tab_separated((QUERY,), np.array([1, 2]), headers=False)
    assert copied == "a b c\n'=1+1"


def test_columns_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="different lengths"):
        row_indices((AP, TextColumn("query", "Query", ["one"])))


def test_texts_of_the_program_are_sorted_as_they_are_shown() -> None:
    """In Russian: фон, верно, дубликат."""
    texts = ["background", "true", "duplicate"]
    verdicts = TextColumn("verdict", "Verdict", texts, is_prose=True)
    with shown_in("ru"):
        assert np.argsort(verdicts.key).tolist() == [1, 2, 0]
    assert np.argsort(TextColumn("verdict", "Verdict", texts).key).tolist() == [0, 2, 1]


@given(
    st.lists(st.floats(-1e6, 1e6) | st.sampled_from([math.nan, math.inf, -math.inf]), max_size=30),
    st.integers(0, 4),
    st.booleans(),
)
def test_the_longest_text_of_numbers_is_that_of_an_extreme_one(values, decimals, is_signed):
    column = NumberColumn("x", "X", np.array(values), decimals=decimals, is_signed=is_signed)
    rows = np.arange(len(values))
    longest = column.longest(rows)
    assert len(longest) <= 5
    lengths = {row: len(column.text(row)) for row in rows.tolist()}
    assert max(lengths.values(), default=0) == max((lengths[row] for row in longest), default=0)


def test_the_longest_text_of_doubtful_numbers_may_be_any():
    column = NumberColumn("x", "X", np.array([1.0, 2.0, 3.0, 4.0]), doubtful={2})
    assert column.longest(np.arange(4)).tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("is_signed", [False, True])
def test_a_number_that_rounds_to_zero_has_no_sign_in_any_table(language, is_signed):
    limits = Interval(-0.0004, 0.0004, method="t")
    column = NumberColumn("a", "A", np.array([-0.0003, -0.0]), intervals=(limits, limits),
                          decimals=3, is_signed=is_signed)  # fmt: skip
    with shown_in(language):
        tables = [
            *text_table([column]),
            *latex_table([column]),
            html_table([column], "A"),
            *(column.text(row) for row in range(2)),
        ]
    assert all(not re.search(r"[-−+](\$)?0[.,]000\b", line) for line in tables)
    assert any("0,000" in line for line in tables) == (language == "ru")
