"""Reader of Parquet files, where polars is installed."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

from jurydesk.core.language import fill
from jurydesk.core.model.defects import Place, Reading, error
from jurydesk.core.readers.foreign_tables.foreign_table import MOST_CELLS, ForeignTable
from jurydesk.core.readers.foreign_tables.record_table import records_table

MAGIC = b"PAR1"
MOST_BYTES = 1 << 29
BYTES_OF_ENTRY = 16
"""Bytes that an entry of a list counts, beside those of its text."""
MOST_ROWS = 1 << 22
"""Rows of a table: a file of a few bytes may repeat one row without end."""


def read_parquet(path: Path) -> Reading[ForeignTable]:
    """Read a Parquet file; without polars, and for damaged files, the result is an error."""
    place = Place(str(path))
    if importlib.util.find_spec("polars") is None:
        found = "Parquet files need the package polars, which is not installed here."
        return Reading(None, (error(place, found, "", "Save the table as CSV."),))
    import polars

    try:
        if path.stat().st_size > MOST_BYTES:
            found = fill("The file is larger than {value:,.0f} MiB.", MOST_BYTES / 2**20)
            return Reading(None, (error(place, found),))
        with path.open("rb") as file:  # the library would read a name as a pattern of names
            columns = len(polars.read_parquet_schema(file))
            file.seek(0)
            most = min(MOST_ROWS, MOST_CELLS // max(columns, 1))
            frame = polars.read_parquet(file, n_rows=most + 1)
        if frame.height > most or sum(map(_written_bytes, frame)) > MOST_BYTES:
            return Reading(None, (error(place, "The table is too large to be read."),))
        records = frame.to_dicts()
    # The library panics in Rust for some damaged files, which is no Exception.
    except BaseException as fault:
        if isinstance(fault, KeyboardInterrupt | SystemExit | MemoryError):
            raise
        return Reading(None, (error(place, "The Parquet file is damaged."),))
    if not records:
        return Reading(None, (error(place, "The table has no row."),))
    table = records_table(str(path), records)
    if isinstance(table, str):
        return Reading(None, (error(place, table),))
    return Reading(table, ())


def _written_bytes(column: Any) -> int:
    """Return the bytes of a column's texts and lists, of which a file may hold one for many rows.

    Numbers outside lists count nothing: the rows are limited.
    """
    from polars import Array, Binary, Categorical, Enum, List, String, Struct

    kind = column.dtype
    if kind == Struct:
        return sum(map(_written_bytes, column.struct.unnest()))
    if kind in (List, Array):
        count = kind.size * len(column) if kind == Array else column.list.len().cast(int).sum()
        size = BYTES_OF_ENTRY * int(count or 0)
        return size if size > MOST_BYTES else size + _written_bytes(column.explode())
    if kind == String:
        sizes = column.str.len_bytes()
    elif kind == Binary:
        sizes = column.bin.size()
    elif kind in (Categorical, Enum):
        counts = column.alias("text").value_counts(name="rows")
        sizes = counts["text"].cast(String).str.len_bytes() * counts["rows"].cast(int)
    else:
        return 0
    return int(sizes.cast(int).sum() or 0)
