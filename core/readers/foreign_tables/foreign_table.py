"""Table of texts by column, each distinct text stored once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from jurydesk.core.model.defects import Defect, Place
from jurydesk.core.model.evaluation import FloatArray, IntArray
from jurydesk.core.readers.foreign_tables.cell_numbers import NumberCells, parse_number_cells

MOST_CELLS = 1 << 25
"""Cells of records, and missing ones of lines: a small file may lack thousands of times as many."""


@dataclass(frozen=True, eq=False)
class ForeignColumn:
    """Column of a table: `codes` (rows,) are positions in its distinct `texts`."""

    name: str
    codes: IntArray
    texts: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.codes)

    @cached_property
    def numbers(self) -> NumberCells:
        """Distinct texts as numbers."""
        return parse_number_cells(self.texts)

    def values(self, rows: IntArray | None = None) -> FloatArray:
        """Return the number of each row, or of these; NaN for other cells, and for the row -1."""
        if rows is None:
            return self.numbers.values[self.codes]
        return np.where(rows < 0, np.nan, self.numbers.values[self.codes[rows]])

    def cells(self, rows: IntArray | None = None) -> list[str]:
        """Return the text of each row, or of these; the row -1 has an empty one."""
        texts, codes = (*self.texts, ""), self.codes
        if rows is not None:
            codes = np.where(rows < 0, len(self.texts), codes[rows])
        return [texts[code] for code in codes.tolist()]

    def count(self, chosen: Sequence[int]) -> int:
        """Return how many rows have one of these distinct texts, by position."""
        counts = np.bincount(self.codes, minlength=len(self.texts))
        return int(counts[list(chosen)].sum())

    def first_row(self, code: int) -> int:
        """Return the first row with a distinct text."""
        return int(np.argmax(self.codes == code))

    def take(self, rows: IntArray) -> ForeignColumn:
        """Return the column of these rows, without texts that none of them has."""
        used, codes = np.unique(self.codes[rows], return_inverse=True)
        texts = tuple(self.texts[code] for code in used.tolist())
        return ForeignColumn(self.name, codes.astype(np.int64), texts)


class ColumnBuilder:
    """Column that is filled in blocks of texts."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}
        self._blocks: list[IntArray] = []

    def extend(self, cells: Sequence[str]) -> None:
        """Append texts."""
        places = self._places
        add = places.setdefault
        codes = [add(cell, len(places)) for cell in cells]
        self._blocks.append(np.array(codes, np.int64))

    def column(self, name: str) -> ForeignColumn:
        """Return the finished column."""
        codes = np.concatenate(self._blocks) if self._blocks else np.empty(0, np.int64)
        return ForeignColumn(name, codes, tuple(self._places))


def column_of_texts(name: str, cells: Iterable[str]) -> ForeignColumn:
    """Return a column of these texts."""
    builder = ColumnBuilder()
    builder.extend(list(cells))
    return builder.column(name)


@dataclass(frozen=True, eq=False)
class ForeignTable:
    """Table of columns of equal length, with the place of each row.

    Attributes:
        path: Path of the file.
        columns: Columns with unique names.
        place: Returns where a row stands in the file.
        separator: Character between the fields of a text; empty for other formats.
        defects: Warnings and notes of reading.
        constants: Values that hold for the whole file, by name.
        program: Name of the program whose column map was used; empty without one.
        is_of_object: Whether its first column holds the names of an object's members, in JSON.
    """

    path: str
    columns: tuple[ForeignColumn, ...]
    place: Callable[[int], Place]
    separator: str = ""
    defects: tuple[Defect, ...] = ()
    constants: dict[str, str] = field(default_factory=dict)
    program: str = ""
    is_of_object: bool = False

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.columns[0]) if self.columns else 0

    def column(self, name: str) -> ForeignColumn | None:
        """Return the column of a name; None if there is none."""
        return next((one for one in self.columns if one.name == name), None)
