"""Reader of a table in any of the formats that programs and spreadsheets write."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from jurydesk.core.language import fill
from jurydesk.core.model.defects import Defect, Place, Reading, Severity, error, has_errors, note
from jurydesk.core.readers.compression import LONGEST_MAGIC, plain_name
from jurydesk.core.readers.foreign_tables.column_maps import find_map
from jurydesk.core.readers.foreign_tables.delimited_table import read_delimited
from jurydesk.core.readers.foreign_tables.foreign_table import ForeignTable
from jurydesk.core.readers.foreign_tables.mapped_table import map_records, map_text
from jurydesk.core.readers.foreign_tables.model_outputs import outputs_of_data
from jurydesk.core.readers.foreign_tables.parquet_table import MAGIC, read_parquet
from jurydesk.core.readers.foreign_tables.record_table import (
    find_records,
    records_of_items,
    records_table,
)
from jurydesk.core.readers.foreign_tables.text_encodings import read_any_text
from jurydesk.core.readers.json_file import parse_json_text
from jurydesk.core.readers.text_file import file_head

SPREADSHEETS = {b"PK\x03\x04": "xlsx or ods", b"\xd0\xcf\x11\xe0": "xls"}
"""First bytes of spreadsheets, which are archives or documents and no text."""


def read_foreign_table(path: Path, map_name: str = "auto") -> Reading[ForeignTable]:
    """Read a table, with all its defects; the format follows from the content.

    Args:
        path: File, plain or compressed.
        map_name: Name of the column map of the program that wrote it; `auto` finds it, `none`
            takes the columns as they are.
    """
    head = file_head(path)[:LONGEST_MAGIC]
    if head.startswith(MAGIC):
        return read_parquet(path)
    for magic, name in SPREADSHEETS.items():
        if head.startswith(magic):
            found = fill("This is a spreadsheet or an archive ({name}), not a text.", name)
            hint = "Save the sheet as CSV in UTF-8."
            return Reading(None, (error(Place(str(path)), found, "", hint),))
    reading = read_any_text(path)
    if reading.data is None:
        return Reading(None, reading.defects)
    text = reading.data
    is_named_json = plain_name(path).lower().endswith((".json", ".jsonl"))
    is_json = is_named_json or text.lstrip("\ufeff \t\r\n")[:1] in ("{", "[")
    table = _read_json(path, text, map_name) if is_json else _read_text(path, text, map_name)
    return _with_defects(table, reading.defects)


def _with_defects(
    reading: Reading[ForeignTable], defects: tuple[Defect, ...]
) -> Reading[ForeignTable]:
    """Return a reading with further defects, those of the table among them."""
    own = reading.data.defects if reading.data is not None else ()
    found = (*defects, *reading.defects, *own)
    return Reading(None if has_errors(found) else reading.data, found)


def _read_text(path: Path, text: str, map_name: str) -> Reading[ForeignTable]:
    chosen = find_map(map_name, text=text, path=path)
    if chosen is not None:
        return map_text(path, text, chosen)
    return read_delimited(str(path), text)


def _read_json(path: Path, text: str, map_name: str) -> Reading[ForeignTable]:
    data, defects = parse_json_text(text, path)
    if has_errors(defects):
        return Reading(None, defects)
    defects = tuple(one for one in defects if one.severity is not Severity.NOTE)
    chosen = find_map(map_name, data=data, path=path)
    if chosen is not None:
        table = map_records(path, data, chosen)
        return Reading(table.data, (*defects, *table.defects))
    outputs = outputs_of_data(data)
    if outputs is not None:
        return Reading(None, (*defects, error(Place(str(path)), outputs.found, "", outputs.hint)))
    items = records_of_items(data) if map_name != "none" else None
    if items is not None:
        found = "The level with fewer names was read as systems, the other as items."
        hint = "If it is the reverse, write a list of objects with system, item and score."
        defects = (*defects, note(Place(str(path)), found, hint))
    records = ("", items) if items is not None else find_records(data)
    if records is None:
        found = "The JSON holds no list of objects, one for each item."
        if isinstance(data, list) and data and isinstance(data[0], list):
            found = "The JSON is a list of lists: a list of objects is expected, one for each item."
        return Reading(None, (*defects, error(Place(str(path)), found)))
    where, rows = records
    made = records_table(str(path), rows, where)
    if isinstance(made, str):
        return Reading(None, (*defects, error(Place(str(path)), made)))
    return Reading(replace(made, is_of_object=isinstance(data, dict) and not where), defects)
