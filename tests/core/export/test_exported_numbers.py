"""Numbers of the tables in exports: altered tables are refused, never followed."""

from __future__ import annotations

import pytest

from jurydesk.core.export.exported_numbers import LATEX_COLUMNS, numbers_in_json, numbers_in_text
from jurydesk.core.model.stamp import StampError

ROW = "1 & near & 0.5 \\\\"


def test_a_latex_table_has_the_numbers_of_its_columns():
    (found,) = numbers_in_text(f"{LATEX_COLUMNS} ap:value:4\n{ROW}\n")
    assert (found.system, found.metric, found.part, found.text) == ("near", "ap", "value", "0.5")


@pytest.mark.parametrize("columns", ["ap", "ap:value", "ap:value:x"])
def test_columns_that_are_not_as_an_export_names_them_are_refused(columns):
    with pytest.raises(StampError, match="altered or is damaged"):
        numbers_in_text(f"{LATEX_COLUMNS} {columns}\n{ROW}\n")


def test_a_cell_whose_decimals_are_no_number_is_refused():
    cell = '<td data-metric="ap" data-decimals="x">0.5</td>'
    with pytest.raises(StampError, match="altered or is damaged"):
        numbers_in_text(f'<table><tr data-system="near">{cell}</tr></table>')


@pytest.mark.parametrize("part", ["details", "scores", "intervals"])
@pytest.mark.parametrize("value", [7, True, "text", [1], {"x": 1}, None])
def test_parts_of_another_type_have_no_numbers_that_an_export_has(part, value):
    found = list(numbers_in_json({"systems": [{"name": "near", part: value}]}))
    assert {one.system for one in found} <= {"near"}
    assert not [one for one in found if one.part == "std" and one.text]
