"""Layouts of tables: columns that are systems or items, and rows that are metrics."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jurydesk.core.readers.foreign_tables.column_roles import (
    find_roles,
    is_confidence_name,
    is_count_name,
    is_id_name,
    is_metric_name,
)
from jurydesk.core.readers.foreign_tables.foreign_table import (
    ForeignColumn,
    ForeignTable,
    column_of_texts,
)
from jurydesk.core.readers.foreign_tables.mapped_table import take_rows_of_table
from jurydesk.core.tasks.table.table_columns import is_numeric, pairs_count
from jurydesk.core.tasks.table.table_options import TableOptions

FEWEST_ITEMS = 3
"""Columns of numbers that are items where each row is a system."""


def find_table_layout(table: ForeignTable, options: TableOptions) -> str:
    """Return the layout of a table: `rows`, `systems` or `items`."""
    if options.layout != "auto":
        return options.layout
    found = find_roles([one.name for one in table.columns], ("system", "item", "metric"))
    if options.score or options.metric or "metric" in found or table.program:
        return "rows"
    columns = {role: table.column(name) for role, name in found.items()}
    columns |= {
        role: table.column(name) for role in ("system", "item") if (name := getattr(options, role))
    }
    system, item = columns.get("system"), columns.get("item")
    numbers = wide_columns(table, [one for one in (system, item) if one is not None])
    is_named = any(is_metric_name(one.name) for one in numbers)
    if is_named or len(numbers) < 2:
        return "rows"
    if system is None:
        return "systems" if item is not None or not _has_text_key(table, numbers) else "rows"
    if item is None and len(system.texts) == len(system) and len(numbers) >= FEWEST_ITEMS:
        return "items"
    return "rows"


def is_square(table: ForeignTable) -> bool:
    """Return whether a table is an object of objects in JSON, with as many names on both levels."""
    first, *others = table.columns
    are_numbers = len(wide_columns(table, [first])) == len(others)
    return table.is_of_object and are_numbers and table.rows == len(others) > 1


def _has_text_key(table: ForeignTable, numbers: Sequence[ForeignColumn]) -> bool:
    """Return whether a text column repeats, as systems in rows would."""
    texts = [one for one in table.columns if one not in numbers and not is_numeric(one)]
    return any(1 < len(one.texts) < len(one) for one in texts)


def wide_columns(table: ForeignTable, keys: Sequence[ForeignColumn]) -> list[ForeignColumn]:
    """Return the columns of numbers that may be systems or items: those with no other role."""
    return [
        one
        for one in table.columns
        if one not in keys
        and is_numeric(one)
        and not is_count_name(one.name)
        and not is_confidence_name(one.name)
        and not is_id_name(one.name)
        and one.name.casefold() != "weight"
    ]


def to_rows(table: ForeignTable, options: TableOptions, layout: str) -> ForeignTable:
    """Return a table with a row for each system and item, of a table in another layout."""
    if layout == "rows":
        return table
    key = "item" if layout == "systems" else "system"
    found = find_roles([one.name for one in table.columns], (key,))
    name = getattr(options, key) or found.get(key, "")
    column = table.column(name) or _first_key(table)
    given = [table.column(name) for name in options.score]
    chosen = [one for one in given if one is not None]
    wide = chosen or wide_columns(table, [column] if column is not None else [])
    others = [one for one in table.columns if one not in wide and one is not column]
    rows = np.tile(np.arange(table.rows), len(wide))
    names = np.repeat(np.arange(len(wide)), table.rows)
    other = "system" if layout == "systems" else "item"
    keys = (
        column.take(rows)
        if column is not None
        else column_of_texts(key, [str(row + 1) for row in rows.tolist()])
    )
    columns = (
        ForeignColumn(key, keys.codes, keys.texts),
        ForeignColumn(other, names, tuple(one.name for one in wide)),
        *(one.take(rows) for one in others if one.name not in ("system", "item", "score")),
        column_of_texts("score", [text for one in wide for text in one.cells()]),
    )
    return take_rows_of_table(table, columns, rows)


def _first_key(table: ForeignTable) -> ForeignColumn | None:
    """Return the first column that names every row differently."""
    return next((one for one in table.columns if pairs_count(one, None) == table.rows), None)
