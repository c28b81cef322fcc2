"""Columns of a table: what every renderer (terminal, files, LaTeX, HTML, window) is made of."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from typing import Any, Generic, TypeVar, cast

import numpy as np
import numpy.typing as npt

from jurydesk.core.language import format_number, translate_text
from jurydesk.core.language.text_direction import replace_controls
from jurydesk.core.model.evaluation import FloatArray, IntArray, Interval
from jurydesk.core.tables import numbers
from jurydesk.core.tables.sort_order import text_ranks

Cell = Callable[[int], str]
"""A function that returns the text of a row's cell, or the name of its colour."""
DataColumn = tuple[str, Sequence[object]]
"""A column of a file: its name and its cells; None and NaN are empty."""
Values = TypeVar("Values")


@dataclass(frozen=True)
class CodedTexts(Sequence[str]):
    """Texts (n,) by their codes, which may be replaced in place; sorted by code."""

    codes: npt.NDArray[np.integer[Any]]
    words: Mapping[int, str]

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, row):  # type: ignore[no-untyped-def]
        return self.words[int(self.codes[row])]


@dataclass(frozen=True)
class _AnyColumn(Generic[Values]):
    """Column of `values` (n,); one without a title is in files alone.

    `show` returns a row's cell on the screen, `detail` that of a tooltip, which may have several
    lines; without them both are made from the value. `paint` names the colour of a cell; empty is
    the default. Files have the values, or `file_cells` instead, and the columns `beside` them.
    `remarks` on cells, by row, are shown beside them; those on numbers concern their intervals.
    """

    name: str
    title: str
    values: Values
    _: KW_ONLY
    tooltip: str = ""
    show: Cell | None = field(default=None, compare=False)
    detail: Cell | None = field(default=None, compare=False)
    paint: Cell | None = field(default=None, compare=False)
    file_cells: Sequence[object] | None = None
    beside: Sequence[DataColumn] = ()
    remarks: Mapping[int, str] = field(default_factory=dict)

    @property
    def heading(self) -> str:
        """Title in the language of the window; copies and exports have `title`."""
        return translate_text(self.title)


@dataclass(frozen=True)
class NumberColumn(_AnyColumn[FloatArray | IntArray]):
    """Numbers (n,), float64 or int64: rounded on the screen, exact in files; NaN is undefined.

    The ends of their `intervals` (n,) follow them in files. Rows of `doubtful` are not reliable:
    they are in parentheses on the screen. Rows of `best` are marked; None if no row can be.
    """

    _: KW_ONLY
    decimals: int = 4
    is_signed: bool = False
    """Whether positive numbers have a plus sign."""
    intervals: Sequence[Interval | None] = ()
    doubtful: Container[int] = ()
    best: Container[int] | None = None
    is_p: bool = False
    """Whether small positive numbers are shown as less than the last decimal, never as 0."""
    numeric = True

    @property
    def key(self) -> npt.NDArray[Any]:
        """The sort key of the rows (n,)."""
        return self.values

    @property
    def _form(self) -> Callable[[float, int], str]:
        if self.is_p:
            return numbers.p_value
        return numbers.signed if self.is_signed else numbers.number

    def text(self, row: int) -> str:
        """Return the text of a cell on the screen."""
        value = self.values[row]
        if self.show is not None:
            shown = self.show(row)
        elif self.values.dtype.kind == "i":
            shown = numbers.count(int(value))
        else:
            shown = self._form(float(value), self.decimals)
        return numbers.parenthesize(shown) if row in self.doubtful else shown

    def longest(self, rows: IntArray) -> IntArray:
        """Return those of some rows (n,) whose texts can be the longest: of the extreme numbers."""
        if self.show is not None or self.doubtful or not rows.size:
            return rows
        values = self.values[rows]
        is_known = np.isfinite(values)
        _, unknown = np.unique(values[~is_known], return_index=True)
        found = rows[~is_known][unknown]
        if is_known.any():
            known = values[is_known]
            found = np.append(found, rows[is_known][[known.argmin(), known.argmax()]])
        return found

    def plain(self, row: int) -> str:
        """Return a rounded number in English, with a hyphen as minus sign; undefined is a dash."""
        value = self.values[row].item()
        if self.show is not None:
            return self.show(row)
        if not math.isfinite(value):
            return numbers.UNDEFINED
        if isinstance(value, int):
            return str(value)
        least = 10.0**-self.decimals
        if self.is_p and value < least:
            return f"< {least:.{self.decimals}f}"
        return format_number(value, f"{'+' if self.is_signed else ''}.{self.decimals}f")

    def exact(self, row: int) -> str:
        """Return a cell with all digits, and its interval."""
        if self.detail is not None:
            return self.detail(row)
        value = self.values[row]
        exact = str(value) if self.values.dtype.kind == "i" else numbers.exact(float(value))
        interval = self.intervals[row] if self.intervals else None
        if interval is None:
            return exact
        ends = f"{numbers.exact(interval.low)} – {numbers.exact(interval.high)}"
        level, method = numbers.percent(interval.level), translate_text(interval.method)
        return f"{exact}; {level}: {ends} ({method})"

    def data(self, rows: IntArray | None = None) -> list[int | float]:
        """Return the numbers of `rows` (default: all) with all digits."""
        found: list[int | float] = (self.values if rows is None else self.values[rows]).tolist()
        return found


@dataclass(frozen=True)
class TextColumn(_AnyColumn[Sequence[str]]):
    """Texts, one for each row; `is_prose` texts are the program's, translated on the screen.

    `marks` returns the first letter and the number of the letters of a cell that are marked.
    """

    _: KW_ONLY
    is_prose: bool = False
    marks: Callable[[int], Sequence[tuple[int, int]]] | None = field(default=None, compare=False)
    numeric = False

    @property
    def key(self) -> IntArray:
        """The sort key of the rows (n,): the rank of each shown text in natural order."""
        if isinstance(self.values, CodedTexts):
            return self.values.codes.astype(np.int64)
        return self._ranks

    @cached_property
    def _ranks(self) -> IntArray:
        if not self.is_prose:
            return text_ranks(self.values)
        shown = {text: translate_text(text) for text in set(self.values)}
        return text_ranks([shown[text] for text in self.values])

    @property
    def folded(self) -> list[str]:
        """The texts with folded case, for searches."""
        if isinstance(self.values, CodedTexts):
            words = {code: translate_text(one) for code, one in self.values.words.items()}
            folded = {code: word.casefold() for code, word in words.items()}
            return [folded[code] for code in self.values.codes.tolist()]
        return self._folded

    @cached_property
    def _folded(self) -> list[str]:
        return [text.casefold() for text in self.values]

    def text(self, row: int) -> str:
        """Return the text of a cell on the screen."""
        if self.show is not None:
            return self.show(row)
        text = self.values[row]
        return translate_text(text) if self.is_prose else replace_controls(text)

    def longest(self, rows: IntArray) -> IntArray:
        """Return those of some rows (n,) whose texts can be the longest: all."""
        return rows

    def plain(self, row: int) -> str:
        """Return the text of a cell in English, with all its characters."""
        return self.values[row] if self.show is None else self.show(row)

    def exact(self, row: int) -> str:
        """Return the whole text of a cell."""
        return self.text(row) if self.detail is None else self.detail(row)

    def data(self, rows: IntArray | None = None) -> Sequence[str]:
        """Return the texts of `rows` (default: all)."""
        return self.values if rows is None else [self.values[row] for row in rows.tolist()]


Column = NumberColumn | TextColumn


def data_columns(columns: Iterable[Column]) -> list[DataColumn]:
    """Return the columns of a file: values, ends of their intervals, and those beside them."""
    found: list[DataColumn] = []
    for one in columns:
        found.append((one.name, one.data() if one.file_cells is None else one.file_cells))
        if isinstance(one, NumberColumn) and one.intervals:
            known = zip(one.intervals, np.isfinite(one.values).tolist(), strict=True)
            ends = [
                (ends.low, ends.high) if ends and is_known else (None, None)
                for ends, is_known in known
            ]
            low, high = zip(*ends, strict=True)
            found += [(f"{one.name}_low", low), (f"{one.name}_high", high)]
        found += one.beside
    return found


def make_column(title: str, values: Sequence[object]) -> Column:
    """Return a column of numbers, if all are numbers, or else of texts; its name is its title."""
    if any(isinstance(value, str) for value in values):
        return TextColumn(title, title, [str(value) for value in values])
    numbers = np.asarray(cast(Sequence[float], values))
    whole = numbers.dtype.kind == "i"
    return NumberColumn(
        title, title, numbers if whole else numbers.astype(float), file_cells=values
    )


def row_indices(columns: Sequence[Column]) -> IntArray:
    """Return the row indices of columns, which must have equal lengths."""
    lengths = {len(column.values) for column in columns}
    if len(lengths) > 1:
        raise ValueError(f"columns of different lengths: {sorted(lengths)}")
    return np.arange(lengths.pop() if lengths else 0)
