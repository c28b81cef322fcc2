"""Reader of JSON records: JSON Lines, lists of objects, and objects of objects, as a table."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from jurydesk.core.language import counted, fill
from jurydesk.core.model.defects import Place
from jurydesk.core.model.evaluation import Json
from jurydesk.core.readers.foreign_tables.column_roles import is_metric_name
from jurydesk.core.readers.foreign_tables.foreign_table import (
    MOST_CELLS,
    ForeignTable,
    column_of_texts,
)

MOST_LEVELS = 6
"""Levels of nested objects that become columns of their own, such as `scores.match.value`."""
MOST_NAMES = 2000
TOO_MANY = fill("The records have more than {most:,} different members.", MOST_NAMES)
TOO_LARGE = fill("The records have more than {most:,} cells, missing ones included.", MOST_CELLS)
KEY = "key"
"""Name of the column with the names of an object's members."""


def records_table(
    path: str, records: Sequence[Mapping[str, Json]], where: str = ""
) -> ForeignTable | str:
    """Return records as a table with a column for each member; a sentence if that is not possible.

    `where` is the JSON path of the list. A missing member is an empty cell.
    """
    names: dict[str, list[str]] = {}
    for row, record in enumerate(records):
        for name, text in flat_members(record):
            cells = names.get(name)
            if cells is None:
                if len(names) >= MOST_NAMES:
                    return TOO_MANY
                if (len(names) + 1) * len(records) > MOST_CELLS:
                    return TOO_LARGE
                cells = names[name] = []
            if len(cells) < row:
                cells.extend([""] * (row - len(cells)))
            if len(cells) == row:
                cells.append(text)
    for cells in names.values():
        cells.extend([""] * (len(records) - len(cells)))

    def place(row: int) -> Place:
        return Place(path, json_path=f"{where}[{row}]")

    columns = tuple(column_of_texts(name, cells) for name, cells in names.items())
    return ForeignTable(path, columns, place)


def flat_members(
    record: Mapping[str, Json], before: str = "", level: int = 0
) -> Iterator[tuple[str, str]]:
    """Yield the members of a record with their texts; those of an inner object have both names."""
    for name, value in record.items():
        if isinstance(value, dict) and level < MOST_LEVELS:
            yield from flat_members(value, f"{before}{name}.", level + 1)
        else:
            yield f"{before}{name}", json_cell_text(value)


def json_cell_text(value: Any) -> str:
    """Return a value of JSON, or a time, fraction or bytes of Parquet, as the text of a cell."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False, default=json_cell_text)
    if isinstance(value, bytes):
        return counted(len(value), "byte")
    return str(value)


def find_records(data: Json) -> tuple[str, list[Mapping[str, Json]]] | None:
    """Return the records of a document with their JSON path; None if it has none.

    They are a list of objects, the only such list of an object, or an object of objects, whose
    names become a column.
    """
    if isinstance(data, list):
        return ("", data) if data and all(isinstance(one, dict) for one in data) else None
    if not isinstance(data, dict) or not data:
        return None
    lists = [
        name
        for name, value in data.items()
        if isinstance(value, list) and value and all(isinstance(one, dict) for one in value)
    ]
    if len(lists) == 1:
        return lists[0], data[lists[0]]
    if all(isinstance(value, dict) for value in data.values()):
        return "", [{KEY: name, **value} for name, value in data.items()]
    if all(isinstance(value, int | float) for value in data.values()):
        return "", [{KEY: name, "score": value} for name, value in data.items()]
    return None


def records_of_items(data: Json) -> list[Mapping[str, Json]] | None:
    """Return a record for each item of `{system: {item: score}}`, with the systems' scores.

    A score may be an object of scores by metric; then there is a record for each of a system's
    items. Items are the names of that level which has more of them; None where both have as many,
    for `{item: {system: score}}` and any other document.
    """
    if not isinstance(data, dict) or not all(
        isinstance(one, dict) and one for one in data.values()
    ):
        return None
    inner = list(dict.fromkeys(name for one in data.values() for name in one))
    cells = [cell for one in data.values() for cell in one.values()]
    if any(map(is_metric_name, inner)) or len(inner) == len(data):
        return None
    if all(isinstance(cell, dict) and cell and _are_scores(cell.values()) for cell in cells):
        names = ("system", "item") if len(inner) > len(data) else ("item", "system")
        return [
            {**dict(zip(names, (outside, inside), strict=True)), **_apart_from(names, cell)}
            for outside, members in data.items()
            for inside, cell in members.items()
        ]
    if len(inner) < len(data) or not _are_scores(cells):
        return None
    key = "item" if KEY in data else KEY
    rows: dict[str, dict[str, Json]] = {name: {key: name} for name in inner}
    rows[inner[0]] |= dict.fromkeys(data)  # the columns are in the order of the systems
    for system, held in data.items():
        for name, cell in held.items():
            rows[name][system] = cell
    return list(rows.values())


def _apart_from(names: Collection[str], scores: Mapping[str, Json]) -> Mapping[str, Json]:
    """Return scores by metric; one that has one of these names is called `score.NAME`."""
    return {f"score.{name}" if name in names else name: cell for name, cell in scores.items()}


def _are_scores(cells: Iterable[Json]) -> bool:
    return all(cell is None or isinstance(cell, int | float) for cell in cells)
