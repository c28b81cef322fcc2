"""Errata in a desk: results of new reference data in the place of the old, both written down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.checks import CheckRecord
from core.desk import check_table, rows
from core.desk.codec import decoding, pack_json, unpack_json
from core.model import Evaluation, Json, Source
from core.stamp import now

if TYPE_CHECKING:
    from core.desk.desk import Desk


def replace_results(
    desk: Desk,
    record: Json,
    evaluations: Sequence[Evaluation],
    sources: Sequence[Source],
    submission: str,
    check: CheckRecord,
) -> None:
    """Put results and inputs in the place of those before, with the erratum and the check.

    All of it is written or, after a crash, nothing.
    """
    packed = [rows.pack(evaluation) for evaluation in evaluations]
    content = pack_json([record])
    with desk.writing() as connection:
        for evaluation, one in zip(evaluations, packed, strict=True):
            rows.insert(connection, evaluation, one)
        desk.merge_inputs_within(connection, sources, submission)
        check_table.insert(connection, check)
        connection.execute("INSERT INTO erratum (created, content) VALUES (?, ?)", (now(), content))


def records(desk: Desk) -> list[tuple[str, Json]]:
    """The records that were kept, the oldest first, each with its time (ISO 8601 in UTC)."""
    read = []
    with desk.reading() as connection:
        found = connection.execute("SELECT id, created, content FROM erratum ORDER BY id")
        for key, created, content in found.fetchall():
            with decoding("erratum", key):
                read.append((created, unpack_json(content)[0]))
    return read
