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
        if frame.height > most or _text_bytes(frame) > MOST_BYTES:
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


def _text_bytes(frame: Any) -> int:
    """Return the bytes of all texts, of which a file may hold one for many rows."""
    from polars import selectors

    sizes = frame.select(selectors.string().str.len_bytes().cast(int).sum())
    return sum(sizes.row(0)) if sizes.width else 0
