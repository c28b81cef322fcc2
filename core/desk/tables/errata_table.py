"""Errata in a desk: replaced results, with a record of the replacement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jurydesk.core.desk.codec import damage_at, pack_json, unpack_json
from jurydesk.core.desk.tables import check_table, evaluation_table
from jurydesk.core.model.checks import CheckRecord
from jurydesk.core.model.evaluation import Evaluation, Json, Source
from jurydesk.core.provenance.stamp import utc_now

if TYPE_CHECKING:
    from jurydesk.core.desk.desk import Desk


def replace_results(
    desk: Desk,
    record: Json,
    evaluations: Sequence[Evaluation],
    sources: Sequence[Source],
    submission: str,
    check: CheckRecord,
) -> None:
    """Replace results and inputs, and add the erratum and the check.

    Everything is written in one transaction.
    """
    packed = [evaluation_table.pack_evaluation(evaluation) for evaluation in evaluations]
    content = pack_json([record])
    with desk.writing() as connection:
        for evaluation, one in zip(evaluations, packed, strict=True):
            evaluation_table.insert_evaluation(connection, evaluation, one)
        desk.merge_inputs_within(connection, sources, submission)
        check_table.insert_record(connection, check)
        connection.execute(
            "INSERT INTO erratum (created, content) VALUES (?, ?)", (utc_now(), content)
        )


def read_errata(desk: Desk) -> list[tuple[str, Json]]:
    """Read the records, oldest first, each with its time (ISO 8601 in UTC)."""
    read = []
    with desk.reading() as connection:
        found = connection.execute("SELECT id, created, content FROM erratum ORDER BY id")
        for key, created, content in found.fetchall():
            with damage_at("erratum", key):
                read.append((created, unpack_json(content)[0]))
    return read
