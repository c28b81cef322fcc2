"""Scores of a table by metric, one value for each pair of system and item."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from jurydesk.core.language import Message, counted, fill, reason
from jurydesk.core.model.defects import Defect, Place, Reading, error, has_errors, note
from jurydesk.core.model.evaluation import FloatArray, IntArray
from jurydesk.core.model.system_names import one_line
from jurydesk.core.readers.foreign_tables.foreign_table import ForeignColumn, ForeignTable
from jurydesk.core.tasks.table.table_columns import TableColumns
from jurydesk.core.tasks.table.table_keys import TableKeys
from jurydesk.core.tasks.table.table_options import TableOptions

MOST_LISTED = 10
LONGEST_NAME, LONGEST_CELL = 80, 60


def metric_name(name: str) -> str:
    """Return the name of a column as that of a metric: on one line, and not too long."""
    shown = "".join(letter if letter.isprintable() else " " for letter in name)
    return " ".join(shown.split())[:LONGEST_NAME] or "score"


def _quoted(text: str) -> str:
    """Return the beginning of a cell for a sentence, without control characters."""
    return f'"{one_line(text[:LONGEST_CELL])}"'


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """Rows with the values of one metric."""

    name: str
    values: FloatArray
    rows: IntArray


def scores_by_pair(
    table: ForeignTable, columns: TableColumns, keys: TableKeys, options: TableOptions
) -> Reading[dict[str, FloatArray]]:
    """Return the values (pairs,) of each metric, NaN where the table has none.

    Cells that are no numbers are errors, and so are several rows of a pair unless the options say
    what they mean.
    """
    defects = [one for column in columns.scores for one in _faults(table, column)]
    if has_errors(defects):
        return Reading(None, tuple(defects))
    scores: dict[str, FloatArray] = {}
    repeats, how = options.repeats, ""
    if repeats == "error" and (repeated := columns.role("repeat")) is not None:
        repeats, how = "mean", repeated.name
    is_repeated = False
    for part in _parts(columns):
        pairs = keys.pair_of[part.rows]
        counts = np.bincount(pairs, minlength=len(keys.first_row))
        if repeats == "error" and counts.max(initial=0) > 1:
            defects += _repeated(table, keys, part, counts)
            break
        is_repeated = is_repeated or bool(counts.max(initial=0) > 1)
        scores[_free_name(part.name, scores)] = _reduce(part.values, pairs, len(counts), repeats)
    if is_repeated and how:
        found = fill("Scores are means over the rows that the column {name} tells apart.", how)
        defects.append(note(Place(table.path), found))
    return Reading(None if has_errors(defects) else scores, tuple(defects))


def _free_name(name: str, taken: Mapping[str, object]) -> str:
    number, free = 1, metric_name(name)
    while free in taken or free in ("weight", "group"):
        number += 1
        free = f"{metric_name(name)} ({number})"
    return free


def _parts(columns: TableColumns) -> Iterator[_Part]:
    metric = columns.role("metric")
    every = np.arange(len(columns.scores[0]))
    if metric is None:
        yield from (_Part(one.name, one.values(), every) for one in columns.scores)
        return
    several = len(columns.scores) > 1
    for code, name in enumerate(metric.texts):
        rows = np.flatnonzero(metric.codes == code)
        for column in columns.scores:
            values = column.values()[rows]
            if np.isfinite(values).any():
                title = f"{name} {column.name}" if several else name
                yield _Part(title, values, rows)


def _faults(table: ForeignTable, column: ForeignColumn) -> Iterator[Defect]:
    """Yield the cells of a column that are no numbers, and how the others were read."""
    cells = column.numbers
    for code in cells.wrong[:MOST_LISTED]:
        found = fill(
            "The cell {text} of the column {name} is not a number.",
            _quoted(column.texts[code]),
            _quoted(column.name),
        )
        place = table.place(column.first_row(code))
        yield error(place, found)
    rest = cells.wrong[MOST_LISTED:]
    if rest:
        found = fill("{cells} like these.", counted(column.count(rest), "more cell"))
        yield error(Place(table.path), found)
    for remark in cells.remarks:
        found = fill("Column {name}: {remark}", f'"{column.name}"', Message(remark))
        yield note(Place(table.path), found)


def _repeated(
    table: ForeignTable, keys: TableKeys, part: _Part, counts: IntArray
) -> Iterator[Defect]:
    """Yield the first pairs of system and item with several rows."""
    wrong = np.flatnonzero(counts > 1)
    for pair in wrong[:MOST_LISTED].tolist():
        rows = part.rows[np.flatnonzero(keys.pair_of[part.rows] == pair)]
        system = keys.systems[int(keys.system_of[pair])]
        item = keys.items[int(keys.item_of[pair])]
        found = fill("The item {item} has {rows}.", _quoted(item), counted(len(rows), "row"))
        found = fill("{system}: {sentence}", one_line(system), Message(found)) if system else found
        hint = reason("--repeats mean averages them.")
        yield error(table.place(int(rows[1])), found, "One row is expected.", hint)
    if len(wrong) > MOST_LISTED:
        count = len(wrong) - MOST_LISTED
        yield error(Place(table.path), fill("{items} like these.", counted(count, "more item")))


def _reduce(values: FloatArray, pairs: IntArray, count: int, repeats: str) -> FloatArray:
    """Return one value for each pair (count,): the mean of its rows, the first or the last."""
    found = np.full(count, np.nan)
    if repeats == "mean":
        defined = np.isfinite(values)
        sums = np.bincount(pairs[defined], values[defined], minlength=count)
        sizes = np.bincount(pairs[defined], minlength=count)
        np.divide(sums, sizes, out=found, where=sizes > 0)
    elif repeats == "first":
        found[pairs[::-1]] = values[::-1]
    else:
        found[pairs] = values
    return found
