"""Table of ratings by the map of the annotation program that wrote it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from jurydesk.core.human_evaluation.imported.rating_maps import RatingMap, rater_of_path
from jurydesk.core.human_evaluation.imported.ratings_options import RatingsOptions
from jurydesk.core.model.evaluation import Json
from jurydesk.core.readers.foreign_tables.column_roles import find_roles
from jurydesk.core.readers.foreign_tables.foreign_table import (
    ForeignColumn,
    ForeignTable,
    column_of_texts,
)
from jurydesk.core.readers.foreign_tables.mapped_table import take_rows_of_table
from jurydesk.core.readers.foreign_tables.record_table import (
    flat_members,
    json_cell_text,
    records_table,
)

RATER, ITEM, STATEMENT, VALUE, SECONDS = "rater", "item", "statement", "value", "seconds"
"""Names of the columns that a map assigns."""
NOT_CHOSEN = frozenset(("", "0", "false", "no", "off", "null", "none"))
CHOSEN = frozenset(("1", "true", "yes", "on"))
_STEP = re.compile(r".*?(-?\d+)")


def map_ratings(
    table: ForeignTable, one: RatingMap, options: RatingsOptions
) -> tuple[ForeignTable, RatingsOptions] | str:
    """Return a table with the columns of a map, and the options that name them.

    A sentence says why that is not possible.
    """
    if one.explode:
        records = list(_exploded_rows(table, one))
        made = records_table(table.path, records)
        if isinstance(made, str):
            return made
        table = replace(made, defects=table.defects)
    table = _without_skipped(table, one)
    kept = [_without_prefix(column, one.strip) for column in table.columns]
    kept = [column for column in kept if column.name not in one.ignore]
    answers = tuple(_answer_columns(table, one)) if one.answers is not None else ()
    added = {
        RATER: _first_given(table, one.rater) or _named_rater(table, one),
        SECONDS: table.column(one.seconds),
        STATEMENT: table.column(one.statement),
        VALUE: _first_given(table, one.values),
    }
    named = [replace(column, name=name) for name, column in added.items() if column is not None]
    taken = {column.name for column in (*named, *answers)}
    if ITEM not in find_roles([column.name for column in kept if column.name != one.item], [ITEM]):
        item = table.column(one.item)
        if item is not None:
            named.append(replace(item, name=ITEM))
            taken.add(ITEM)
    columns = (*named, *answers, *(column for column in kept if column.name not in taken))
    values = (VALUE,) if added[VALUE] is not None else tuple(column.name for column in answers)
    named_options = replace(
        options,
        rater=options.rater or (RATER if added[RATER] is not None else ""),
        item=options.item or (ITEM if ITEM in taken else ""),
        statement=options.statement or (STATEMENT if added[STATEMENT] is not None else ""),
        value=options.value or values,
    )
    return replace(table, columns=columns, program=one.title), named_options


def _exploded_rows(table: ForeignTable, one: RatingMap) -> Iterator[Mapping[str, Json]]:
    """Yield a record for each entry of the lists in the cells of a column, with its row's cells."""
    cells = {column.name: column.cells() for column in table.columns}
    for row in range(table.rows):
        outer = {name: texts[row] for name, texts in cells.items() if name != one.explode[0]}
        yield from _entries_of(cells[one.explode[0]][row], one.explode[1:], outer)


def _entries_of(
    text: str, inner: Sequence[str], outer: Mapping[str, Json]
) -> Iterator[Mapping[str, Json]]:
    for entry in _parsed_list(text):
        if not isinstance(entry, dict):
            continue
        members = dict(flat_members(entry))
        nested = members.pop(inner[0], "") if inner else ""
        whole = {**members, **outer} if not inner else {**outer, **members, "id": outer.get("id")}
        if inner:
            yield from _entries_of(nested, inner[1:], whole)
        else:
            yield whole


def _parsed_list(text: str) -> list[Json]:
    if not text.startswith("["):
        return []
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return []
    return found if isinstance(found, list) else []


def _without_skipped(table: ForeignTable, one: RatingMap) -> ForeignTable:
    """Return the table without the rows that do not count."""
    kept = np.ones(table.rows, np.bool_)
    for name, values in one.skip.items():
        column = table.column(name)
        if column is not None:
            codes = [code for code, text in enumerate(column.texts) if text in values]
            kept &= ~np.isin(column.codes, codes)
    if kept.all():
        return table
    rows = np.flatnonzero(kept)
    return take_rows_of_table(table, tuple(column.take(rows) for column in table.columns), rows)


def _without_prefix(column: ForeignColumn, prefixes: Sequence[str]) -> ForeignColumn:
    for prefix in prefixes:
        if column.name.startswith(prefix) and len(column.name) > len(prefix):
            return replace(column, name=column.name.removeprefix(prefix))
    return column


def _first_given(table: ForeignTable, names: Sequence[str]) -> ForeignColumn | None:
    """Return a column with the first cell of these columns that each row has."""
    found = [column for name in names if (column := table.column(name)) is not None]
    if len(found) < 2:
        return found[0] if found else None
    rows = zip(*(column.cells() for column in found), strict=True)
    return column_of_texts(found[0].name, (next(filter(None, cells), "") for cells in rows))


def _named_rater(table: ForeignTable, one: RatingMap) -> ForeignColumn | None:
    name = rater_of_path(one, table.path)
    return column_of_texts(RATER, [name] * table.rows) if name else None


def _answer_columns(table: ForeignTable, one: RatingMap) -> Iterator[ForeignColumn]:
    """Yield a column for each statement, of columns such as `Answer.relevance` and of JSON."""
    prefix = one.answers or ""
    by_statement: dict[str, dict[int, dict[str, str]]] = {}
    for column in table.columns:
        if not column.name.startswith(prefix) or (not prefix and one.labels not in column.name):
            continue
        statement, _, label = column.name.removeprefix(prefix).partition(one.labels)
        for row, text in enumerate(column.cells()):
            for name, cells in _answer_cells(statement, label, text):
                by_statement.setdefault(name, {}).setdefault(row, {}).update(cells)
    for statement, rows in by_statement.items():
        texts = (_chosen_answer(rows.get(row, {})) for row in range(table.rows))
        yield column_of_texts(statement, texts)


def _answer_cells(statement: str, label: str, text: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield statements with the cells of their labels; one without a label has an empty one."""
    if not label and text.startswith("[{"):
        for entry in _parsed_list(text):
            for name, value in entry.items() if isinstance(entry, dict) else ():
                members = value if isinstance(value, dict) else {"": value}
                yield name, {key: json_cell_text(one) for key, one in members.items()}
    elif text:
        yield statement, {label: text}


def _chosen_answer(cells: Mapping[str, str]) -> str:
    """Return the answer in the cells of a statement's labels: the one that was chosen."""
    if "" in cells:
        return cells[""]
    chosen = [(label, text) for label, text in cells.items() if text.casefold() not in NOT_CHOSEN]
    if len(chosen) != 1:
        return " | ".join(label for label, _ in chosen)
    label, text = chosen[0]
    if text.casefold() not in CHOSEN:
        return text
    step = _STEP.fullmatch(label)
    return step[1] if step else label
