from __future__ import annotations

import math

import numpy as np
import pytest

from jurydesk.core.model.evaluation import ItemTable
from jurydesk.core.tasks.vist.evalvist_program import java_double, printout


@pytest.mark.parametrize(
    ("value", "written"),
    [
        # Double.toString of OpenJDK 17
        (0.0, "0.0"),
        (1.0, "1.0"),
        (0.9999520462921719, "0.9999520462921719"),
        (0.001, "0.001"),
        (0.00095, "9.5E-4"),
        (1e-05, "1.0E-5"),
        (math.nan, "NaN"),
    ],
)
def test_numbers_are_formatted_as_in_java(value: float, written: str) -> None:
    assert java_double(value) == written


def test_the_mean_is_printed_below_its_heading() -> None:
    items = ItemTable(("a", "b"), {"meteor": np.array([0.25, 0.5])})
    assert printout(items) == "--------------------------\nAvg. Max Meteor Score =\n0.375"
