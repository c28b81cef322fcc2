from __future__ import annotations

import csv
import io

from jurydesk.core.export.export_settings import make_origin
from jurydesk.core.statistics.inference import Inference
from jurydesk.core.tables.table_file import table_file

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
