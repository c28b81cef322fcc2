"""Columns of a table: numbers or texts, over the same rows."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from jurydesk.core.language import translate_text
from jurydesk.core.language.text_direction import replace_controls
from jurydesk.core.model.evaluation import FloatArray, IntArray
from jurydesk.core.tables import numbers
from jurydesk.core.tables.csv_cells import escape_formula
from jurydesk.core.tables.sort_order import text_ranks

Paint = Callable[[int], str]
"""A function that returns the name of the colour of a row's cell; empty for the default."""


@dataclass(frozen=True)
class NumberColumn:
    """Numbers (n,), float64 or int64: rounded on the screen, exact in copies; NaN is undefined."""

    name: str
    title: str
    values: FloatArray | IntArray
    decimals: int = 4
    tooltip: str = ""
    paint: Paint | None = field(default=None, compare=False)
    doubtful: Container[int] = ()
    """Rows whose numbers are not reliable: they are in parentheses on the screen."""
    numeric = True

    @property
    def heading(self) -> str:
        """Title in the language of the window; copies and exports have `title`."""
        return translate_text(self.title)

    @property
    def key(self) -> npt.NDArray[Any]:
        """The sort key of the rows (n,)."""
        return self.values

    def text(self, row: int) -> str:
        """Return the text of a cell on the screen."""
        value = self.values[row]
        if self.values.dtype.kind == "i":
            return numbers.count(int(value))
        shown = numbers.number(float(value), self.decimals)
        return numbers.parenthesize(shown) if row in self.doubtful else shown

    def exact(self, row: int) -> str:
        """Return a cell with all digits."""
        value = self.values[row]
        return str(value) if self.values.dtype.kind == "i" else numbers.exact(float(value))

    def cells(self, rows: IntArray) -> list[int | float]:
        """Return the numbers of `rows`."""
        cells: list[int | float] = self.values[rows].tolist()
        return cells

    def spreadsheet_cells(self, rows: IntArray) -> list[str]:
        """Return the cells of `rows` for a spreadsheet: all digits, empty if undefined."""
        return ["" if value != value else repr(value) for value in self.cells(rows)]


@dataclass(frozen=True)
class TextColumn:
    """Texts, one for each row; `is_prose` texts are the program's, translated on the screen."""

    name: str
    title: str
    values: Sequence[str]
    tooltip: str = ""
    paint: Paint | None = field(default=None, compare=False)
    is_prose: bool = False
    numeric = False

    @property
    def heading(self) -> str:
        """Title in the language of the window; copies and exports have `title`."""
        return translate_text(self.title)

    @cached_property
    def key(self) -> IntArray:
        """The sort key of the rows (n,): the rank of each shown text in natural order."""
        if not self.is_prose:
            return text_ranks(self.values)
        shown = {text: translate_text(text) for text in set(self.values)}
        return text_ranks([shown[text] for text in self.values])

    @cached_property
    def folded(self) -> list[str]:
        """The texts with folded case, for searches."""
        return [text.casefold() for text in self.values]

    def text(self, row: int) -> str:
        """Return the text of a cell on the screen."""
        text = self.values[row]
        return translate_text(text) if self.is_prose else replace_controls(text)

    def exact(self, row: int) -> str:
        """Return the whole text of a cell."""
        return self.text(row)

    def cells(self, rows: IntArray) -> list[str]:
        """Return the texts of `rows`."""
        return [self.values[row] for row in rows.tolist()]

    def spreadsheet_cells(self, rows: IntArray) -> list[str]:
        """Return the cells of `rows` for a spreadsheet: on one line each, with formulas escaped."""
        return [escape_formula(" ".join(text.split())) for text in self.cells(rows)]


Column = NumberColumn | TextColumn


def row_indices(columns: Sequence[Column]) -> IntArray:
    """Return the row indices of columns, which must have equal lengths."""
    lengths = {len(column.values) for column in columns}
    if len(lengths) > 1:
        raise ValueError(f"columns of different lengths: {sorted(lengths)}")
    return np.arange(lengths.pop() if lengths else 0)


def tab_separated(columns: Sequence[Column], rows: IntArray, *, headers: bool) -> str:
    """Return the cells as tab-separated lines, which spreadsheets can paste."""
    titles = ["\t".join(column.title for column in columns)] if headers else []
    cells = [column.spreadsheet_cells(rows) for column in columns]
    return "\n".join([*titles, *("\t".join(line) for line in zip(*cells, strict=True))])
