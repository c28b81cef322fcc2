from __future__ import annotations

import csv
import io

import pytest

from jurydesk.core.export.export_settings import make_origin
from jurydesk.core.statistics.inference import Inference
from jurydesk.core.tables.table_file import escape_formula, table_file

ORIGIN = make_origin("item table csv", "toy", [], Inference())


def rows_of(content: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode())))


def test_a_table_of_one_column_has_its_origin_in_the_first_row_alone() -> None:
    head, first, second = rows_of(
        table_file("item table csv", [("id", ["a", "b"])], ORIGIN.cells())
    )
    assert (head[0], first[0], second[0]) == ("id", "a", "b")
    assert first[-1].startswith("{")
    assert second[1:] == [""] * (len(head) - 1)


def test_a_table_without_columns_has_no_row() -> None:
    assert len(rows_of(table_file("item table csv", [], ORIGIN.cells()))) == 1


@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-1+1", "@x", "|cmd", "%=1", "\uff1d1\uff0b1", "\t=1"]
)
def test_no_text_is_a_formula_or_a_command_in_a_spreadsheet(text) -> None:
    assert escape_formula(text) == f"'{text}"


def test_other_texts_stay_as_they_are() -> None:
    assert [escape_formula(one) for one in ("50 %", "a=b", "")] == ["50 %", "a=b", ""]
