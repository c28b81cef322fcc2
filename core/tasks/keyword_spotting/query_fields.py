"""Columns of a table of queries, which divide the queries into slices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from jurydesk.core.language import counted, fill, name_list
from jurydesk.core.model.defects import Defect, Place, Reading, error, note
from jurydesk.core.model.evaluation import Evaluation, ItemTable
from jurydesk.core.model.evidence_columns import ColumnEvidence, EvidenceColumns
from jurydesk.core.readers.foreign_tables.column_roles import normalize_name
from jurydesk.core.readers.foreign_tables.foreign_table import ForeignTable
from jurydesk.core.readers.foreign_tables.read_table import read_foreign_table
from jurydesk.core.readers.reference_remarks import note_unused_entries
from jurydesk.core.tasks.item_fields import (
    Fields,
    field_attributes,
    fields_column,
    short_members,
    with_equal_names,
)
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_evidence import RankedList

ID_NAMES = ("query_id", "queryid", "qid", "query", "topic_id", "topic", "number", "num", "id")
"""Names of the column of queries, the likeliest first; without one it is the first column."""


def read_query_fields(
    path: Path, queries: Sequence[str], relevance: str
) -> Reading[dict[str, Fields]]:
    """Read the columns of the queries of the relevance file, with all defects."""
    reading = read_foreign_table(path, "none")
    if reading.data is None:
        return Reading(None, reading.defects)
    column = _id_column(reading.data)
    others = [one for one in reading.data.columns if one.name != column]
    texts = {one.name: one.cells() for one in others}
    found: dict[str, Fields] = {}
    repeated: list[str] = []
    ids = next(one for one in reading.data.columns if one.name == column).cells()
    for row, query in enumerate(ids):
        if query in found:
            repeated.append(query)
        members = {name: cells[row] for name, cells in texts.items()}
        found.setdefault(query, short_members(members, ()))
    if not queries:  # the results name them
        return Reading(with_equal_names(found), reading.defects)
    defects = (*reading.defects, *_remarks(Place(str(path)), found, repeated, queries, relevance))
    return Reading(with_equal_names({one: found.get(one, ()) for one in queries}), defects)


def joined_fields(own: Mapping[str, Fields], table: Mapping[str, Fields]) -> Mapping[str, Fields]:
    """Return the attributes of the queries with the columns of a table, which wins."""
    if not own:
        return table
    return {one: tuple(dict((*own.get(one, ()), *table[one])).items()) for one in table}


def _id_column(table: ForeignTable) -> str:
    names = {normalize_name(one.name): one.name for one in table.columns}
    return next((names[one] for one in ID_NAMES if one in names), table.columns[0].name)


def _remarks(
    place: Place,
    found: Mapping[str, Fields],
    repeated: Sequence[str],
    queries: Sequence[str],
    relevance: str,
) -> list[Defect]:
    """Return what of the table is not used, and which queries it lacks."""
    known = set(queries)
    unused = [one for one in found if one not in known]
    lacking = [one for one in queries if one not in found]
    if len(lacking) == len(known):
        text = fill(
            "No query of {relevance} is listed: its first is {query}, here {other}.",
            relevance,
            queries[0],
            next(iter(found), "-"),
        )
        return [error(place, text, "A row for each query is expected, under the name of its id.")]
    defects = [*note_unused_entries(place, unused, relevance)]
    if lacking:
        text = fill(
            "{queries} not in the file: {names}.",
            counted(len(lacking), "query", "queries"),
            name_list(lacking),
        )
        defects.append(
            note(place, text, "They are in no slice by its columns.", count=len(lacking))
        )
    if repeated:
        text = fill(
            "{queries} listed twice: {names}.",
            counted(len(repeated), "query", "queries"),
            name_list(repeated),
        )
        defects.append(note(place, text, "The first row counts.", count=len(repeated)))
    return defects


def columns_of_queries(items: ItemTable) -> Mapping[str, Callable[[], Sequence[str]]]:
    """Return the columns of the table of queries, on demand."""
    return field_attributes(lambda: map(items.show, range(len(items))))


def with_query_fields(evaluation: Evaluation, fields: Mapping[str, Fields]) -> Evaluation:
    """Return the evaluation with the columns of each query in its evidence."""
    items = evaluation.items
    held = items.evidence
    if not fields or not isinstance(held, ColumnEvidence) or items.evidence_of is not None:
        return evaluation
    added = EvidenceColumns(fields_column([fields.get(one, ()) for one in items.ids]))
    evidence = ColumnEvidence(lambda: (*held.build(), added), RankedList.from_row)
    return replace(evaluation, items=replace(items, evidence=evidence))
