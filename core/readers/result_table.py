"""Reader of a table of results: CSV or JSON in UTF-8, as strict as the participants' page."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from jurydesk.core.language import counted, fill, name_list
from jurydesk.core.model.defects import Defect, Place, Reading, error, has_errors
from jurydesk.core.model.evaluation import Json
from jurydesk.core.readers.bounded_defects import BoundedDefects
from jurydesk.core.readers.foreign_tables.record_table import json_cell_text
from jurydesk.core.readers.json_cursor import JsonCursor, describe_value
from jurydesk.core.readers.json_file import SEPARATOR_LINE, read_json_file
from jurydesk.core.readers.text_file import read_text

SEPARATORS = ",;\t"
BLANKS = " \t\r\n\ufeff"
JSON_STARTS = ("{", "[", "//", "/*")
"""First signs of JSON, or of a comment before it, which is an error there."""
RECORDS = "A list of objects, one for each item, is expected."
_QUOTED = re.compile(r'"([^"]*(?:""[^"]*)*)"')


@dataclass(frozen=True, eq=False)
class ResultTable:
    """Cells (rows,) of the wanted columns by name, without blanks around them.

    Attributes:
        path: Path of the file.
        names: Names of all columns.
        cells: Texts of the wanted columns that the file has.
        place: Returns where a row stands.
    """

    path: str
    names: tuple[str, ...]
    cells: Mapping[str, list[str]]
    place: Callable[[int], Place]


def read_result_table(
    path: Path, wanted: Collection[str], numbers: Collection[str] = ()
) -> Reading[ResultTable]:
    """Read the wanted columns of a table, with all defects; `numbers` are those of numbers."""
    reading = read_text(path)
    if reading.data is None:
        return Reading(None, reading.defects)
    if reading.data.lstrip(BLANKS).startswith(JSON_STARTS):
        return _read_records(path, wanted, numbers)
    found = _read_lines(str(path), reading.data, wanted)
    return Reading(found.data, (*reading.defects, *found.defects))


def _read_records(
    path: Path, wanted: Collection[str], numbers: Collection[str]
) -> Reading[ResultTable]:
    root = JsonCursor.of(read_json_file(path))
    if has_errors(root.defects.to_tuple()):
        return Reading(None, root.defects.to_tuple())
    rows = root.value
    if not isinstance(rows, list) or not rows:
        found = "The list is empty." if rows == [] else fill("The file holds {type}.", _kind(rows))
        root.error(found, RECORDS)
        return Reading(None, root.defects.to_tuple())
    names: dict[str, None] = {}
    cells: dict[str, list[str]] = {name: [] for name in wanted}
    for number, row in enumerate(rows):
        if not isinstance(row, dict):
            root[number].error(fill("The element is {kind}.", _kind(row)), RECORDS)
            continue
        names |= dict.fromkeys(row)
        for name, texts in cells.items():
            value = row.get(name)
            if isinstance(value, dict | list):
                found = fill('"{name}" is {type}.', name, _kind(value))
                root[number].error(found, "A text or a number is expected.")
            texts.append(json_cell_text(value).strip())
    for name in numbers:
        _note_texts(root, name)
    defects = root.defects.to_tuple()
    kept = {name: texts for name, texts in cells.items() if name in names}
    table = ResultTable(str(path), tuple(names), kept, lambda row: root[row].place)
    return Reading(None if has_errors(defects) else table, defects)


def _note_texts(root: JsonCursor, name: str) -> None:
    """Note numbers of a column that are written as texts."""
    texts = [
        number
        for number, row in enumerate(root.value)
        if isinstance(row, dict) and isinstance(row.get(name), str) and row[name].strip()
    ]
    if texts:
        found = fill('"{name}" is text in {rows}.', name, counted(len(texts), "row"))
        root[texts[0]].note(found, "It was read as a number.", count=len(texts))


def _kind(value: Json) -> str:
    return describe_value(value)


def _read_lines(path: str, text: str, wanted: Collection[str]) -> Reading[ResultTable]:
    """Read separated values, whose first line has the names of the columns."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    named = SEPARATOR_LINE.match(text)
    text = f"\n{text[named.end() :]}" if named else text
    head = text.lstrip("\n").split("\n", 1)[0]
    separator = named[1] if named else max(SEPARATORS, key=head.count)
    errors = BoundedDefects()
    rows, lines = [], []
    for line, row in _records(path, text, separator, errors):
        if row != [""]:
            rows.append([cell.strip() for cell in row])
            lines.append(line)
    names = rows[0] if rows else []
    repeated = sorted({name for name in wanted if names.count(name) > 1})
    if repeated:
        found = fill("Columns of the same name: {names}.", name_list(repeated))
        errors.append(error(Place(path, lines[0]), found))
    for line, row in zip(lines[1:], rows[1:], strict=True):
        if len(row) != len(names):
            found = fill(
                "The line has {count} fields; the first line has {width}.", len(row), len(names)
            )
            hint = "Quote fields that contain a separator."
            errors.append(error(Place(path, line), found, "", hint))
    if len(rows) < 2 and not errors:
        errors.append(error(Place(path), "The table has names of columns, and no row."))
    if errors:
        return Reading(None, errors.to_tuple())
    cells = {name: [row[names.index(name)] for row in rows[1:]] for name in wanted if name in names}
    table = ResultTable(path, tuple(names), cells, lambda row: Place(path, lines[row + 1]))
    return Reading(table, ())


def _records(
    path: str, text: str, separator: str, errors: BoundedDefects
) -> Iterator[tuple[int, list[str]]]:
    """Yield the fields of every record with its line, up to a quotation mark that is wrong."""
    plain = re.compile(f"[^{separator}\n]*")
    place, line = 0, 1
    while place < len(text):
        row: list[str] = []
        first = line
        while True:
            if text.startswith('"', place):
                field = _QUOTED.match(text, place)
                after = text[field.end() : field.end() + 1] if field else ""
                if field is None or after not in ("", "\n", separator):
                    errors.append(_wrong_quotes(Place(path, line), is_open=field is None))
                    return
                row.append(field[1].replace('""', '"'))
                line += field[1].count("\n")
            else:
                field = plain.match(text, place)
                row.append(field[0] if field else "")
            place = field.end() if field else place
            if not text.startswith(separator, place):
                break
            place += 1
        yield first, row
        place += 1
        line += 1


def _wrong_quotes(place: Place, *, is_open: bool) -> Defect:
    if is_open:
        return error(place, "A quotation mark is not closed before the end of the file.")
    hint = "Write a quotation mark inside a field twice."
    return error(place, "Text follows a closing quotation mark.", "", hint)
