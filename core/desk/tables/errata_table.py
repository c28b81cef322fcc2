"""Errata in a desk: replaced results, with a record of the replacement."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from jurydesk.core.desk.codec import damage_at, pack_json, unpack_json
from jurydesk.core.desk.evaluation_rows import EvaluationRows, pack_evaluation
from jurydesk.core.desk.tables import check_table, evaluation_table
from jurydesk.core.desk.tables import input_table as inputs
from jurydesk.core.desk.tables.input_table import InputRow, StoredResult
from jurydesk.core.model.checks import CheckRecord, combine
from jurydesk.core.model.evaluation import Evaluation, Json, Source
from jurydesk.core.model.stamp import utc_now

if TYPE_CHECKING:
    from jurydesk.core.desk.desk import Desk


@dataclass(frozen=True, slots=True)
class ReplacedResults:
    """Results, inputs and check that were replaced, for `restore_results`.

    `erratum` is the id of the erratum that replaced them; None if scoring did.
    """

    erratum: int | None
    evaluations: tuple[EvaluationRows, ...]
    inputs: tuple[InputRow, ...]
    check: CheckRecord


def replace_results(
    desk: Desk,
    record: Json,
    evaluations: Sequence[Evaluation],
    sources: Sequence[Source],
    submission: str,
    check: CheckRecord,
) -> ReplacedResults:
    """Replace results and inputs, add the erratum and the check, and return what was replaced.

    Everything is written in one transaction.
    """
    packed = [pack_evaluation(evaluation) for evaluation in evaluations]
    content = pack_json([record])
    with desk.writing() as connection:
        before = _read_results(connection, ())
        removed: list[EvaluationRows] = []
        for evaluation, one in zip(evaluations, packed, strict=True):
            removed += evaluation_table.remove_replaced(connection, evaluation)
            evaluation_table.insert_evaluation(connection, evaluation, one)
        desk.merge_inputs_within(connection, sources, submission)
        check_table.insert_record(connection, check)
        key = connection.execute(
            "INSERT INTO erratum (created, content) VALUES (?, ?)", (utc_now(), content)
        ).lastrowid
    return replace(before, erratum=key, evaluations=tuple(removed))


def read_results(desk: Desk) -> ReplacedResults:
    """Read all results, for `restore_results` after a later scoring has replaced them."""
    with desk.reading() as connection, damage_at():
        return _read_results(connection, evaluation_table.read_summaries(connection))


def _read_results(
    connection: sqlite3.Connection, results: Sequence[StoredResult]
) -> ReplacedResults:
    before = inputs.read_inputs(connection)
    paths = [entry.source.path for entry in before]
    checked = combine(check_table.read_check_records(connection), paths)
    evaluations = tuple(evaluation_table.read_rows(connection, one.id) for one in results)
    return ReplacedResults(None, evaluations, tuple(before), checked)


def restore_results(desk: Desk, replaced: ReplacedResults) -> None:
    """Restore results and inputs in one transaction, and drop the record of the erratum.

    Results and submissions that were added since stay; their reference data are then out of date.
    """
    known = {(entry.source.role, entry.source.path) for entry in replaced.inputs}
    with desk.writing() as connection:
        for one in replaced.evaluations:
            evaluation_table.remove_result(connection, one.system, one.profile)
            evaluation_table.restore_evaluation(connection, one)
        on_board = {
            one.submission[0]
            for one in evaluation_table.read_summaries(connection)
            if one.submission
        }
        since = [
            entry
            for entry in inputs.read_inputs(connection)
            if entry.source.path in on_board and (entry.source.role, entry.source.path) not in known
        ]
        inputs.write_inputs(connection, [*replaced.inputs, *since])
        if replaced.check.files:
            check_table.insert_record(connection, replaced.check)
        connection.execute("DELETE FROM erratum WHERE id = ?", (replaced.erratum,))


def read_errata(desk: Desk) -> list[tuple[str, Json]]:
    """Read the records, oldest first, each with its time (ISO 8601 in UTC)."""
    read = []
    with desk.reading() as connection:
        found = connection.execute("SELECT id, created, content FROM erratum ORDER BY id")
        for key, created, content in found.fetchall():
            with damage_at("erratum", key):
                read.append((created, unpack_json(content)[0]))
    return read
