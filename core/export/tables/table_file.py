"""Writer of a table as CSV or JSON, with the origin of its numbers in the first row."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence

import numpy as np

from jurydesk.core.export.export_settings import ExportOrigin, make_origin
from jurydesk.core.model.evaluation import IntArray, Json, Source
from jurydesk.core.model.json_codec import json_number
from jurydesk.core.statistics.inference import Inference
from jurydesk.core.tables.csv_cells import csv_text, escape_formula

DataColumn = tuple[str, Sequence[object]]
"""A column of a table: its name and its cells; None and NaN are empty."""
FORMS = ("csv", "json")


def table_origin(
    kind: str,
    task_id: str,
    stamps: Sequence[Json],
    rows: IntArray,
    count: int,
    ratings: Source | None = None,
    **values: Json,
) -> ExportOrigin | None:
    """Return the origin of these rows of a table of `count` rows; None if a stamp is missing.

    `kind` ends with the form, such as `item table csv`; `values` are the settings of the table.
    """
    if not all(stamps):
        return None
    is_whole = len(rows) == count and bool((np.diff(rows) == 1).all())
    listed = None if is_whole else rows.tolist()
    return make_origin(kind, task_id, stamps, Inference(), ratings, rows=listed, **values)


def table_file(form: str, columns: Sequence[DataColumn], origin: ExportOrigin | None) -> bytes:
    """Return the content of a table of columns of equal length; `form` ends with csv or json.

    The origin is in the first row. A repeated name gets a number.
    """
    count = len(columns[0][1]) if columns else 0
    cells = {} if origin is None else origin.cells()
    added = [(name, [cell, *[None] * (count - 1)][:count]) for name, cell in cells.items()]
    named = [*columns, *added]
    titles = unique_names(name for name, _ in named)
    write = _csv if form.endswith("csv") else _json
    return write(titles, [values for _, values in named])


def take_rows(columns: Sequence[DataColumn], rows: Iterable[int]) -> list[DataColumn]:
    """Return these rows of a table; raises IndexError."""
    places = list(rows)
    return [(name, [cells[row] for row in places]) for name, cells in columns]


def unique_names(names: Iterable[str]) -> list[str]:
    """Return the names of columns, of which each repeated one gets a number."""
    found: dict[str, None] = {}
    for name in names:
        number, free = 1, name
        while free in found:
            number += 1
            free = f"{name} ({number})"
        found[free] = None
    return list(found)


def _csv(titles: Sequence[str], columns: Sequence[Sequence[object]]) -> bytes:
    """Return CSV with a header and all digits of numbers."""
    cells = (map(_csv_cell, values) for values in columns)
    return csv_text([list(map(escape_formula, titles)), *zip(*cells, strict=True)])


def _csv_cell(value: object) -> object:
    if isinstance(value, str):
        return escape_formula(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else ""
    return "" if value is None else value


def _json(titles: Sequence[str], columns: Sequence[Sequence[object]]) -> bytes:
    """Return a JSON list of records; undefined numbers are null."""
    rows = zip(*(map(_json_cell, values) for values in columns), strict=True)
    records = [dict(zip(titles, row, strict=True)) for row in rows]
    return json.dumps(records, ensure_ascii=False, indent=0, allow_nan=False).encode()


def _json_cell(value: object) -> object:
    return json_number(value) if isinstance(value, float) else value
