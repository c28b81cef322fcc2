"""Rows of an evaluation: what a desk stores, undo restores, and a worker returns.

`core/desk/tables/evaluation_table.py` writes and reads them.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, TypeVar

from jurydesk.core.desk.codec import (
    DamagedContentError,
    compact_json,
    count_numbers,
    damage_at,
    inflate,
    pack_numbers,
    pack_places,
    pack_strings,
    parse_stored,
    unpack_ids,
    unpack_numbers,
    unpack_places,
)
from jurydesk.core.language import fill
from jurydesk.core.model.defects import Defect
from jurydesk.core.model.evaluation import (
    Curve,
    Evaluation,
    Figure,
    FloatArray,
    ItemTable,
    Json,
    Score,
)
from jurydesk.core.model.evidence_columns import (
    BLOCK_BYTES,
    LEVEL,
    MOST_ITEMS,
    ChangeRows,
    ColumnEvidence,
    EvidenceColumn,
    EvidenceColumns,
    EvidenceRow,
    pack_columns,
    unpack_columns,
)
from jurydesk.core.model.json_codec import figure_from_json, figure_json, from_json, to_json
from jurydesk.core.model.stamp import Stamp, StampError, stamped_metrics, utc_now

Item = TypeVar("Item")

JSON_COLUMN = "json"
"""Only evidence column of competitions whose evidence is JSON."""

MAX_BLOCK_BYTES = 1 << 26
"""Limit on the bytes of an unpacked block, against crafted files."""

ColumnRow = tuple[int, str, int, bytes]
"""Position and name of an item column, packing code and packed values."""

FigureRow = tuple[int, str, int | None, bytes | None]
"""Position and JSON of a figure, packing code and packed curves of its items, if any."""

PartRow = tuple[int, int, str]
"""Part and first item of a block of evidence, and its SHA-256."""

BlockRow = tuple[str, bytes, bytes]
"""SHA-256 of a block of evidence, its compressed content, and its fractions."""


@dataclass(frozen=True, slots=True)
class ItemRows:
    """Rows of the items of an evaluation, with its values of the same columns in its own row.

    A block that the desk has already may be missing in `blocks`.
    """

    noun: str
    items: int
    ids: bytes
    evidence_of: bytes | None
    columns: tuple[ColumnRow, ...] = ()
    parts: tuple[PartRow, ...] = ()
    blocks: tuple[BlockRow, ...] = ()


@dataclass(frozen=True, slots=True)
class EvaluationRows:
    """Rows of one evaluation, by table; `id` is None before a desk has stored it."""

    id: int | None
    task: str
    system: str
    profile: str
    about: str
    created: str
    scores: str
    defects: str
    stamp: str
    items: ItemRows
    figures: tuple[FigureRow, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class UnpackedItems(ItemTable):
    """Items of a worker's rows, which are stored as they are; a changed copy has no rows."""

    rows: ItemRows | None = field(default=None, init=False)


def pack_evaluation(evaluation: Evaluation, known: Collection[str] = ()) -> EvaluationRows:
    """Return the rows of an evaluation, without the blocks whose SHA-256 is in `known`."""
    items, stamp = evaluation.items, evaluation.stamp
    rows = items.rows if isinstance(items, UnpackedItems) else None
    return EvaluationRows(
        None,
        evaluation.task,
        evaluation.system,
        evaluation.profile,
        evaluation.about,
        stamp["created"] if stamp else utc_now(),
        json.dumps(to_json(evaluation.scores, messages=True)),
        json.dumps(to_json(evaluation.defects, messages=True)),
        json.dumps(stamp),
        rows or _pack_items(items, known),
        tuple(_pack_figure(*one) for one in enumerate(evaluation.figures)),
    )


def _pack_items(items: ItemTable, known: Collection[str]) -> ItemRows:
    parts: list[PartRow] = []
    blocks: dict[str, BlockRow] = {}
    shrinks: defaultdict[int, dict[str, bool]] = defaultdict(dict)
    for part, first, block in _evidence_blocks(items):
        content, fractions = pack_columns(block, shrinks[part])
        digest = hashlib.sha256(content)
        digest.update(fractions)
        sha256 = digest.hexdigest()
        parts.append((part, first, sha256))
        if sha256 not in known and sha256 not in blocks:
            blocks[sha256] = sha256, zlib.compress(content, LEVEL), fractions
    return ItemRows(
        items.noun,
        len(items),
        pack_strings(items.ids),
        None if items.evidence_of is None else pack_places(items.evidence_of),
        tuple(
            (i, name, *pack_numbers(items.columns[name])) for i, name in enumerate(items.columns)
        ),
        tuple(parts),
        tuple(blocks.values()),
    )


def _evidence_blocks(items: ItemTable) -> Iterator[tuple[int, int, EvidenceColumns]]:
    """Yield part, first item and columns of each block; evidence as JSON is a column of texts."""
    evidence = items.evidence
    if isinstance(evidence, ColumnEvidence):
        for part, whole in enumerate(evidence.build()):
            yield from ((part, *block) for block in whole.blocks())
    elif evidence is not None:
        count = len(items)
        if items.evidence_of is not None:
            count = int(items.evidence_of.max(initial=-1)) + 1
        texts: list[str] = []
        size = 0
        for number in range(count):
            texts.append(compact_json(evidence(number).to_json()))
            size += len(texts[-1])
            if size >= BLOCK_BYTES or len(texts) == MOST_ITEMS or number == count - 1:
                columns = EvidenceColumns({JSON_COLUMN: EvidenceColumn.texts(texts)})
                yield 0, number + 1 - len(texts), columns
                texts, size = [], 0


def _pack_figure(position: int, figure: Figure) -> FigureRow:
    content = figure_json(figure, messages=True)
    members = figure.members if isinstance(figure, Curve) else None
    if members is None:
        return position, json.dumps(content), None, None
    content["members"] = list(members.shape)
    return position, json.dumps(content), *pack_numbers(members)


def unpack_rows(rows: EvaluationRows, load: Callable[[Json], Any]) -> Evaluation:
    """Return the evaluation of rows that are in no desk, to which `load` adds the evidence.

    Raises:
        DamagedContentError: If the rows are none of `pack_evaluation`.
    """
    with damage_at():
        evidence = _evidence_in_memory(rows.items, load)
        items = unpack_items(rows.items, evidence=evidence)
        whole = UnpackedItems(items.ids, items.columns, evidence, items.noun, items.evidence_of)
        object.__setattr__(whole, "rows", rows.items)
        return unpack_evaluation(rows, whole)


def _evidence_in_memory(rows: ItemRows, load: Callable[[Json], Any]) -> StoredEvidence | None:
    blocks = {row[0]: row for row in rows.blocks}
    places: defaultdict[int, list[Block]] = defaultdict(list)
    for part, first, sha256 in rows.parts:
        _, content, fractions = blocks[sha256]
        places[part].append((first, content, fractions))

    def read(part: int, item: int) -> Block:
        return places[part][bisect_right(places[part], item, key=itemgetter(0)) - 1]

    return StoredEvidence(len(places), read, load) if places else None


def unpack_evaluation(
    rows: EvaluationRows, items: ItemTable, *, with_members: bool = True
) -> Evaluation:
    """Return the evaluation of rows, with items that were unpacked already.

    Without `with_members` no figure has the curves of the items, its larger part.
    """
    shown = rows.figures if with_members else [(*row[:2], None, None) for row in rows.figures]
    figures = tuple(_unpack_figure(rows.id, row) for row in shown)
    with damage_at("evaluation", rows.id or ""):
        scores = unpack_scores(rows.scores)
        defects = from_json(tuple[Defect, ...], parse_stored(rows.defects))
        stamp = unpack_stamp(rows.stamp)
        return Evaluation(
            rows.task,
            rows.system,
            rows.profile,
            scores,
            items,
            figures,
            defects,
            stamp,
            rows.about,
            stamped_metrics(stamp),
        )


def unpack_items(
    rows: ItemRows, key: int | None = None, evidence: Callable[[int], Any] | None = None
) -> ItemTable:
    """Return the items of an evaluation, whose id is `key` for messages."""
    with damage_at("evaluation", key or ""):
        ids = unpack_ids(rows.ids, rows.items)
        places = None
        if rows.evidence_of is not None:
            places = unpack_places(rows.evidence_of, rows.items)
    columns: dict[str, FloatArray] = {}
    for _, name, packed, content in rows.columns:
        with damage_at("item_column", f"{key}, {name!r}"):
            count_numbers((rows.items, len(columns) + 1))
            columns[name] = unpack_numbers(packed, content, (rows.items,))
    return ItemTable(ids, columns, evidence, rows.noun, places)


def unpack_scores(text: str) -> tuple[Score, ...]:
    """Return the scores of a row."""
    return from_json(tuple[Score, ...], parse_stored(text))


def unpack_stamp(text: str) -> Json:
    """Return the stamp of a row, empty without one; raise DamagedContentError if it is invalid."""
    stamp = parse_stored(text)
    if stamp:
        try:
            Stamp.from_json(stamp)
        except StampError as error:
            raise DamagedContentError(str(error).rstrip(".")) from error
    return stamp


def _unpack_figure(key: int | None, row: FigureRow) -> Figure:
    position, text, packed, content = row
    with damage_at("figure", f"{key}, {position}"):
        figure, members = parse_stored(text), None
        if packed is not None and content is not None:
            members = unpack_numbers(packed, content, tuple(figure["members"]))
        return figure_from_json(figure, members)


Block = tuple[int, bytes, bytes]
"""First item, compressed content and fractions of a block of evidence."""


class StoredEvidence:
    """Evidence in packed blocks, of which the last of each part stays unpacked.

    `read` returns the block of a part that should have an item.
    """

    def __init__(
        self,
        parts: int,
        read: Callable[[int, int], Block],
        load: Callable[[Json], Any],
        key: int | None = None,
    ) -> None:
        self._parts = parts
        self._read = read
        self._load = load
        self._key = key
        self._last: dict[int, tuple[int, EvidenceColumns]] = {}

    def __call__(self, number: int) -> Any:
        """Return the evidence of that number."""
        row: EvidenceRow = {}
        for part in range(self._parts):
            first, columns = self._held_block(part, number)
            with damage_at("evidence_part", f"{self._key}, {part}, {first}"):
                row.update(columns.row(number - first))
        with damage_at("evaluation", self._key or ""):
            return self._load(parse_stored(row[JSON_COLUMN]) if JSON_COLUMN in row else row)

    def holds_rows(self, number: int) -> bool:
        """Return whether the item's evidence is a row of columns, not JSON."""
        return all(JSON_COLUMN not in self._block(part, number)[1] for part in range(self._parts))

    def of_rows(self, numbers: Sequence[int], change: ChangeRows[Item]) -> list[Item]:
        """Return what `change` makes of the rows of these numbers, whose blocks are read once."""
        rising = sorted(set(numbers))
        found: dict[int, Item] = {}
        while len(found) < len(rising):
            first, columns = self._columns_from(rising[len(found)])
            stop = first + columns.items_count
            held = rising[len(found) : bisect_left(rising, stop)]
            with damage_at("evaluation", self._key or ""):
                made = change(columns, [number - first for number in held])
                found.update(zip(held, made, strict=True))
        return [found[number] for number in numbers]

    def _columns_from(self, number: int) -> tuple[int, EvidenceColumns]:
        """Return an item's number, and all columns of it and the next ones in the same blocks."""
        held = [self._held_block(part, number) for part in range(self._parts)]
        stop = min(first + columns.items_count for first, columns in held)
        parts = [columns.part(number - first, stop - first) for first, columns in held]
        return number, EvidenceColumns({name: one[name] for one in parts for name in one})

    def _held_block(self, part: int, number: int) -> tuple[int, EvidenceColumns]:
        """Return the block that has an item, or raise DamagedContentError."""
        first, columns = self._block(part, number)
        if number - first >= columns.items_count:
            with damage_at("evidence_part", f"{self._key}, {part}, {first}"):
                raise DamagedContentError(fill("the evidence of item {number} is missing", number))
        return first, columns

    def _block(self, part: int, number: int) -> tuple[int, EvidenceColumns]:
        found = self._last.get(part)
        if found is None or not found[0] <= number < found[0] + found[1].items_count:
            first, content, fractions = self._read(part, number)
            with damage_at("evidence_part", f"{self._key}, {part}, {first}"):
                columns = unpack_columns(inflate(content, MAX_BLOCK_BYTES), fractions)
            found = self._last[part] = first, columns
        return found
