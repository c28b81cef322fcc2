"""Text table aligned by the display width of characters."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Sequence

from jurydesk.core.cli.console import escape_control_characters


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
