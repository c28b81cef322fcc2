"""Readers of the references and the results of a declared competition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from jurydesk.core.competition.task import Inputs
from jurydesk.core.language import counted, fill, name_list, reason
from jurydesk.core.model.defects import Defect, Place, Reading, error, has_errors, warning
from jurydesk.core.model.evaluation import FloatArray
from jurydesk.core.readers.bounded_defects import BoundedDefects
from jurydesk.core.readers.foreign_tables.foreign_table import ForeignColumn, ForeignTable
from jurydesk.core.readers.foreign_tables.read_table import read_foreign_table
from jurydesk.core.readers.result_table import ResultTable, read_result_table
from jurydesk.core.tasks.declared.declaration import Declaration, ResultColumn
from jurydesk.core.tasks.declared.declaration_reader import read_declaration
from jurydesk.core.tasks.declared.measures import AVERAGE_PRECISION
from jurydesk.core.tasks.table.table_reader import ItemFacts

LARGEST = 1e30
NUMBER = "A number with a decimal point, of at most 1e30, is expected."


@dataclass(frozen=True, eq=False)
class DeclaredReferences:
    """Items with their true values, by column of results.

    Attributes:
        declared: Declaration of the competition.
        named_by: Name of the table of references.
        ids: Names of the items.
        truths: True texts of each item, by column.
        numbers: True numbers of each item, by column of numbers.
        facts: What else is known of the items.
    """

    declared: Declaration
    named_by: str
    ids: tuple[str, ...]
    truths: Mapping[str, Sequence[tuple[str, ...]]] = field(default_factory=dict)
    numbers: Mapping[str, Sequence[FloatArray]] = field(default_factory=dict)
    facts: ItemFacts = field(default_factory=ItemFacts)


@dataclass(frozen=True, eq=False)
class DeclaredResults:
    """Results of one system: the rows of the items that it has, and its cells by column.

    Attributes:
        path: Path of the file.
        items: Position (items,) of each scored item in the references.
        texts: Texts (items,) by column; empty where a result is missing.
        numbers: Numbers (items,) by column of numbers.
    """

    path: str
    items: tuple[int, ...]
    texts: Mapping[str, Sequence[str]]
    numbers: Mapping[str, FloatArray]


def read_declared_references(inputs: Inputs) -> Reading[DeclaredReferences]:
    """Read the declaration and the table of references, with all defects of both."""
    reading = read_declaration(inputs["competition"][0])
    table = read_foreign_table(inputs["references"][0], "none")
    defects = (*reading.defects, *table.defects)
    if reading.data is None or table.data is None:
        return Reading(None, defects)
    found = references_of(reading.data, table.data)
    return Reading(found.data, (*defects, *found.defects))


def references_of(declared: Declaration, table: ForeignTable) -> Reading[DeclaredReferences]:
    """Return the references in a table; errors if it is not as the declaration says."""
    unknown = tuple(_unknown_columns(declared, table))
    if unknown:
        return Reading(None, unknown)
    errors = BoundedDefects()
    item = table.column(declared.item)
    cells_of_items = [] if item is None else [text.strip() for text in item.cells()]
    ids = _ids(table, cells_of_items, declared.item, errors)
    truths = {one.name: _truths(table, one, errors) for one in declared.columns}
    numbers = {
        one.name: _true_numbers(table, declared, one, truths[one.name], errors)
        for one in declared.columns
        if one.kind == "number"
    }
    if errors:
        return Reading(None, errors.to_tuple())

    def cells(name: str) -> list[str]:
        column = table.column(name)
        return [] if column is None else [text.strip() for text in column.cells()]

    references = [name for column in declared.columns for name in column.references]
    facts = ItemFacts(
        groups=cells(declared.group) if declared.group else None,
        slices={name: cells(name) for name in declared.slices},
        shared={name: cells(name) for name in declared.shown},
        references={name: cells(name) for name in dict.fromkeys(references)},
        pictures=cells(declared.picture) if declared.picture else None,
    )
    name = Path(table.path).name
    return Reading(DeclaredReferences(declared, name, ids, truths, numbers, facts), ())


def _unknown_columns(declared: Declaration, table: ForeignTable) -> Iterator[Defect]:
    wanted = [declared.item, declared.group, declared.picture, *declared.shown, *declared.slices]
    wanted += [name for column in declared.columns for name in column.references]
    for name in dict.fromkeys(filter(None, wanted)):
        if table.column(name) is None:
            yield _no_column(table.path, name, [one.name for one in table.columns])


def _no_column(path: str, name: str, names: Sequence[str]) -> Defect:
    found = fill("The table has no column {name}.", f'"{name}"')
    known = name_list([f'"{one}"' for one in names], 12)
    return error(Place(path), found, "", reason("Its columns: {names}.", known))


def _ids(
    table: ForeignTable | ResultTable, ids: Sequence[str], name: str, errors: BoundedDefects
) -> tuple[str, ...]:
    """Return the names of the items; report those that are empty or repeated."""
    first: dict[str, int] = {}
    for row, text in enumerate(ids):
        if not text:
            errors.append(error(table.place(row), fill("{name} is empty.", f'"{name}"')))
        elif first.setdefault(text, row) != row:
            found = fill("The item {item} has several rows.", f'"{text}"')
            errors.append(error(table.place(row), found, "One row is expected."))
    return tuple(ids)


def _truths(
    table: ForeignTable, column: ResultColumn, errors: BoundedDefects
) -> list[tuple[str, ...]]:
    """Return the true texts of every row; report rows without one."""
    names = [one for one in map(table.column, column.references) if one is not None]
    rows = zip(*(_parts(one, column.separator) for one in names), strict=True)
    truths = [tuple(text for part in row for text in part) for row in rows]
    for row, texts in enumerate(truths):
        if not texts:
            found = fill("{name} has no true value.", f'"{column.name}"')
            errors.append(error(table.place(row), found))
    return truths


def _parts(column: ForeignColumn, separator: str) -> list[tuple[str, ...]]:
    cells = [text.split(separator) if separator else [text] for text in column.cells()]
    return [tuple(part.strip() for part in parts if part.strip()) for parts in cells]


def _true_numbers(
    table: ForeignTable,
    declared: Declaration,
    column: ResultColumn,
    truths: Sequence[tuple[str, ...]],
    errors: BoundedDefects,
) -> list[FloatArray]:
    """Return the true numbers of every row; report other texts."""
    measures = {one.measure for one in declared.metrics if one.column == column.name}
    labels = AVERAGE_PRECISION in measures
    numbers = []
    for row, texts in enumerate(truths):
        found = np.array([finite_number(one) for one in texts], np.float64)
        if not np.isfinite(found).all():
            wrong = next(one for one in texts if not np.isfinite(finite_number(one)))
            errors.append(_not_a_number(table.place(row), column.name, wrong))
        elif labels and len(found) and (len(found) > 1 or found[0] not in (0, 1)):
            sentence = fill("{name} is not 0 or 1, as average precision needs.", f'"{column.name}"')
            errors.append(error(table.place(row), sentence))
        numbers.append(found)
    return numbers


def finite_number(text: str) -> float:
    """Return the number of a text with a decimal point; NaN for any other, and for one too large.

    Squares of larger numbers, and their variances, would overflow and be left out of the means.
    """
    try:
        number = float(text) if text.isascii() and "_" not in text else np.nan
    except ValueError:
        return np.nan
    return number if abs(number) <= LARGEST else np.nan


def _not_a_number(place: Place, name: str, text: str) -> Defect:
    shown = text if len(text) <= 40 else f"{text[:40]}…"
    found = fill("{name} is not a number: {text}.", f'"{name}"', f'"{shown}"')
    return error(place, found, NUMBER)


def read_declared_results(path: Path, references: DeclaredReferences) -> Reading[DeclaredResults]:
    """Read the results of one system, with all defects."""
    declared = references.declared
    wanted = (declared.item, *(one.name for one in declared.columns))
    numbers = [one.name for one in declared.columns if one.kind == "number"]
    reading = read_result_table(path, wanted, numbers)
    if reading.data is None:
        return Reading(None, reading.defects)
    found = _results_of(reading.data, references, wanted)
    return Reading(found.data, (*reading.defects, *found.defects))


def _results_of(
    table: ResultTable, references: DeclaredReferences, wanted: Sequence[str]
) -> Reading[DeclaredResults]:
    """Return the results in a table; errors if it does not fit the references."""
    declared, cells = references.declared, table.cells
    lacking = [name for name in wanted if name not in cells]
    if lacking:
        unknown = (_no_column(table.path, name, table.names) for name in lacking)
        return Reading(None, tuple(unknown))
    errors = BoundedDefects()
    ids = _ids(table, cells[declared.item], declared.item, errors)
    numbers = {
        one.name: _numbers(table, one.name, declared, errors)
        for one in declared.columns
        if one.kind == "number"
    }
    if errors:
        return Reading(None, errors.to_tuple())
    rows = {
        key: row
        for row, key in enumerate(ids)
        if all(np.isfinite(some[row]) for some in numbers.values())
    }
    defects = (
        *_item_defects(table.path, references, rows, ids),
        *_empty_texts(table, declared, references, ids),
    )
    if has_errors(defects):
        return Reading(None, defects)
    scored = [place for place, key in enumerate(references.ids) if key in rows]
    if declared.missing == "empty":
        scored = list(range(len(references.ids)))
    found = [rows.get(references.ids[place], -1) for place in scored]
    texts = {
        one.name: [cells[one.name][row] if row >= 0 else "" for row in found]
        for one in declared.columns
    }
    kept = {name: some[np.array(found, np.int64)] for name, some in numbers.items()}
    return Reading(DeclaredResults(table.path, tuple(scored), texts, kept), defects)


def _numbers(
    table: ResultTable, name: str, declared: Declaration, errors: BoundedDefects
) -> FloatArray:
    """Return the numbers of a column; an empty cell is a missing result where these may lack."""
    cells = table.cells[name]
    numbers = np.array([finite_number(text) for text in cells], np.float64)
    for row in np.flatnonzero(np.isnan(numbers)).tolist():
        if cells[row] or declared.missing == "error":
            errors.append(_not_a_number(table.place(row), name, cells[row]))
    return numbers


def _empty_texts(
    table: ResultTable, declared: Declaration, references: DeclaredReferences, ids: Sequence[str]
) -> Iterator[Defect]:
    """Yield the items of the references that have an empty text in a column."""
    known = set(references.ids)
    for column in declared.columns:
        cells = zip(ids, table.cells[column.name], strict=True)
        empty = [key for key, text in cells if not text and key in known]
        if column.kind != "number" and empty:
            count = counted(len(empty), "item")
            name = f'"{column.name}"'
            found = fill(
                "{items} without a text in {name}: {names}.", count, name, name_list(empty)
            )
            place = Place(table.path)
            yield warning(place, found, "They count as empty texts.", count=len(empty))


def _item_defects(
    path: str,
    references: DeclaredReferences,
    rows: Mapping[str, int],
    ids: Sequence[str],
) -> Iterator[Defect]:
    """Yield the items that are unknown, and those without a result."""
    place = Place(path)
    known = set(references.ids)
    unknown = [key for key in ids if key not in known]
    if unknown:
        count = counted(len(unknown), "item")
        found = fill("{items} not in the references: {names}.", count, name_list(unknown))
        yield warning(place, found, "They are left out.", count=len(unknown))
    lacking = [key for key in references.ids if key not in rows]
    if not lacking:
        return
    count = counted(len(lacking), "item")
    found = fill("{items} without a result: {names}.", count, name_list(lacking))
    missing = references.declared.missing
    if missing == "error" or len(lacking) == len(known):
        yield error(place, found, "A row for every item is expected.")
    elif missing == "empty":
        yield warning(place, found, "They count as empty texts.", count=len(lacking))
    else:
        yield warning(place, found, "They are left out.", count=len(lacking))
