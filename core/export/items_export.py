"""Items of all systems as rows of CSV or JSON lines."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence

from jurydesk.core.export.export_settings import ExportOrigin, make_origin
from jurydesk.core.model.evaluation import Evaluation, ItemTable
from jurydesk.core.model.json_codec import json_number
from jurydesk.core.statistics.inference import Inference
from jurydesk.core.tables.table_file import csv_text, escape_formula

HEAD = ("system", "profile", "item")
BLOCK_ROWS = 4096


def items_origin(kind: str, evaluations: Sequence[Evaluation]) -> ExportOrigin:
    """Return the origin of the items of these results; `kind` is a key of `ITEM_FORMATS`."""
    task_id = evaluations[0].task if evaluations else ""
    return make_origin(f"items {kind}", task_id, [one.stamp for one in evaluations], Inference())


def csv_blocks(evaluations: Sequence[Evaluation]) -> Iterator[bytes]:
    """Yield a header, then a row per item and system, in blocks of UTF-8 text.

    The columns are those of all systems, in order of first appearance, and the origin, which is in
    the first row. Numbers have full double precision; undefined ones are empty. Texts are escaped
    against spreadsheet formulas.
    """
    names = tuple(dict.fromkeys(name for one in evaluations for name in one.items.columns))
    origin = items_origin("csv", evaluations).cells()
    yield csv_text([(*HEAD, *map(escape_formula, names), *origin)])
    first, rest = tuple(origin.values()), ("",) * len(origin)
    for one in evaluations:
        head = (escape_formula(one.system), escape_formula(one.profile))
        for ids, columns in _slices(one.items, names):
            values = zip(*(map(_cell, column) for column in columns), strict=True)
            rows = zip(ids, values, strict=True) if columns else ((key, ()) for key in ids)
            lines = [(*head, escape_formula(key), *cells, *rest) for key, cells in rows]
            if first and lines:
                lines[0], first = (*lines[0][: -len(rest)], *first), ()
            yield csv_text(lines)


def jsonl_blocks(evaluations: Sequence[Evaluation]) -> Iterator[bytes]:
    """Yield a JSON object per item and system, one a line; undefined numbers are null.

    The first has the origin as texts, so that all objects have values of the same types.
    """
    origin = items_origin("jsonl", evaluations).cells()
    for one in evaluations:
        names = tuple(one.items.columns)
        head = {"system": one.system, "profile": one.profile}
        for ids, columns in _slices(one.items, names):
            rows = [
                {**head, "item": key, **_numbers(names, columns, i)} for i, key in enumerate(ids)
            ]
            if origin and rows:
                rows[0] |= origin
                origin = {}
            yield "".join(f"{json.dumps(row, allow_nan=False)}\n" for row in rows).encode()


def _slices(
    items: ItemTable, names: Sequence[str]
) -> Iterator[tuple[Sequence[str], list[list[float]]]]:
    """Yield ids and columns as Python numbers, a few thousand items at a time."""
    for start in range(0, len(items), BLOCK_ROWS):
        ids = items.ids[start : start + BLOCK_ROWS]
        yield (
            ids,
            [
                items.columns[name][start : start + BLOCK_ROWS].tolist()
                if name in items.columns
                else list(itertools.repeat(math.nan, len(ids)))
                for name in names
            ],
        )


def _numbers(
    names: Sequence[str], columns: Sequence[Sequence[float]], row: int
) -> dict[str, float | None]:
    return {name: json_number(column[row]) for name, column in zip(names, columns, strict=True)}


def _cell(value: float) -> str:
    """Return the shortest text that reads back as the same float64."""
    return repr(value) if math.isfinite(value) else ""


ITEM_FORMATS: Mapping[str, Callable[[Sequence[Evaluation]], Iterator[bytes]]] = {
    "csv": csv_blocks,
    "jsonl": jsonl_blocks,
}
"""Formats by the suffix of their files."""
