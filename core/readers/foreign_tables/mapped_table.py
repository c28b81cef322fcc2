"""Table of a result file by the column map of the program that wrote it.

The table has the columns `system`, `item` and scores, and those that the map ignores not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

import numpy as np

from jurydesk.core.language import fill
from jurydesk.core.model.defects import Place, Reading, error, note
from jurydesk.core.model.evaluation import IntArray, Json
from jurydesk.core.readers.foreign_tables.column_maps import (
    ColumnMap,
    find_member,
    system_of_path,
)
from jurydesk.core.readers.foreign_tables.delimited_table import read_delimited
from jurydesk.core.readers.foreign_tables.foreign_table import (
    ForeignColumn,
    ForeignTable,
    column_of_texts,
)
from jurydesk.core.readers.foreign_tables.record_table import KEY, json_cell_text, records_table

SYSTEM, ITEM, METRIC, VALUE = "system", "item", "metric", "score"
"""Names of the columns that a map assigns."""


def map_text(path: Path, text: str, one: ColumnMap) -> Reading[ForeignTable]:
    """Return the table of a text without a line of names, or with one that the map names."""
    reading = read_delimited(str(path), _without_padding(text), one.columns)
    if reading.data is None:
        return reading
    return Reading(_arrange(path, reading.data, one, ""), ())


def map_records(path: Path, data: Json, one: ColumnMap) -> Reading[ForeignTable]:
    """Return the table of a JSON document."""
    place = Place(str(path))
    records = list(_list_records(data, one) if one.lists else _records(data, one))
    if not records:
        found = fill("The file of {program} has no result of an item.", one.title)
        return Reading(None, (error(place, found),))
    where = "" if one.records == "." else one.records
    table = records_table(str(path), records, where)
    if isinstance(table, str):
        return Reading(None, (error(place, table),))
    system = find_member(data, one.system) if one.system else None
    name = json_cell_text(system) if isinstance(system, str | int | float) else ""
    return Reading(_arrange(path, table, one, name), ())


def _without_padding(text: str) -> str:
    """Return a text with one tab between its fields, which trec_eval fills up with blanks."""
    lines = ("\t".join(field.strip() for field in line.split("\t")) for line in text.splitlines())
    return "\n".join(lines)


def _records(data: Json, one: ColumnMap) -> Iterator[Mapping[str, Json]]:
    found = find_member(data, one.records)
    if one.keyed and isinstance(found, dict):
        found = [{KEY: key, **value} for key, value in found.items() if isinstance(value, dict)]
    if isinstance(found, dict):
        found = [found]
    for record in found if isinstance(found, list) else ():
        if isinstance(record, dict):
            yield from _exploded(record, one.explode) if one.explode else (record,)


def _exploded(record: Mapping[str, Json], path: str) -> Iterator[Mapping[str, Json]]:
    """Yield the record once for each entry of the list at a path, with that entry in its place."""
    entries = find_member(record, path)
    for entry in entries if isinstance(entries, list) else ():
        yield {**record, path: entry}


def _list_records(data: Json, one: ColumnMap) -> Iterator[Mapping[str, Json]]:
    """Yield a record for each id of the lists; the first list of an id counts."""
    seen: set[str] = set()
    for name, value in one.lists.items():
        found = find_member(data, name)
        for key in found if isinstance(found, list) else ():
            text = json_cell_text(key)
            if text not in seen:
                seen.add(text)
                yield {ITEM: text, (*one.scores, "score")[0]: value}


def _arrange(path: Path, table: ForeignTable, one: ColumnMap, system: str) -> ForeignTable:
    """Return the table with the names of roles, without the columns that are ignored."""
    renamed = {
        name: role
        for role, name in ((ITEM, one.item), (METRIC, one.metric), (VALUE, one.value))
        if name
    }
    suffixes = table.column(one.suffix) if one.suffix else None
    kept: list[ForeignColumn] = []
    for column in table.columns:
        name = renamed.get(column.name, column.name)
        is_score = any(fnmatchcase(column.name, pattern) for pattern in one.scores)
        if name == column.name and (
            any(fnmatchcase(name, pattern) for pattern in one.ignore)
            or (one.scores and not is_score and name not in (ITEM, SYSTEM, one.repeats))
        ):
            continue
        if is_score and one.words:
            column = _with_words(column, one.words)
        if is_score:
            name = _short_name(column.name, one.scores)
        name = one.names.get(column.name, name)
        kept.append(ForeignColumn(name, column.codes, column.texts))
    name = system or _named_in_rows(table, one) or system_of_path(one, path)
    constants = {SYSTEM: name} if name else {}
    remark = note(Place(str(path)), fill("The file was read as results of {program}.", one.title))
    arranged = ForeignTable(
        table.path,
        tuple(kept),
        table.place,
        table.separator,
        (*table.defects, remark),
        constants,
        one.title,
    )
    if suffixes is not None:
        arranged = _with_suffixes(arranged, suffixes)
    return _without_items(arranged, one.skip) if one.skip else arranged


def _named_in_rows(table: ForeignTable, one: ColumnMap) -> str:
    """Return the value of the metric that names the system; empty without one."""
    metrics, values = table.column(one.metric), table.column(one.value)
    if not one.system_metric or metrics is None or values is None:
        return ""
    rows = (metrics.cells().index(one.system_metric),) if one.system_metric in metrics.texts else ()
    return values.cells(np.array(rows, np.int64))[0] if rows else ""


def _with_words(column: ForeignColumn, words: Mapping[str, float]) -> ForeignColumn:
    texts = [repr(words[text]) if text in words else text for text in column.texts]
    return column_of_texts(column.name, (texts[code] for code in column.codes.tolist()))


def _short_name(name: str, patterns: Sequence[str]) -> str:
    """Return what `*` stands for in the pattern of a score, or the whole name."""
    for pattern in patterns:
        before, star, after = pattern.partition("*")
        if star and fnmatchcase(name, pattern) and len(before) + len(after) < len(name):
            return name[len(before) : len(name) - len(after)]
    return name


def _with_suffixes(table: ForeignTable, suffixes: ForeignColumn) -> ForeignTable:
    """Return a table with one row for each score, its metric named with the suffix of its row."""
    if len(suffixes.texts) < 2:
        return table
    scores = [one for one in table.columns if one.name != ITEM and is_column_of_numbers(one)]
    others = [one for one in table.columns if one not in scores]
    rows = np.tile(np.arange(table.rows), len(scores))
    names = [f"{one.name},{suffix}" for one in scores for suffix in suffixes.cells()]
    values = [text for one in scores for text in one.cells()]
    columns = (
        *(one.take(rows) for one in others),
        column_of_texts(METRIC, names),
        column_of_texts(VALUE, values),
    )
    return take_rows_of_table(table, columns, rows)


def is_column_of_numbers(column: ForeignColumn) -> bool:
    """Return whether every cell of a column is a number or missing, and some are numbers."""
    return not column.numbers.wrong and not column.numbers.missing.all()


def _without_items(table: ForeignTable, skip: Sequence[str]) -> ForeignTable:
    """Return the table without rows of these items."""
    items = table.column(ITEM)
    if items is None:
        return table
    left_out = [code for code, text in enumerate(items.texts) if text in skip]
    rows = np.flatnonzero(~np.isin(items.codes, left_out))
    return take_rows_of_table(table, tuple(column.take(rows) for column in table.columns), rows)


def take_rows_of_table(
    table: ForeignTable, columns: tuple[ForeignColumn, ...], rows: IntArray
) -> ForeignTable:
    """Return a table whose rows are these rows of another."""

    def place(row: int) -> Place:
        return table.place(int(rows[row]))

    return replace(table, columns=columns, place=place)
