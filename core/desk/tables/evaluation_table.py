"""Tables of evaluations: packing, writing, reading and removing."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from jurydesk.core.desk.codec import (
    DamagedContentError,
    count_numbers,
    damage_at,
    pack_numbers,
    pack_places,
    pack_strings,
    parse_json,
    replace_surrogates,
    unpack_ids,
    unpack_json,
    unpack_numbers,
    unpack_places,
)
from jurydesk.core.desk.errors import DeskError
from jurydesk.core.desk.tables.evidence_blocks import (
    ColumnReader,
    count_parts,
    delete_unused_blocks,
    insert_blocks,
    read_columns,
)
from jurydesk.core.desk.tables.input_table import StoredResult, resolve_name, stamped_submission
from jurydesk.core.language import fill
from jurydesk.core.model.defects import Defect
from jurydesk.core.model.evaluation import (
    Curve,
    Evaluation,
    Evidence,
    Figure,
    FloatArray,
    ItemTable,
    Json,
    Score,
)
from jurydesk.core.model.evidence_blocks import EvidenceBlock, pack_blocks
from jurydesk.core.model.evidence_columns import ColumnEvidence, EvidenceColumns
from jurydesk.core.model.json_codec import figure_from_json, figure_json, from_json, to_json
from jurydesk.core.model.json_evidence import EVIDENCE_BLOCK, json_blocks
from jurydesk.core.model.stamp import Stamp, StampError, utc_now

INSERT = """
    INSERT INTO evaluation
    (task, system, profile, about, noun, created, items, ids, evidence_of, scores,
     defects, stamp)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
SELECT = """
    SELECT task, system, profile, about, scores, defects, stamp, noun, items, ids, evidence_of
    FROM evaluation WHERE id = ?
"""


class NoRowError(Exception):
    """Evaluation that is no longer in the desk."""


@dataclass(frozen=True, slots=True)
class StoredJsonEvidence:
    """Evidence as its stored JSON values, used when its class is not available."""

    content: Json

    def to_json(self) -> Json:
        """Return the values."""
        return self.content


@dataclass(frozen=True, slots=True)
class PackedEvaluation:
    """Slow parts of an evaluation, prepared before the transaction that writes them."""

    ids: bytes
    evidence_of: bytes | None
    columns: tuple[tuple[int, str, int, bytes], ...]
    figures: tuple[tuple[int, str, int | None, bytes | None], ...]
    evidence: tuple[tuple[int, bytes], ...]
    blocks: Sequence[EvidenceBlock]


def pack_evaluation(evaluation: Evaluation, known: Collection[str] = ()) -> PackedEvaluation:
    """Pack ids, columns, figures and evidence of an evaluation as table rows.

    Blocks whose SHA-256 is in `known` are already in the desk.
    """
    items = evaluation.items
    columns = tuple(
        (position, name, *pack_numbers(column))
        for position, (name, column) in enumerate(items.columns.items())
    )
    figures = tuple(_pack_figure(i, figure) for i, figure in enumerate(evaluation.figures))
    evidence = items.evidence
    blocks: tuple[tuple[int, bytes], ...] = ()
    if evidence is not None and not isinstance(evidence, ColumnEvidence):
        blocks = tuple(enumerate(json_blocks(evidence, _count_evidence(items))))
    return PackedEvaluation(
        pack_strings(items.ids),
        None if items.evidence_of is None else pack_places(items.evidence_of),
        columns,
        figures,
        blocks,
        pack_blocks(evidence, known) if isinstance(evidence, ColumnEvidence) else (),
    )


def _count_evidence(items: ItemTable) -> int:
    if items.evidence_of is None:
        return len(items)
    return int(items.evidence_of.max(initial=-1)) + 1


def _pack_figure(position: int, figure: Figure) -> tuple[int, str, int | None, bytes | None]:
    content = figure_json(figure)
    members = figure.members if isinstance(figure, Curve) else None
    if members is None:
        return position, json.dumps(content), None, None
    content["members"] = list(members.shape)
    return position, json.dumps(content), *pack_numbers(members)


def read_summaries(connection: sqlite3.Connection) -> list[StoredResult]:
    """Read row, system, profile and submission of every evaluation."""
    found = connection.execute("SELECT id, system, profile, stamp FROM evaluation").fetchall()
    known = []
    for key, system, profile, stamp in found:
        with damage_at("evaluation", key):
            known.append(StoredResult(key, system, profile, stamped_submission(read_stamp(stamp))))
    return known


def update_evaluation(connection: sqlite3.Connection, key: int, evaluation: Evaluation) -> None:
    """Replace scores, defects and stamp of an evaluation; its items stay."""
    values = (
        json.dumps(to_json(evaluation.scores)),
        json.dumps(to_json(evaluation.defects)),
        json.dumps(evaluation.stamp),
        key,
    )
    connection.execute(
        "UPDATE evaluation SET scores = ?, defects = ?, stamp = ? WHERE id = ?", values
    )


def rename_evaluations(connection: sqlite3.Connection, system: str, name: str) -> None:
    """Give all evaluations of a system another name, which their stamps have, too."""
    found = connection.execute(
        "SELECT id, stamp FROM evaluation WHERE system = ?", (system,)
    ).fetchall()
    for key, text in found:
        stamp = read_stamp(text)
        changed = json.dumps({**stamp, "system": name} if stamp else stamp)
        connection.execute(
            "UPDATE evaluation SET system = ?, stamp = ? WHERE id = ?", (name, changed, key)
        )


def insert_evaluation(
    connection: sqlite3.Connection, evaluation: Evaluation, packed: PackedEvaluation
) -> int:
    """Insert an evaluation, delete the rows that it replaces, and return its id."""
    evaluation, replaced = resolve_name(evaluation, read_summaries(connection))
    connection.executemany("DELETE FROM evaluation WHERE id = ?", ((key,) for key in replaced))
    stamp = evaluation.stamp
    main = (
        evaluation.task,
        replace_surrogates(evaluation.system),
        evaluation.profile,
        replace_surrogates(evaluation.about),
        evaluation.items.noun,
        stamp["created"] if stamp else utc_now(),
        len(evaluation.items),
        packed.ids,
        packed.evidence_of,
        json.dumps(to_json(evaluation.scores)),
        json.dumps(to_json(evaluation.defects)),
        json.dumps(stamp),
    )
    key = connection.execute(INSERT, main).lastrowid
    if key is None:
        raise RuntimeError("SQLite returned no row id for the new evaluation")
    for statement, rows in (
        ("INSERT INTO item_column VALUES (?, ?, ?, ?, ?)", packed.columns),
        ("INSERT INTO figure VALUES (?, ?, ?, ?, ?)", packed.figures),
        ("INSERT INTO evidence VALUES (?, ?, ?)", packed.evidence),
    ):
        connection.executemany(statement, ((key, *row) for row in rows))
    insert_blocks(connection, key, packed.blocks)
    delete_unused_blocks(connection)
    return key


def read_evaluation(
    connection: sqlite3.Connection, key: int, evidence: Callable[[int], Evidence] | None
) -> Evaluation:
    """Read the evaluation of a row, with `evidence` as loader; raise NoRowError without a row."""
    row = connection.execute(SELECT, (key,)).fetchone()
    if row is None:
        raise NoRowError(key)
    task, system, profile, about, scores, defects, stamp, *items = row
    table = read_items(connection, key, items, evidence=evidence)
    figures = tuple(_read_figures(connection, key))
    with damage_at("evaluation", key):
        return Evaluation(
            task,
            system,
            profile,
            read_scores(scores),
            table,
            figures,
            from_json(tuple[Defect, ...], parse_json(defects)),
            read_stamp(stamp),
            about,
        )


def read_items(
    connection: sqlite3.Connection,
    key: int,
    row: Sequence[Any],
    names: Sequence[str] | None = None,
    evidence: Callable[[int], Evidence] | None = None,
) -> ItemTable:
    """Read the items whose noun, count, ids and evidence numbers are in `row`.

    `names` are the columns to read, None for all; unknown names are ignored.
    """
    noun, count, packed_ids, packed_places = row
    with damage_at("evaluation", key):
        ids = unpack_ids(packed_ids, count)
        places = None if packed_places is None else unpack_places(packed_places, count)
    columns = StoredColumns(key)
    found = connection.execute(
        "SELECT name, packed, content FROM item_column WHERE evaluation = ? ORDER BY position",
        (key,),
    )
    for name, packed, content in found:
        if names is None or name in names:
            with damage_at("item_column", f"{key}, {name!r}"):
                count_numbers((count, len(columns) + 1))
                columns[name] = unpack_numbers(packed, content, (count,))
    return ItemTable(ids, columns, evidence, noun, places)


class MissingColumnError(DeskError, KeyError):
    """Result without a column that every result of its competition has."""

    def __str__(self) -> str:
        return str(self.args[0])


class StoredColumns(dict[str, FloatArray]):
    """Columns of a result; a missing one is reported as damage of the desk."""

    def __init__(self, key: int) -> None:
        super().__init__()
        self._key = key

    def __missing__(self, name: str) -> FloatArray:
        raise MissingColumnError(
            fill(
                "The desk is damaged: table item_column has no {name} for row {key} of the "
                "table evaluation. Open a copy made before the damage.",
                repr(name),
                self._key,
            )
        )


def read_stamp(text: str) -> Json:
    """Parse the stamp of a row, empty without one; raise DamagedContentError if it is invalid."""
    stamp = parse_json(text)
    if stamp:
        try:
            Stamp.from_json(stamp)
        except StampError as error:
            raise DamagedContentError(str(error).rstrip(".")) from error
    return stamp


def read_scores(text: str) -> tuple[Score, ...]:
    """Parse the scores of a row."""
    return from_json(tuple[Score, ...], parse_json(text))


def _read_figures(connection: sqlite3.Connection, key: int) -> Iterator[Figure]:
    rows = connection.execute(
        "SELECT content, members_packed, members FROM figure WHERE evaluation = ? "
        "ORDER BY position",
        (key,),
    )
    for position, (text, packed, members) in enumerate(rows.fetchall()):
        with damage_at("figure", f"{key}, {position}"):
            content = parse_json(text)
            if members is not None:
                members = unpack_numbers(packed, members, tuple(content["members"]))
            figure = figure_from_json(content, members)
        yield figure


def read_block(connection: sqlite3.Connection, key: int, block: int) -> list[Json]:
    """Read a block of evidence as JSON values; raise NoRowError if there is none."""
    row = connection.execute(
        "SELECT content FROM evidence WHERE evaluation = ? AND block = ?", (key, block)
    ).fetchone()
    if row is None:
        raise NoRowError(key)
    with damage_at("evidence", f"{key}, {block}"):
        values: list[Json] = unpack_json(row[0])
        if not isinstance(values, list) or len(values) > EVIDENCE_BLOCK:
            raise DamagedContentError(
                fill("evidence of {evidence_block} items expected", EVIDENCE_BLOCK)
            )
        return values


class EvidenceReader:
    """Reader of single pieces of JSON evidence, which caches the last block."""

    def __init__(
        self, key: int, block: Callable[[int], list[Json]], decode: Callable[[Json], Evidence]
    ) -> None:
        self._key = key
        self._block = block
        self._decode = decode
        self._last: tuple[int, list[Json]] = (-1, [])

    def __call__(self, number: int) -> Evidence:
        """Return the evidence of that number."""
        block, place = divmod(number, EVIDENCE_BLOCK)
        last, values = self._last
        if block != last:
            values = self._block(block)
            self._last = (block, values)
        with damage_at("evidence", f"{self._key}, {block}"):
            return self._decode(values[place])


def evidence_loader(
    reading: Callable[[], AbstractContextManager[sqlite3.Connection]],
    key: int,
    load: Callable[[Json], Evidence],
) -> Callable[[int], Evidence] | None:
    """Return a function that loads evidence from the desk; None if there is none.

    Desks before schema 6, and plug-ins, store evidence as JSON.
    """
    with reading() as connection:
        parts = count_parts(connection, key)
        (has_json,) = connection.execute(
            "SELECT EXISTS (SELECT 1 FROM evidence WHERE evaluation = ?)", (key,)
        ).fetchone()
    if not parts and not has_json:
        return None

    def columns(part: int, item: int) -> tuple[int, EvidenceColumns]:
        with reading() as connection:
            found = read_columns(connection, key, part, item)
        if found is None:
            raise NoRowError(key)
        return found

    def block(number: int) -> list[Json]:
        with reading() as connection:
            return read_block(connection, key, number)

    read = ColumnReader(key, parts, columns, load) if parts else EvidenceReader(key, block, load)

    def evidence(number: int) -> Evidence:
        with reading():
            return read(number)

    return evidence


TABLES = (
    ("evaluation", "id"),
    ("item_column", "evaluation"),
    ("figure", "evaluation"),
    ("evidence", "evaluation"),
    ("evidence_part", "evaluation"),
)
"""Tables with parts of an evaluation, and their column with the evaluation's id."""

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class RemovedEvaluation:
    """Rows of an evaluation by table, still packed."""

    id: int
    system: str
    profile: str
    rows: tuple[tuple[Row, ...], ...]
    blocks: tuple[Row, ...]


def read_rows(connection: sqlite3.Connection, key: int) -> RemovedEvaluation | None:
    """Read the rows of an evaluation; None if there is none of that id."""
    names = connection.execute(
        "SELECT system, profile FROM evaluation WHERE id = ?", (key,)
    ).fetchone()
    if names is None:
        return None
    rows = tuple(
        tuple(connection.execute(f"SELECT * FROM {table} WHERE {column} = ?", (key,)))  # noqa: S608 - own names
        for table, column in TABLES
    )
    blocks = connection.execute(
        "SELECT * FROM evidence_block WHERE sha256 IN "
        "(SELECT sha256 FROM evidence_part WHERE evaluation = ?)",
        (key,),
    ).fetchall()
    system, profile = names
    return RemovedEvaluation(key, system, profile, rows, tuple(blocks))


def remove_evaluation(connection: sqlite3.Connection, key: int) -> RemovedEvaluation | None:
    """Delete an evaluation and return its rows; None if there is none of that id."""
    removed = read_rows(connection, key)
    if removed is not None:
        connection.execute("DELETE FROM evaluation WHERE id = ?", (key,))
        delete_unused_blocks(connection)
    return removed


def remove_replaced(
    connection: sqlite3.Connection, evaluation: Evaluation
) -> list[RemovedEvaluation]:
    """Delete the evaluations that this one would replace, and return their rows."""
    _, replaced = resolve_name(evaluation, read_summaries(connection))
    removed = [remove_evaluation(connection, key) for key in replaced]
    return [one for one in removed if one is not None]


def remove_result(connection: sqlite3.Connection, system: str, profile: str) -> None:
    """Delete the evaluation of a system in a profile, if there is one."""
    connection.execute("DELETE FROM evaluation WHERE system = ? AND profile = ?", (system, profile))
    delete_unused_blocks(connection)


def restore_evaluation(connection: sqlite3.Connection, removed: RemovedEvaluation) -> bool:
    """Insert the rows again; return False, writing nothing, if the system has a result."""
    found = connection.execute(
        "SELECT 1 FROM evaluation WHERE system = ? AND profile = ?",
        (removed.system, removed.profile),
    ).fetchone()
    if found is not None:
        return False
    connection.executemany("INSERT OR IGNORE INTO evidence_block VALUES (?, ?, ?)", removed.blocks)
    for (table, _), rows in zip(TABLES, removed.rows, strict=True):
        if rows:
            places = ", ".join("?" * len(rows[0]))
            connection.executemany(f"INSERT INTO {table} VALUES ({places})", rows)  # noqa: S608
    return True
