"""Keys of a table: the pairs of system and item that its rows name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from jurydesk.core.language import counted, fill, translatable
from jurydesk.core.model.defects import Defect, Place, Reading, error, has_errors, warning
from jurydesk.core.model.evaluation import IntArray
from jurydesk.core.readers.foreign_tables.cell_numbers import tidy_name
from jurydesk.core.readers.foreign_tables.foreign_table import (
    ForeignColumn,
    ForeignTable,
    column_of_texts,
)
from jurydesk.core.tasks.table.table_columns import TableColumns


@dataclass(frozen=True, eq=False)
class TableKeys:
    """Systems and items of a table's rows, each pair once.

    Attributes:
        systems: Names of the systems; a single empty one if the table has no column of them.
        items: Names of the items.
        system_of: System of each pair (pairs,).
        item_of: Item of each pair (pairs,).
        pair_of: Pair of each row (rows,).
        first_row: First row of each pair (pairs,).
    """

    systems: tuple[str, ...]
    items: tuple[str, ...]
    system_of: IntArray
    item_of: IntArray
    pair_of: IntArray
    first_row: IntArray

    @cached_property
    def rows_of_items(self) -> dict[str, int]:
        """First row of each item, whatever its system."""
        items, first = np.unique(self.item_of, return_index=True)
        rows = self.first_row[first].tolist()
        return {self.items[item]: row for item, row in zip(items.tolist(), rows, strict=True)}


def find_keys(table: ForeignTable, columns: TableColumns) -> Reading[TableKeys]:
    """Return the pairs of system and item; rows without a name of one are an error."""
    defects: list[Defect] = []
    given = columns.role("system")
    system = given or column_of_texts("system", [""] * table.rows)
    item = columns.role("item")
    if item is None:
        counts = np.bincount(system.codes)
        if len(counts) > 1 and (counts == 1).all():
            found = "The table has one row for each system; scores of single items are needed."
            return Reading(None, (error(Place(table.path), found),))
        if len(set(counts.tolist())) > 1:
            found = "No column names the items, and the systems have different numbers of rows."
            hint = "Name the column of the items with --item COLUMN."
            return Reading(None, (error(Place(table.path), found, "", hint),))
        item = _numbered_rows(system)
        found = "No column names the items: the rows of a system are numbered."
        defects.append(warning(Place(table.path), found))
    named = {"item": item} if given is None else {"system": given, "item": item}
    for role, column in named.items():
        for code in (code for code, text in enumerate(column.texts) if not text.strip()):
            unnamed = counted(column.count([code]), "row"), translatable(role)
            found = fill("{rows} without a name in the column of the {role}.", *unnamed)
            defects.append(error(table.place(column.first_row(code)), found))
    if has_errors(defects):
        return Reading(None, tuple(defects))
    system, item = _stripped(system), _stripped(item)
    profile = columns.role("profile")
    if profile is not None and len(profile.texts) > 1:
        system = _joined(system, profile)
    wide = system.codes * len(item.texts) + item.codes
    pairs, first, pair_of = np.unique(wide, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    place_of = np.empty(len(order), np.int64)
    place_of[order] = np.arange(len(order))
    pairs = pairs[order]
    keys = TableKeys(
        system.texts,
        item.texts,
        pairs // len(item.texts),
        pairs % len(item.texts),
        place_of[pair_of],
        first[order],
    )
    return Reading(keys, tuple(defects))


def _numbered_rows(system: ForeignColumn) -> ForeignColumn:
    """Return the number of each row among those of its system, from 1."""
    order = np.argsort(system.codes, kind="stable")
    counts = np.bincount(system.codes)
    starts = np.repeat(np.cumsum(counts) - counts, counts)
    numbers = np.empty(len(system), np.int64)
    numbers[order] = np.arange(len(system)) - starts
    texts = tuple(str(number + 1) for number in range(int(numbers.max(initial=-1)) + 1))
    return ForeignColumn("item", numbers, texts)


def _stripped(column: ForeignColumn) -> ForeignColumn:
    """Return names without blanks around them, and without an apostrophe against formulas."""
    clean = [tidy_name(text) for text in column.texts]
    if tuple(clean) == column.texts:
        return column
    places: dict[str, int] = {}
    codes = np.array([places.setdefault(text, len(places)) for text in clean], np.int64)
    return ForeignColumn(column.name, codes[column.codes], tuple(places))


def _joined(system: ForeignColumn, profile: ForeignColumn) -> ForeignColumn:
    names = zip(system.cells(), profile.cells(), strict=True)
    return column_of_texts("system", [f"{name} ({kind})" for name, kind in names])
