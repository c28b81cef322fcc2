"""Tables of evaluations: writing, reading and removing of their rows."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

from jurydesk.core.desk.codec import damage_at, replace_surrogates
from jurydesk.core.desk.errors import DeskError
from jurydesk.core.desk.evaluation_rows import (
    Block,
    EvaluationRows,
    Item,
    ItemRows,
    StoredEvidence,
    unpack_evaluation,
    unpack_items,
    unpack_stamp,
)
from jurydesk.core.desk.tables.input_table import (
    StoredResult,
    resolve_name,
    stamped_part,
    stamped_submission,
)
from jurydesk.core.language import fill
from jurydesk.core.model.evaluation import Evaluation, FloatArray, ItemTable, Json, MetricInfo
from jurydesk.core.model.evidence_columns import ChangeRows
from jurydesk.core.model.json_codec import to_json
from jurydesk.core.model.stamp import METRICS, stamped_metrics

HEAD = "task, system, profile, about, created, scores, defects, stamp"
ITEMS = "noun, items, ids, evidence_of"
"""Columns of the table `evaluation`, which `EvaluationRows` and `ItemRows` have."""


class NoRowError(Exception):
    """Evaluation that is no longer in the desk."""


def known_blocks(connection: sqlite3.Connection) -> set[str]:
    """Return the SHA-256 of every block of evidence in the desk."""
    return {name for (name,) in connection.execute("SELECT sha256 FROM evidence_block")}


def delete_unused_blocks(connection: sqlite3.Connection) -> None:
    """Delete the blocks of evidence that no evaluation references."""
    connection.execute(
        "DELETE FROM evidence_block WHERE sha256 NOT IN (SELECT sha256 FROM evidence_part)"
    )


def read_summaries(connection: sqlite3.Connection) -> list[StoredResult]:
    """Read row, system, profile and submission of every evaluation."""
    found = connection.execute("SELECT id, system, profile, stamp FROM evaluation").fetchall()
    return [_stored_result(*row) for row in found]


def _stored_result(key: int, system: str, profile: str, stamp: str) -> StoredResult:
    with damage_at("evaluation", key):
        read = unpack_stamp(stamp)
        return StoredResult(key, system, profile, stamped_submission(read), stamped_part(read))


def _read_rivals(connection: sqlite3.Connection, evaluation: Evaluation) -> list[StoredResult]:
    """Read every evaluation, the submission only of those of the same name, or file and part.

    Decoding all stamps for each of a thousand systems would take minutes.
    """
    submission = stamped_submission(evaluation.stamp)
    path = json.dumps(submission[0] if submission else "")
    part = json.dumps(stamped_part(evaluation.stamp)) if stamped_part(evaluation.stamp) else ""
    found = connection.execute(
        "SELECT id, system, profile, CASE WHEN system = ? "
        "OR (instr(stamp, ?) AND instr(stamp, ?)) THEN stamp END FROM evaluation",
        (evaluation.system, path, part),
    ).fetchall()
    return [
        StoredResult(row[0], row[1], row[2], None) if row[3] is None else _stored_result(*row)
        for row in found
    ]


def read_declared_metrics(connection: sqlite3.Connection) -> tuple[MetricInfo, ...]:
    """Read the metrics that the stamps of the results declare, in the order of the results."""
    rows = connection.execute(
        "SELECT id, stamp FROM evaluation WHERE instr(stamp, ?) ORDER BY id", (f'"{METRICS}"',)
    ).fetchall()
    found: dict[MetricInfo, None] = {}
    for key, text in rows:
        with damage_at("evaluation", key):
            found |= dict.fromkeys(stamped_metrics(unpack_stamp(text)))
    return tuple(found)


def update_evaluation(connection: sqlite3.Connection, key: int, evaluation: Evaluation) -> None:
    """Replace scores, defects, stamp and its time of an evaluation; its items stay."""
    values = (
        json.dumps(to_json(evaluation.scores, messages=True)),
        json.dumps(to_json(evaluation.defects, messages=True)),
        json.dumps(evaluation.stamp),
        evaluation.stamp["created"] if evaluation.stamp else None,
        key,
    )
    connection.execute(
        "UPDATE evaluation SET scores = ?, defects = ?, stamp = ?, "
        "created = coalesce(?, created) WHERE id = ?",
        values,
    )


def rename_evaluations(connection: sqlite3.Connection, system: str, name: str) -> None:
    """Give all evaluations of a system another name, which their stamps have, too."""
    found = connection.execute(
        "SELECT id, stamp FROM evaluation WHERE system = ?", (system,)
    ).fetchall()
    for key, text in found:
        stamp = unpack_stamp(text)
        changed = json.dumps({**stamp, "system": name} if stamp else stamp)
        connection.execute(
            "UPDATE evaluation SET system = ?, stamp = ? WHERE id = ?", (name, changed, key)
        )


def insert_evaluation(
    connection: sqlite3.Connection, evaluation: Evaluation, rows: EvaluationRows
) -> int:
    """Insert the rows of an evaluation, delete those that it replaces, and return its id."""
    evaluation, replaced = resolve_name(evaluation, _read_rivals(connection, evaluation))
    connection.executemany("DELETE FROM evaluation WHERE id = ?", ((key,) for key in replaced))
    stamp = json.dumps(evaluation.stamp)
    key = _insert_rows(connection, replace(rows, system=evaluation.system, stamp=stamp))
    delete_unused_blocks(connection)
    return key


def _insert_rows(connection: sqlite3.Connection, rows: EvaluationRows) -> int:
    """Insert rows and return the id of the evaluation, a new one if they have none."""
    items = rows.items
    row = {name: replace_surrogates(getattr(rows, name)) for name in HEAD.split(", ")}
    row |= {name: getattr(items, name) for name in ITEMS.split(", ")}
    key = connection.execute(
        f"INSERT INTO evaluation (id, {HEAD}, {ITEMS}) "  # noqa: S608 - own names
        f"VALUES (:id, :{', :'.join(row)})",
        {"id": rows.id, **row},
    ).lastrowid
    if key is None:
        raise RuntimeError("SQLite returned no row id for the new evaluation")
    connection.executemany("INSERT OR IGNORE INTO evidence_block VALUES (?, ?, ?)", items.blocks)
    for statement, parts in (
        ("INSERT INTO item_column VALUES (?, ?, ?, ?, ?)", items.columns),
        ("INSERT INTO figure VALUES (?, ?, ?, ?, ?)", rows.figures),
        ("INSERT INTO evidence_part VALUES (?, ?, ?, ?)", items.parts),
    ):
        connection.executemany(statement, ((key, *row) for row in parts))
    return key


def read_rows(
    connection: sqlite3.Connection, key: int, *, with_evidence: bool = True
) -> EvaluationRows:
    """Read the rows of an evaluation; raise NoRowError if there is none of that id."""
    head = _read_head(connection, HEAD, key)
    items = read_item_rows(connection, key)
    if with_evidence:
        blocks = connection.execute(
            "SELECT * FROM evidence_block WHERE sha256 IN "
            "(SELECT sha256 FROM evidence_part WHERE evaluation = ?)",
            (key,),
        )
        parts = tuple(_read_parts(connection, "evidence_part", key))
        items = replace(items, parts=parts, blocks=tuple(blocks))
    figures = tuple(_read_parts(connection, "figure", key))
    return EvaluationRows(key, **head, items=items, figures=figures)


def read_item_rows(
    connection: sqlite3.Connection, key: int, names: Collection[str] | None = None
) -> ItemRows:
    """Read the rows of items without evidence; raise NoRowError without an evaluation.

    `names` are the columns to read, None for all; unknown names are ignored.
    """
    columns = _read_parts(connection, "item_column", key)
    selected = tuple(row for row in columns if names is None or row[1] in names)
    return ItemRows(**_read_head(connection, ITEMS, key), columns=selected)


def _read_head(connection: sqlite3.Connection, columns: str, key: int) -> dict[str, Any]:
    """Return columns of the row of an evaluation, by name."""
    row = connection.execute(
        f"SELECT {columns} FROM evaluation WHERE id = ?",  # noqa: S608 - own names
        (key,),
    ).fetchone()
    if row is None:
        raise NoRowError(key)
    return dict(zip(columns.split(", "), row, strict=True))


def _read_parts(connection: sqlite3.Connection, table: str, key: int) -> Iterator[Any]:
    """Yield the rows of a table that belong to an evaluation, without its id."""
    rows = connection.execute(
        f"SELECT * FROM {table} WHERE evaluation = ? ORDER BY 2, 3",  # noqa: S608 - own names
        (key,),
    )
    yield from (row[1:] for row in rows)


def read_evaluation(
    connection: sqlite3.Connection,
    key: int,
    evidence: Callable[[int], Any] | None,
    *,
    with_members: bool = True,
) -> Evaluation:
    """Read an evaluation with `evidence` as loader; raise NoRowError if there is none."""
    rows = read_rows(connection, key, with_evidence=False)
    items = unpack_stored_items(rows.items, key, evidence)
    return unpack_evaluation(rows, items, with_members=with_members)


def unpack_stored_items(
    rows: ItemRows, key: int, evidence: Callable[[int], Any] | None = None
) -> ItemTable:
    """Return items that report a missing column as damage of the desk."""
    items = unpack_items(rows, key, evidence)
    return replace(items, columns=StoredColumns(key, items.columns))


class MissingColumnError(DeskError, KeyError):
    """Result without a column that every result of its competition has."""

    def __str__(self) -> str:
        return str(self.args[0])


class StoredColumns(dict[str, FloatArray]):
    """Columns of a result; a missing one is reported as damage of the desk."""

    def __init__(self, key: int, columns: Mapping[str, FloatArray]) -> None:
        super().__init__(columns)
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


Reading = Callable[[], AbstractContextManager[sqlite3.Connection]]


class DeskEvidence:
    """Evidence of an evaluation, read from the desk when it is called with an item's number."""

    def __init__(self, reading: Reading, stored: StoredEvidence) -> None:
        self._reading, self._stored = reading, stored

    def __call__(self, number: int) -> Any:
        """Return the evidence of that number."""
        with self._reading():
            return self._stored(number)

    def holds_rows(self, number: int) -> bool:
        """Return whether the item's evidence is a row of columns, not JSON."""
        with self._reading():
            return self._stored.holds_rows(number)

    def of_rows(self, numbers: Sequence[int], change: ChangeRows[Item]) -> list[Item]:
        """Return what `change` makes of the stored rows of these numbers, in their order."""
        with self._reading():
            return self._stored.of_rows(numbers, change)


def evidence_loader(reading: Reading, key: int, load: Callable[[Json], Any]) -> DeskEvidence | None:
    """Return the evidence of an evaluation, read when it is called; None if there is none."""
    with reading() as connection:
        (last,) = connection.execute(
            "SELECT max(part) FROM evidence_part WHERE evaluation = ?", (key,)
        ).fetchone()

    def read(part: int, item: int) -> Block:
        with reading() as connection:
            row: Block | None = connection.execute(
                "SELECT first, content, fractions FROM evidence_part JOIN evidence_block "
                "USING (sha256) WHERE evaluation = ? AND part = ? AND first <= ? "
                "ORDER BY first DESC LIMIT 1",
                (key, part, item),
            ).fetchone()
        if row is None:
            raise NoRowError(key)
        return row

    if last is None:
        return None
    return DeskEvidence(reading, StoredEvidence(last + 1, read, load, key))


def remove_evaluation(connection: sqlite3.Connection, key: int) -> EvaluationRows:
    """Delete an evaluation and return its rows; raise NoRowError if there is none of that id."""
    rows = read_rows(connection, key)
    connection.execute("DELETE FROM evaluation WHERE id = ?", (key,))
    delete_unused_blocks(connection)
    return rows


def remove_replaced(connection: sqlite3.Connection, evaluation: Evaluation) -> list[EvaluationRows]:
    """Delete the evaluations that this one would replace, and return their rows."""
    _, replaced = resolve_name(evaluation, _read_rivals(connection, evaluation))
    return [remove_evaluation(connection, key) for key in replaced]


def remove_result(connection: sqlite3.Connection, system: str, profile: str) -> None:
    """Delete the evaluation of a system in a profile, if there is one."""
    connection.execute("DELETE FROM evaluation WHERE system = ? AND profile = ?", (system, profile))
    delete_unused_blocks(connection)


def restore_evaluation(connection: sqlite3.Connection, rows: EvaluationRows) -> bool:
    """Insert the rows again; return False, writing nothing, if the system has a result."""
    found = connection.execute(
        "SELECT 1 FROM evaluation WHERE system = ? AND profile = ?", (rows.system, rows.profile)
    ).fetchone()
    if found is None:
        _insert_rows(connection, rows)
    return found is None
