"""Renderer of tables as HTML, which works without scripts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from html import escape

from jurydesk.core.language.message import encode_message
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
    kind = NUMBER if column.numeric else ""
    return f'<th scope="col"{kind}{message_data(column.title)}>{escape(column.title)}</th>'


def html_cell(column: Column, row: int, *, is_name: bool = False) -> str:
    """Return a cell; `is_name` if it names its row."""
    plain = column.plain(row)
    text, data = escape(plain), message_data(plain)
    if column.numeric and column.show is None:
        text = text.replace("-", numbers.MINUS)
    if is_name:
        return f'<th scope="row"{data}>{text}</th>'
    return f"<td{NUMBER if column.numeric else ''}{data}>{text}</td>"


def message_data(text: str, name: str = "text") -> str:
    """Return the attribute `data-NAME` by which a page translates a message, empty for others."""
    message = encode_message(text)
    if isinstance(message, str):
        return ""
    return f' data-{name}="{escape(json.dumps(message, ensure_ascii=False), quote=True)}"'


def finished_table(heads: Iterable[str], rows: Iterable[str], caption: str) -> str:
    """Return a table of finished cells."""
    return (
        f'<table><caption class="hidden"{message_data(caption)}>{escape(caption)}</caption>'
        f"<thead><tr>{''.join(heads)}</tr></thead>\n"
        f"<tbody>\n{chr(10).join(rows)}\n</tbody></table>"
    )
