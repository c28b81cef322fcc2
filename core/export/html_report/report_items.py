"""The items of a report: their numbers, and what a reader sees of each, packed.

Packed is: JSON, deflated (zlib), in base64. The items on which systems differ most stand first,
so that those are told where not all can be.
"""

from __future__ import annotations

import base64
import json
import math
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from jurydesk.core.analysis.leaderboard import Leaderboard
from jurydesk.core.analysis.units import ResamplingUnits, resampling_units
from jurydesk.core.competition.task import Task
from jurydesk.core.model.evaluation import (
    Evaluation,
    FloatArray,
    IntArray,
    Json,
    MetricInfo,
    Passage,
)

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

MOST_NUMBERS = 480_000
"""Numbers of items (systems x columns x items) that a report holds."""
MOST_TEXTS = 120_000
"""Items times systems that are told as text."""
MOST_BYTES = 12_000_000
"""The packed texts together; what comes after is left to the desk."""
BLOCK = 32
"""Items that are unpacked together."""


@dataclass(frozen=True, slots=True, eq=False)
class ItemColumn:
    """A number of each item and system (systems, items); `span` is its lowest and highest."""

    name: str
    title: str
    decimals: int
    better: str
    values: FloatArray

    @property
    def span(self) -> tuple[float, float]:
        """The lowest and the highest number; 0 and 1 where there is none."""
        known = self.values[np.isfinite(self.values)]
        return (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class PackedItems:
    """`head` is what the page knows at once, `packed` the elements by their ids."""

    head: dict[str, Json]
    packed: list[tuple[str, str]] = field(default_factory=list)


def pack_items(
    task: Task[Any, Any, Any],
    board: Leaderboard,
    evaluations: Mapping[int, Evaluation],
    shown: Sequence[MetricInfo],
    run: Run,
) -> PackedItems:
    """All items of all systems of the board. Raises Cancelled."""
    found = [evaluations.get(row.summary.id) for row in board.rows]
    tables = [
        None if one is None else resampling_units(task, one.items, one.profile) for one in found
    ]
    ids = list(dict.fromkeys(key for table in tables if table for key in table.ids))
    if not ids:
        return PackedItems({"items": None})
    columns = _columns(tables, ids, _headline_first(board, shown))
    order, kept = _room(columns, len(ids), len(tables))
    numbers = {
        "ids": [ids[item] for item in order.tolist()],
        "columns": [_column_json(column, order) for column in kept],
    }
    told_of = [ids[item] for item in order[: MOST_TEXTS // len(tables)].tolist()]
    texts = _texts(task, found, tables, told_of, run)
    packed, told = _blocks(texts, told_of, run)
    nouns = [task.item_noun[0], task.item_noun[1]]
    units = next((table.noun for table in tables if table), "")
    head = {
        "count": len(order),
        "of": len(ids),
        "told": told,
        "block": BLOCK,
        "nouns": [units.removesuffix("s"), units] if units else nouns,
    }
    return PackedItems({"items": head}, [("numbers", pack_json_base64(numbers)), *packed])


def _headline_first(board: Leaderboard, shown: Sequence[MetricInfo]) -> list[MetricInfo]:
    return sorted(shown, key=lambda info: info is not board.headline)


def _columns(
    tables: Sequence[ResamplingUnits | None], ids: Sequence[str], shown: Sequence[MetricInfo]
) -> list[ItemColumn]:
    """The shown metrics that items have a number of; without any, what units are told by."""
    present = dict.fromkeys(name for table in tables if table for name in table.columns)
    known = {info.name: info for info in shown if info.name in present}
    names = list(known) or (list(present) if any(t and t.noun for t in tables) else [])
    place = {key: number for number, key in enumerate(ids)}
    made = []
    for name in names:
        values = np.full((len(tables), len(ids)), np.nan)
        for system, table in enumerate(tables):
            if table is not None and name in table.columns:
                values[system, [place[key] for key in table.ids]] = table.columns[name]
        info = known.get(name)
        title = info.title if info else name.capitalize()
        whole = info is None and bool((values == np.floor(values))[np.isfinite(values)].all())
        decimals = info.decimals if info else (0 if whole else 2)
        made.append(ItemColumn(name, title, decimals, info.better if info else "higher", values))
    return made


def _room(
    columns: Sequence[ItemColumn], items: int, systems: int
) -> tuple[IntArray, Sequence[ItemColumn]]:
    """The items that a report has room for, those that systems differ most on first."""
    room = max(1, MOST_NUMBERS // systems)
    kept = list(columns[: max(1, room // items)])
    apart = np.zeros(items)
    for column in columns[:1] if len(kept) < len(columns) else kept:
        low, high = column.span
        apart = np.maximum(apart, _ranges(column.values) / ((high - low) or 1.0))
    order = np.argsort(-apart, kind="stable")
    return order[:room], kept


def _ranges(values: FloatArray) -> FloatArray:
    """How far the systems (systems, items) lie apart on each item; 0 where one alone is known."""
    known = np.isfinite(values)
    high = np.where(known, values, -np.inf).max(axis=0)
    low = np.where(known, values, np.inf).min(axis=0)
    return np.where(known.sum(axis=0) > 1, high - low, 0.0)


def _column_json(column: ItemColumn, order: IntArray) -> Json:
    low, high = column.span
    digits = column.decimals + 2
    rows = np.round(column.values[:, order], digits).tolist()
    return {
        "name": column.name,
        "title": column.title,
        "decimals": column.decimals,
        "better": column.better,
        "span": [low, high],
        "values": [[value if math.isfinite(value) else None for value in row] for row in rows],
    }


Told = list[Passage]


def _texts(
    task: Task[Any, Any, Any],
    evaluations: Sequence[Evaluation | None],
    tables: Sequence[ResamplingUnits | None],
    ids: Sequence[str],
    run: Run,
) -> list[dict[str, Told]]:
    """What each system shows of these items, by their ids; evidence is read in its own order."""
    wanted, found = set(ids), []
    for number, (evaluation, table) in enumerate(zip(evaluations, tables, strict=True)):
        told: dict[str, Told] = {}
        found.append(told)
        if evaluation is None or table is None or evaluation.items.evidence is None:
            continue
        for key, row in zip(table.ids, table.rows.tolist(), strict=True):
            if key in wanted:
                run.report(number, len(tables), "writing the items")
                told[key] = list(task.explain(evaluation.items.show(row)))
    return found


def _blocks(
    texts: Sequence[Mapping[str, Told]], ids: Sequence[str], run: Run
) -> tuple[list[tuple[str, str]], int]:
    """The packed blocks, and how many items are in them."""
    packed: list[tuple[str, str]] = []
    size = told = 0
    if not any(texts):
        return packed, told
    for start in range(0, len(ids), BLOCK):
        run.report(start, len(ids), "packing the items")
        block = ids[start : start + BLOCK]
        text = pack_json_base64([_item_json(texts, key) for key in block])
        size += len(text)
        if size > MOST_BYTES:
            break
        packed.append((f"texts-{start // BLOCK}", text))
        told += len(block)
    return packed, told


def _item_json(texts: Sequence[Mapping[str, Told]], key: str) -> Json:
    """What all systems share of an item, from the first that has it, and what each adds."""
    first = next((told[key] for told in texts if key in told), [])
    shared = [_passage_json(one) for one in first if one.shared]
    own = [
        [_passage_json(one) for one in told[key] if not one.shared] if key in told else None
        for told in texts
    ]
    return [shared, own]


def _passage_json(passage: Passage) -> list[str]:
    return [passage.title, passage.text, passage.note]


def pack_json_base64(value: Json) -> str:
    """JSON, deflated, in base64."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(zlib.compress(text.encode("utf-8", "replace"), 9)).decode()


def unpack_json_base64(text: str) -> Json:
    """The JSON that `pack_json_base64` packed."""
    return json.loads(zlib.decompress(base64.b64decode(text)))
