"""Items of a report: their numbers and explanations, compressed.

The format is JSON, deflated (zlib), in base64. Items with the largest differences between systems
come first, so that they are included if not all fit.
"""

from __future__ import annotations

import base64
import itertools
import json
import zlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from json.encoder import encode_basestring
from typing import TYPE_CHECKING, Any

import numpy as np

from jurydesk.core.analysis.leaderboard import Leaderboard
from jurydesk.core.analysis.leaderboard_table import headline_first
from jurydesk.core.analysis.units import ResamplingUnits, resampling_units
from jurydesk.core.competition.task import Task
from jurydesk.core.language.message import encode_message, templates
from jurydesk.core.model.evaluation import (
    Evaluation,
    FloatArray,
    IntArray,
    Json,
    MetricInfo,
    Passage,
)
from jurydesk.core.model.json_codec import json_numbers
from jurydesk.core.system.garbage import paused_garbage_collection

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

MAX_NUMBERS = 480_000
"""Limit on the numbers of items (systems x columns x items) in a report."""
MAX_TEXTS = 120_000
"""Limit on the explanations (items x systems) in a report."""
MAX_BYTES = 12_000_000
"""Limit on the packed explanations; the desk has the others."""
BLOCK = 32
"""Number of items that are unpacked together."""
LEVEL = 7
"""Compression: the highest level takes four times as long for texts a fifth smaller."""


ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)

ItemValues = tuple[MetricInfo, FloatArray]
"""Metric, and its number of each item and system (systems, items)."""


@dataclass(frozen=True, slots=True, eq=False)
class PackedItems:
    """Items for the page: `head` is loaded at once, `packed` are the elements by id.

    `sentences` are the titles and notes of the passages, which the page translates, as JSON.
    """

    head: dict[str, Json]
    packed: list[tuple[str, str]] = field(default_factory=list)
    sentences: frozenset[str] = frozenset()


def pack_items(
    task: Task[Any, Any, Any],
    board: Leaderboard,
    evaluations: Mapping[int, Evaluation],
    shown: Sequence[MetricInfo],
    run: Run,
) -> PackedItems:
    """Pack all items of all systems of the board. Raises Cancelled."""
    found = [evaluations.get(row.summary.id) for row in board.rows]
    tables = [
        None if one is None else resampling_units(task, one.items, one.profile) for one in found
    ]
    ids = list(dict.fromkeys(key for table in tables if table for key in table.ids))
    if not ids:
        return PackedItems({"items": None})
    columns = _columns(tables, ids, headline_first(board, shown))
    order, fitting = _select_items(columns, len(ids), len(tables))
    numbers = {
        "ids": [ids[item] for item in order.tolist()],
        "columns": [_column_json(*column, order) for column in fitting],
    }
    explained = [ids[item] for item in order[: MAX_TEXTS // len(tables)].tolist()]
    with paused_garbage_collection():
        texts = _texts(task, found, tables, explained, run)
        messages = _messages(texts)
        packed, count = _blocks(texts, explained, messages, run)
    nouns = [task.item_noun[0], task.item_noun[1]]
    units = next((table.noun for table in tables if table), "")
    head = {
        "count": len(order),
        "of": len(ids),
        "with_texts": count,
        "block": BLOCK,
        "nouns": [units.removesuffix("s"), units] if units else nouns,
    }
    sentences = frozenset(map(json.dumps, templates(messages)))
    packed = [("numbers", pack_json_base64(numbers)), *packed]
    return PackedItems({"items": head}, packed, sentences)


def _columns(
    tables: Sequence[ResamplingUnits | None], ids: Sequence[str], shown: Sequence[MetricInfo]
) -> list[ItemValues]:
    """Return the shown metrics that items have; without any, the columns of units."""
    present = dict.fromkeys(name for table in tables if table for name in table.columns)
    known = {info.name: info for info in shown if info.name in present}
    names = list(known) or (list(present) if any(t and t.noun for t in tables) else [])
    place = {key: number for number, key in enumerate(ids)}
    columns = []
    for name in names:
        values = np.full((len(tables), len(ids)), np.nan)
        for system, table in enumerate(tables):
            if table is not None and name in table.columns:
                values[system, [place[key] for key in table.ids]] = table.columns[name]
        info = known.get(name)
        if info is None:
            whole = bool((values == np.floor(values))[np.isfinite(values)].all())
            title, decimals = name.capitalize(), 0 if whole else 2
            info = MetricInfo(name, title, "", (0.0, 1.0), "higher", "", decimals=decimals)
        columns.append((info, values))
    return columns


def _select_items(
    columns: Sequence[ItemValues], items: int, systems: int
) -> tuple[IntArray, Sequence[ItemValues]]:
    """Return the items that fit a report, those with the largest differences first."""
    room = max(1, MAX_NUMBERS // systems)
    fitting = list(columns[: max(1, room // items)])
    spread = np.zeros(items)
    for _, values in columns[:1] if len(fitting) < len(columns) else fitting:
        low, high = _span(values)
        spread = np.maximum(spread, _ranges(values) / ((high - low) or 1.0))
    order = np.argsort(-spread, kind="stable")
    return order[:room], fitting


def _ranges(values: FloatArray) -> FloatArray:
    """Return the range over systems (systems, items) of each item; 0 with fewer than two values."""
    known = np.isfinite(values)
    high = np.where(known, values, -np.inf).max(axis=0)
    low = np.where(known, values, np.inf).min(axis=0)
    return np.where(known.sum(axis=0) > 1, high - low, 0.0)


def _span(values: FloatArray) -> tuple[float, float]:
    """Return the lowest and the highest number; 0 and 1 if there is none."""
    known = values[np.isfinite(values)]
    return (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)


def _column_json(info: MetricInfo, values: FloatArray, order: IntArray) -> Json:
    return {
        "name": info.name,
        "title": encode_message(info.title),
        "decimals": info.decimals,
        "better": info.better,
        "span": list(_span(values)),
        "values": json_numbers(np.round(values[:, order], info.decimals + 2)),
    }


Passages = Sequence[Passage]


def _texts(
    task: Task[Any, Any, Any],
    evaluations: Sequence[Evaluation | None],
    tables: Sequence[ResamplingUnits | None],
    ids: Sequence[str],
    run: Run,
) -> list[dict[str, Passages]]:
    """Return the explanation of these items by system and id; evidence is read in its own order."""
    requested, found = set(ids), []
    for number, (evaluation, table) in enumerate(zip(evaluations, tables, strict=True)):
        explained: dict[str, Passages] = {}
        found.append(explained)
        if evaluation is None or table is None or evaluation.items.evidence is None:
            continue
        keys = {
            row: key
            for key, row in zip(table.ids, table.rows.tolist(), strict=True)
            if key in requested
        }
        explaining = task.explain_items(evaluation.items, list(keys))
        while part := list(itertools.islice(explaining, BLOCK)):
            run.report(number, len(tables), "Writing the items")
            explained |= {keys[row]: passages for row, passages in part}
    return found


def _blocks(
    texts: Sequence[Mapping[str, Passages]],
    ids: Sequence[str],
    messages: Collection[str],
    run: Run,
) -> tuple[list[tuple[str, str]], int]:
    """Return the packed passages of these items by element, and the number of the items.

    `messages` are all titles and notes; many passages share one, which is encoded once.
    """
    packed: list[tuple[str, str]] = []
    size = count = 0
    if not any(texts):
        return packed, count
    said = {id(one): ENCODER.encode(encode_message(one)) for one in messages}
    for start in range(0, len(ids), BLOCK):
        run.report(start, len(ids), "Packing the items")
        block = ids[start : start + BLOCK]
        text = _pack_base64(f"[{','.join(_item_json(texts, key, said) for key in block)}]")
        size += len(text)
        if size > MAX_BYTES:
            break
        packed.append((f"texts-{start // BLOCK}", text))
        count += len(block)
    return packed, count


def _messages(texts: Sequence[Mapping[str, Passages]]) -> Collection[str]:
    """Return the titles and the notes of passages, each object once."""
    passages = itertools.chain.from_iterable(own for system in texts for own in system.values())
    return {id(text): text for one in passages for text in (one.title, one.note)}.values()


def _item_json(texts: Sequence[Mapping[str, Passages]], key: str, said: Mapping[int, str]) -> str:
    """Return the shared passages of an item, and the other ones of each system, as JSON."""
    first: Passages = next((one[key] for one in texts if key in one), [])
    passages = [system.get(key) for system in texts]
    own = ["null" if one is None else _own_json(one, said) for one in passages]
    return f"[{_passages_json(first, said, shared=True)},[{','.join(own)}]]"


def _own_json(passages: Passages, said: Mapping[int, str]) -> str:
    """Return the passages that are not shared; most items have a single one for each system."""
    if len(passages) == 1 and not passages[0].shared:
        (one,) = passages
        return f"[[{said[id(one.title)]},{encode_basestring(one.text)},{said[id(one.note)]}]]"
    return _passages_json(passages, said, shared=False)


def _passages_json(passages: Passages, said: Mapping[int, str], *, shared: bool) -> str:
    """Return title, text and note of the passages that are shared, or that are not."""
    parts = [
        f"[{said[id(one.title)]},{encode_basestring(one.text)},{said[id(one.note)]}]"
        for one in passages
        if one.shared == shared
    ]
    return f"[{','.join(parts)}]"


def pack_json_base64(value: Json) -> str:
    """Pack a value as JSON, deflated, in base64."""
    return _pack_base64(ENCODER.encode(value))


def _pack_base64(text: str) -> str:
    return base64.b64encode(zlib.compress(text.encode("utf-8", "replace"), LEVEL)).decode()
