"""Numbers in cells as people and programs write them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.readers.foreign_tables.cell_numbers import parse_number_cells


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (["0.5", "1", "-2e3", ".25"], [0.5, 1.0, -2000.0, 0.25]),
        (["0,5", "0,25", "3"], [0.5, 0.25, 3.0]),
        (["1.234,5", "2,5"], [1234.5, 2.5]),
        (["1,234", "12,345,678"], [1234.0, 12345678.0]),
        (["1,234.5", "7"], [1234.5, 7.0]),
        (["1 234,5", "2,25"], [1234.5, 2.25]),
        (["1'234.5"], [1234.5]),
        (["85%", "7.5 %"], [0.85, 0.075]),
        (["12,5%", "50%"], [0.125, 0.5]),
        (["True", "FALSE", "yes", "no"], [1.0, 0.0, 1.0, 0.0]),
        (["correct", "incorrect"], [1.0, 0.0]),
        (["−0.5"], [-0.5]),
        (["'-0.5"], [-0.5]),
        ([" 0.5 "], [0.5]),
    ],
)
def test_a_number_is_read_in_the_notation_of_its_column(cells, values):
    found = parse_number_cells(cells)
    assert found.wrong == ()
    assert found.values == pytest.approx(values)


@pytest.mark.parametrize("cell", ["", "NaN", "null", "None", "N/A", "#N/A", "-", "?", "inf", "nan"])
def test_a_missing_cell_has_no_number_and_is_no_mistake(cell):
    found = parse_number_cells([cell, "1"])
    assert found.missing.tolist() == [True, False]
    assert found.wrong == ()
    assert math.isnan(found.values[0])


@pytest.mark.parametrize("cell", ["abc", "1_000", "0x10", "=1+1", "1.2.3", "5 apples", "1;2"])
def test_another_text_is_no_number(cell):
    assert parse_number_cells(["1", cell]).wrong == (1,)


def test_percentages_beside_plain_numbers_are_refused():
    assert parse_number_cells(["85%", "0.9"]).wrong == (0,)


def test_a_thousand_texts_are_told_by_a_hundred_of_them():
    texts = [f"q{number}" for number in range(1000)]
    assert parse_number_cells(texts).wrong == tuple(range(1000))


def test_the_reading_of_commas_is_reported():
    assert parse_number_cells(["0,5"]).remarks == ("Commas were read as decimal commas.",)
    (remark,) = parse_number_cells(["1,234"]).remarks
    assert remark == "Commas separate thousands: 1,234 was read as 1234.0."


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_a_number_that_python_writes_is_read_as_itself(numbers):
    found = parse_number_cells([repr(number) for number in numbers])
    assert np.array_equal(found.values, np.array(numbers))
