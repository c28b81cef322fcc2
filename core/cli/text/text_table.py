"""Columns of text for a terminal or a pipe, aligned by the width that letters take there."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Sequence

from jurydesk.core.cli.console import escape_control_characters


def align_columns(
    head: Sequence[str], rows: Sequence[Sequence[str]], *, right: Collection[int] = ()
) -> list[str]:
    """The lines of a table; the columns whose numbers are in `right` are flushed right."""
    cells = [[_on_one_line(cell) for cell in row] for row in (head, *rows)]
    widths = [max(display_width(cell) for cell in column) for column in zip(*cells, strict=True)]
    return ["  ".join(_padded(row, widths, right)).rstrip() for row in cells]


def _on_one_line(cell: str) -> str:
    """A file's name may hold line ends."""
    return escape_control_characters(cell).replace("\n", "\\n").replace("\t", "\\t")


def _padded(row: Sequence[str], widths: Sequence[int], right: Collection[int]) -> list[str]:
    padded = []
    for column, (cell, total) in enumerate(zip(row, widths, strict=True)):
        blanks = " " * (total - display_width(cell))
        padded.append(blanks + cell if column in right else cell + blanks)
    return padded


def display_width(text: str) -> int:
    """The columns that a text takes on a terminal: wide East Asian letters take two, marks none."""
    if text.isascii():
        return len(text)
    return sum(_letter_width(letter) for letter in text)


def _letter_width(letter: str) -> int:
    if unicodedata.combining(letter) or unicodedata.category(letter) == "Cf":
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1
