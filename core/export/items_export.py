"""Items of all systems as rows of CSV or JSON lines."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterator, Sequence

from jurydesk.core.export.csv_cells import csv_text, escape_formula
from jurydesk.core.model.evaluation import Evaluation, ItemTable
from jurydesk.core.model.json_codec import json_number

HEAD = ("system", "profile", "item")
BLOCK_ROWS = 4096


def csv_blocks(evaluations: Sequence[Evaluation]) -> Iterator[bytes]:
    """Yield a header, then a row per item and system, in blocks of UTF-8 text.

    The columns are those of all systems, in order of first appearance. Numbers have full double
    precision; undefined ones are empty. Texts are escaped against spreadsheet formulas.
    """
    names = tuple(dict.fromkeys(name for one in evaluations for name in one.items.columns))
    yield csv_text([(*HEAD, *map(escape_formula, names))])
    for one in evaluations:
        head = (escape_formula(one.system), escape_formula(one.profile))
        for ids, columns in _slices(one.items, names):
            values = zip(*(map(_cell, column) for column in columns), strict=True)
            rows = zip(ids, values, strict=True) if columns else ((key, ()) for key in ids)
            yield csv_text([(*head, escape_formula(key), *cells) for key, cells in rows])


def jsonl_blocks(evaluations: Sequence[Evaluation]) -> Iterator[bytes]:
    """Yield a JSON object per item and system, one a line; undefined numbers are null."""
    for one in evaluations:
        names = tuple(one.items.columns)
        head = {"system": one.system, "profile": one.profile}
        for ids, columns in _slices(one.items, names):
            lines = [
                json.dumps({**head, "item": key, **_numbers(names, columns, i)}, allow_nan=False)
                for i, key in enumerate(ids)
            ]
            yield "".join(f"{line}\n" for line in lines).encode()


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
