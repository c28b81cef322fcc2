"""Renderer of tables as lines of a terminal, aligned by the display width of characters."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Collection, Iterable, Sequence

from jurydesk.core.language import format_number, localize_number, translate, translate_text
from jurydesk.core.language.text_direction import escape_control_characters
from jurydesk.core.model.evaluation import Interval
from jurydesk.core.tables import numbers
from jurydesk.core.tables.columns import Column, NumberColumn

UNDEFINED = "-"


def text_table(columns: Iterable[Column]) -> list[str]:
    """Return the lines of a table; the heads are the names of its columns.

    A number is followed by its interval, and by a star if it is the best.
    """
    shown = list(columns)
    rows = [[terminal_cell(one, row) for one in shown] for row in range(len(shown[0].values))]
    heads = [translate_text(one.name) for one in shown]
    return align_columns(heads, rows, right={n for n, one in enumerate(shown) if one.numeric})


def terminal_cell(column: Column, row: int) -> str:
    """Return the text of a cell in a terminal, where numbers have no typographic signs."""
    text = column.plain(row)
    if not isinstance(column, NumberColumn):
        text = translate_text(text) if column.is_prose else text
        remark = translate_text(column.remarks.get(row, ""))
        return f"{text} ({remark})" if remark else text
    if column.show is None:
        if text == numbers.UNDEFINED:
            return UNDEFINED
        text = localize_number(text)
    interval = column.intervals[row] if column.intervals else None
    if interval is not None:
        text = f"{text} {interval_text(interval, column.decimals, column.is_signed)}"
    if column.best is None:
        return text
    if row in column.doubtful:
        return f"({text}) "
    return f"{text}{'*' if row in column.best else ' '}"


def plain_number(value: float, decimals: int, sign: str = "") -> str:
    """Return a number with a hyphen as minus sign; a hyphen alone if it is undefined."""
    return (
        localize_number(format_number(value, f"{sign}.{decimals}f"))
        if math.isfinite(value)
        else UNDEFINED
    )


def interval_text(interval: Interval, decimals: int, is_signed: bool = False) -> str:
    """Return `[0.4871, 0.5612]`, with a semicolon where the comma is the decimal point."""
    style = f"{'+' if is_signed else ''}.{decimals}f"
    ends = (format_number(end, style) for end in (interval.low, interval.high))
    low, high = map(localize_number, ends)
    return translate("[{low}, {high}]", low=low, high=high)


def align_columns(
    head: Sequence[str], rows: Sequence[Sequence[str]], *, right: Collection[int] = ()
) -> list[str]:
    """Return the lines of a table; columns whose indices are in `right` are right-aligned."""
    cells = [[_escape_line_ends(cell) for cell in row] for row in (head, *rows)]
    widths = [max(display_width(cell) for cell in column) for column in zip(*cells, strict=True)]
    return ["  ".join(_pad(row, widths, right)).rstrip() for row in cells]


def _escape_line_ends(cell: str) -> str:
    return escape_control_characters(cell).replace("\n", "\\n").replace("\t", "\\t")


def _pad(row: Sequence[str], widths: Sequence[int], right: Collection[int]) -> list[str]:
    padded = []
    for column, (cell, total) in enumerate(zip(row, widths, strict=True)):
        blanks = " " * (total - display_width(cell))
        padded.append(blanks + cell if column in right else cell + blanks)
    return padded


def display_width(text: str) -> int:
    """Return the terminal columns of a text: wide East Asian letters take two, marks none."""
    if text.isascii():
        return len(text)
    return sum(_letter_width(letter) for letter in text)


def _letter_width(letter: str) -> int:
    if unicodedata.combining(letter) or unicodedata.category(letter) == "Cf":
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1
