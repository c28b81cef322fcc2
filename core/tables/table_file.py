"""Renderer of tables as CSV, JSON, or tab-separated text, safe for spreadsheets."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from jurydesk.core.model.evaluation import IntArray
from jurydesk.core.model.json_codec import json_number
from jurydesk.core.tables.columns import Column, DataColumn

FORMS = ("csv", "json")
FORMULA_STARTS = (*"=+-@|%", *"\uff1d\uff0b\uff0d\uff20", "\t", "\r", "\n")
"""First characters that make a spreadsheet read a cell as a formula (OWASP, CSV Injection).

Some read the wide forms of these signs like the signs, or a command behind `|` or `%`.
"""


def escape_formula(text: str) -> str:
    """Prefix an apostrophe to a text that a spreadsheet would read as a formula."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def csv_text(rows: Iterable[Sequence[object]]) -> bytes:
    """Write rows as CSV in UTF-8; numbers read back as the same float64."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode("utf-8", errors="backslashreplace")


def table_file(
    form: str,
    columns: Sequence[DataColumn],
    origin: Mapping[str, str] = MappingProxyType({}),
) -> bytes:
    """Return the content of a table of columns of equal length; `form` ends with csv or json.

    The cells of `origin` are in the first row. A repeated name gets a number.
    """
    count = len(columns[0][1]) if columns else 0
    added = [(name, [cell, *[None] * (count - 1)][:count]) for name, cell in origin.items()]
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
    cells = (map(csv_cell, values) for values in columns)
    return csv_text([list(map(escape_formula, titles)), *zip(*cells, strict=True)])


def csv_cell(value: object) -> object:
    """Return a cell for `csv_text`: formulas are escaped, undefined numbers are empty."""
    if isinstance(value, str):
        return escape_formula(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else ""
    return "" if value is None else value


def _json(titles: Sequence[str], columns: Sequence[Sequence[object]]) -> bytes:
    """Return a JSON list of records; undefined numbers are null."""
    rows = zip(*(map(json_cell, values) for values in columns), strict=True)
    records = [dict(zip(titles, row, strict=True)) for row in rows]
    return json.dumps(records, ensure_ascii=False, indent=0, allow_nan=False).encode()


def json_cell(value: object) -> object:
    """Return a cell for JSON; undefined numbers are null."""
    return json_number(value) if isinstance(value, float) else value


def tab_separated(columns: Sequence[Column], rows: IntArray, *, headers: bool) -> str:
    """Return the cells as tab-separated lines, which spreadsheets can paste.

    Numbers have all digits, and are empty if undefined; a text is on one line.
    """
    titles = ["\t".join(column.title for column in columns)] if headers else []
    cells = [map(_pasted_cell, column.data(rows)) for column in columns]
    return "\n".join([*titles, *("\t".join(line) for line in zip(*cells, strict=True))])


def _pasted_cell(value: object) -> str:
    if isinstance(value, str):
        return escape_formula(" ".join(value.split()))
    return "" if value != value else repr(value)
