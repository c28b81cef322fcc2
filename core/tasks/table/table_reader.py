"""Reader of tables of results, and of the table that describes their items."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from jurydesk.core.competition.task import Inputs, Reading
from jurydesk.core.language import Message, counted, fill, join_messages, name_list
from jurydesk.core.model.defects import Defect, Place, error, has_errors, note, warning
from jurydesk.core.model.evaluation import FloatArray, IntArray, MetricInfo
from jurydesk.core.readers.foreign_tables.foreign_table import ForeignColumn, ForeignTable
from jurydesk.core.readers.foreign_tables.read_table import read_foreign_table
from jurydesk.core.tasks.table.arranged_table import arrange_table
from jurydesk.core.tasks.table.score_kinds import declare_metrics
from jurydesk.core.tasks.table.table_columns import TableColumns, find_columns
from jurydesk.core.tasks.table.table_keys import TableKeys, find_keys
from jurydesk.core.tasks.table.table_options import TableOptions
from jurydesk.core.tasks.table.table_scores import scores_by_pair


@dataclass(frozen=True, eq=False)
class ItemFacts:
    """What is known of items, independent of systems; each list has one entry for each item.

    Attributes:
        rows: Row of each item in the lists; None if every item is taken.
        weights: Weights of the items.
        groups: Texts of the items' groups.
        slices: Texts of the items by the title of their slice.
        shared: Texts of the items by title, such as questions.
        references: True texts of the items by title, which raters must not see.
        pictures: Names of picture files.
    """

    rows: Mapping[str, int] | None = None
    weights: FloatArray | None = None
    groups: Sequence[str] | None = None
    slices: Mapping[str, Sequence[str]] = field(default_factory=dict)
    shared: Mapping[str, Sequence[str]] = field(default_factory=dict)
    references: Mapping[str, Sequence[str]] = field(default_factory=dict)
    pictures: Sequence[str] | None = None

    def take(self, rows: IntArray) -> ItemFacts:
        """Return the facts of these rows."""
        places = rows.tolist()

        def texts(found: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
            return {name: [cells[row] for row in places] for name, cells in found.items()}

        return ItemFacts(
            None,
            None if self.weights is None else self.weights[rows],
            None if self.groups is None else [self.groups[row] for row in places],
            texts(self.slices),
            texts(self.shared),
            texts(self.references),
            None if self.pictures is None else [self.pictures[row] for row in places],
        )

    def joined(self, other: ItemFacts) -> ItemFacts:
        """Return these facts, with those of another source for the same items added before."""
        return ItemFacts(
            None,
            self.weights if other.weights is None else other.weights,
            self.groups if other.groups is None else other.groups,
            {**self.slices, **other.slices},
            {**self.shared, **other.shared},
            {**self.references, **other.references},
            self.pictures if other.pictures is None else other.pictures,
        )


EVERY_ITEM = ItemFacts()


@dataclass(frozen=True, eq=False)
class TableSystem:
    """Items of one system, with the values of each metric (items,), NaN where missing."""

    path: str
    ids: tuple[str, ...]
    scores: Mapping[str, FloatArray]
    metrics: tuple[MetricInfo, ...]
    facts: ItemFacts
    texts: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Texts of the system by title."""
    statistics: Mapping[str, FloatArray] = field(default_factory=dict)
    """Numbers of the system's outputs by name, which are no scores."""


def read_items(inputs: Inputs, options: TableOptions) -> Reading[ItemFacts]:
    """Read the table that describes the items; without one every item is taken."""
    paths = inputs.get("references", ())
    faults = [
        error(Place("table"), fill("The range or kind {text} cannot be read.", f'"{text}"'))
        for text in options.faults()
    ]
    if faults or not paths:
        return Reading(None if faults else EVERY_ITEM, tuple(faults))
    reading = read_foreign_table(paths[0], "none")
    if reading.data is None:
        return Reading(None, reading.defects)
    named = replace_columns(reading.data, options)
    columns = find_columns(reading.data, named, needs_scores=False)
    if isinstance(columns, tuple):
        return Reading(None, (*reading.defects, *columns))
    item = columns.role("item")
    if item is None:
        found = "The table of items has no column that names them."
        return Reading(None, (*reading.defects, error(Place(str(paths[0])), found)))
    cells = [text.strip() for text in item.cells()]
    rows = {text: row for row, text in enumerate(cells)}
    defects = [*reading.defects]
    if len(rows) < len(cells):
        first: dict[str, int] = {}
        again = next(row for row, one in enumerate(cells) if first.setdefault(one, row) != row)
        found = fill("The item {item} has several rows.", f'"{cells[again]}"')
        defects.append(error(reading.data.place(again), found, "One row is expected."))
        return Reading(None, tuple(defects))
    facts = _facts(columns, np.arange(len(cells)))
    return Reading(replace(facts, rows=rows), tuple(defects))


def replace_columns(table: ForeignTable, options: TableOptions) -> TableOptions:
    """Return options without the columns that only tables of results have."""
    names = {one.name for one in table.columns}
    kept = {
        role: name
        for role in ("item", "group", "weight", "reference", "picture")
        if (name := getattr(options, role)) in names
    }
    slices = tuple(name for name in options.slice if name in names)
    return TableOptions(slice=slices, layout="rows", **kept)


def read_results_table(path: Path, known: ItemFacts, options: TableOptions) -> Reading[TableSystem]:
    """Read the systems of a table, with all its defects."""
    reading = read_foreign_table(path, options.map)
    if reading.data is None:
        return Reading(None, reading.defects)
    arranged = arrange_table(reading.data, options)
    if isinstance(arranged, tuple):
        return Reading(None, (*reading.defects, *arranged))
    table, columns, options = arranged.table, arranged.columns, arranged.options
    keys = find_keys(table, columns)
    if keys.data is None:
        return Reading(None, (*reading.defects, *keys.defects))
    scores = scores_by_pair(table, columns, keys.data, options)
    defects = (*reading.defects, *arranged.remarks, *keys.defects, *scores.defects)
    if scores.data is None:
        return Reading(None, defects)
    defects = (*defects, _columns_note(table, columns, arranged.layout, scores.data))
    systems = list(_systems(table, columns, keys.data, scores.data, known, options))
    name = table.constants.get("system", "")
    if len(systems) == 1:
        only = systems[0]
        return replace(only, defects=(*defects, *only.defects), name=only.name or name)
    return Reading(None, defects, systems=tuple(systems))


def _columns_note(
    table: ForeignTable,
    columns: TableColumns,
    layout: str,
    scores: Mapping[str, FloatArray],
) -> Defect:
    """Return which columns were taken as what."""
    parts = [f"{role} {column.name}" for role, column in columns.roles.items()]
    parts += [f"score {name}" for name in list(scores)[:6]]
    parts += [f"slice {one.name}" for one in columns.slices[:6]]
    found = fill("Columns: {names}.", name_list(parts, 12))
    if layout != "rows":
        found = fill("Columns of numbers are {layout}: {names}.", layout, name_list(parts, 12))
    sentences = [found]
    if columns.role("system") is None and "system" not in table.constants:
        sentences.append("No column names systems: the file is one system.")
    if numbers := [one.name for one in columns.statistics]:
        sentences.append(fill("Numbers that are not scored: {names}.", name_list(numbers, 6)))
    left_out = columns.left_out(table)
    if left_out:
        sentences.append(fill("Left out: {names}.", name_list(left_out, 12)))
    hint = "Options such as --score COLUMN change this."
    return note(Place(table.path), join_messages(sentences), hint)


def _systems(
    table: ForeignTable,
    columns: TableColumns,
    keys: TableKeys,
    scores: Mapping[str, FloatArray],
    known: ItemFacts,
    options: TableOptions,
) -> Iterator[Reading[TableSystem]]:
    weighted = columns.role("weight") is not None or known.weights is not None
    metrics = declare_metrics(scores, options, weighted=weighted)
    order = np.argsort(keys.system_of, kind="stable")
    counts = np.bincount(keys.system_of, minlength=len(keys.systems))
    ends = np.cumsum(counts)
    whole = known.rows if known.rows is not None else dict.fromkeys(keys.items, 0)
    for system, name in enumerate(keys.systems):
        pairs = order[ends[system] - counts[system] : ends[system]]
        yield _system(table, columns, keys, scores, metrics, known, options, pairs, whole, name)


def _system(
    table: ForeignTable,
    columns: TableColumns,
    keys: TableKeys,
    scores: Mapping[str, FloatArray],
    metrics: tuple[MetricInfo, ...],
    known: ItemFacts,
    options: TableOptions,
    pairs: IntArray,
    whole: Mapping[str, int],
    name: str,
) -> Reading[TableSystem]:
    """Return the items of one system, with its defects."""
    place = Place(table.path)
    defects: list[Defect] = []
    items = keys.item_of[pairs]
    ids = [keys.items[item] for item in items.tolist()]
    if known.rows is not None:
        kept = np.array([key in known.rows for key in ids], np.bool_)
        left_out = len(ids) - int(kept.sum())
        if left_out:
            found = fill("{items} not in the table of items.", counted(left_out, "item"))
            defects.append(note(place, _of_system(name, found), "They are left out."))
            pairs = pairs[kept]
            ids = [key for key in ids if key in known.rows]
    absent = [] if len(ids) == len(whole) else [key for key in whole if key not in set(ids)]
    empty = {metric: int(np.isnan(values[pairs]).sum()) for metric, values in scores.items()}
    defects += _missing(place, name, absent, empty, options)
    if has_errors(defects) or not ids:
        if not ids:
            defects.append(error(place, _of_system(name, fill("No item is left."))))
        return Reading(None, tuple(defects), name)
    rows = keys.first_row[pairs]
    item_rows = rows
    values = {metric: column[pairs] for metric, column in scores.items()}
    if options.missing == "zero":
        ids += absent
        others = np.array([keys.rows_of_items.get(key, -1) for key in absent], np.int64)
        rows, item_rows = _extended(rows, len(absent)), np.concatenate([rows, others])
        values = {
            metric: np.concatenate([np.nan_to_num(column, nan=0.0), np.zeros(len(absent))])
            for metric, column in values.items()
        }
    facts = _facts(columns, item_rows)
    statistics = {one.name: one.values(rows) for one in columns.statistics}
    if known.rows is not None:
        facts = facts.joined(known.take(np.array([known.rows[key] for key in ids], np.int64)))
    text = columns.role("text")
    texts = {text.name: text.cells(rows)} if text is not None else {}
    texts |= {one.name: one.cells(rows) for one in columns.shown}
    data = TableSystem(table.path, tuple(ids), values, metrics, facts, texts, statistics)
    return Reading(data, tuple(defects), name)


def _extended(rows: IntArray, count: int) -> IntArray:
    """Return rows followed by `count` items without one."""
    return np.concatenate([rows, np.full(count, -1)])


def _of_system(name: str, sentence: str) -> str:
    return fill("{system}: {sentence}", name, Message(sentence)) if name else sentence


def _missing(
    place: Place,
    name: str,
    absent: Sequence[str],
    empty: Mapping[str, int],
    options: TableOptions,
) -> Iterator[Defect]:
    """Yield what a system lacks, and what the options make of it."""
    report = error if options.missing == "error" else warning
    effect = {
        "skip": "They are left out of the mean.",
        "zero": "They count as 0.",
        "error": "A score is expected.",
    }[options.missing]
    if absent:
        found = fill(
            "{items} without a row: {names}.",
            counted(len(absent), "item"),
            name_list([f'"{key}"' for key in absent[:20]], 6),
        )
        yield report(place, _of_system(name, found), effect)
    for metric, count in empty.items():
        if count:
            found = fill("{items} without {metric}.", counted(count, "item"), metric)
            yield report(place, _of_system(name, found), effect)


def _facts(columns: TableColumns, rows: IntArray) -> ItemFacts:
    """Return what the columns say of the items in these rows."""

    def cells(column: ForeignColumn) -> list[str]:
        return [text.strip() for text in column.cells(rows)]

    weight, group, picture = (columns.role(name) for name in ("weight", "group", "picture"))

    def titled(role: str) -> dict[str, list[str]]:
        column = columns.role(role)
        return {} if column is None else {column.name: cells(column)}

    return ItemFacts(
        None,
        None if weight is None else weight.values(rows),
        None if group is None else cells(group),
        {one.name: cells(one) for one in columns.slices},
        titled("input"),
        titled("reference"),
        None if picture is None else cells(picture),
    )
