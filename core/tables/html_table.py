"""Renderer of tables as HTML, which works without scripts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from jurydesk.core.tables import numbers
from jurydesk.core.tables.columns import Column, row_indices

NUMBER = ' class="number"'


def html_table(columns: Sequence[Column], caption: str) -> str:
    """Return a table whose first column names the rows."""
    heads = map(html_head, columns)
    rows = (
        f"<tr>{''.join(html_cell(one, row, is_name=one is columns[0]) for one in columns)}</tr>"
        for row in row_indices(columns).tolist()
    )
    return finished_table(heads, rows, caption)


def html_head(column: Column) -> str:
    """Return the head of a column."""
    return f'<th scope="col"{NUMBER if column.numeric else ""}>{escape(column.title)}</th>'


def html_cell(column: Column, row: int, *, is_name: bool = False) -> str:
    """Return a cell; `is_name` if it names its row."""
    text = escape(column.plain(row))
    if column.numeric and column.show is None:
        text = text.replace("-", numbers.MINUS)
    if is_name:
        return f'<th scope="row">{text}</th>'
    return f"<td{NUMBER if column.numeric else ''}>{text}</td>"


def finished_table(heads: Iterable[str], rows: Iterable[str], caption: str) -> str:
    """Return a table of finished cells."""
    return (
        f'<table><caption class="hidden">{escape(caption)}</caption>'
        f"<thead><tr>{''.join(heads)}</tr></thead>\n"
        f"<tbody>\n{chr(10).join(rows)}\n</tbody></table>"
    )
