"""Items that decide in exports: a report section, all items as CSV and JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from jurydesk.core.analysis.significance.item_discrimination import (
    ItemDiscrimination,
    assess_items,
)
from jurydesk.core.analysis.significance.suspect_table import (
    TITLE,
    item_sentences,
    suspect_table,
)
from jurydesk.core.export.export_settings import ExportOrigin, desk_origin
from jurydesk.core.export.html_report.report import ReportSection
from jurydesk.core.export.results_json import SCHEMA, encode_json
from jurydesk.core.language import join_messages
from jurydesk.core.model.evaluation import Json
from jurydesk.core.model.json_codec import json_number
from jurydesk.core.tables.columns import DataColumn
from jurydesk.core.tables.html_table import html_table
from jurydesk.core.tables.table_file import table_file

if TYPE_CHECKING:
    from jurydesk.core.analysis.leaderboard import Leaderboard
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.desk import Desk
    from jurydesk.core.execution.run import Run
    from jurydesk.core.statistics.inference import Inference

DiscriminationFormat = Literal["discrimination json", "discrimination csv"]
DISCRIMINATION_FORMATS: tuple[DiscriminationFormat, ...] = get_args(DiscriminationFormat)
ALONE = "this item alone"
"""Family of an item's p value."""
SHOWN_SUSPECTS = 20
"""Number of suspects in a report, and in the terminal."""


def discrimination_sections(
    desk: Desk, task: AnyTask, board: Leaderboard, run: Run, inference: Inference
) -> list[ReportSection]:
    """Return the report section of the board's first profile; empty without suspects."""
    if not board.rows:
        return []
    found = assess_items(desk, task, board.rows[0].summary.profile, run, inference)
    if found is None or not found.suspects:
        return []
    text = join_messages(item_sentences(found))
    table = html_table(suspect_table(found, SHOWN_SUSPECTS), TITLE)
    return [ReportSection(TITLE, text, table)]


def discrimination_file(
    kind: DiscriminationFormat, found: ItemDiscrimination, origin: ExportOrigin
) -> bytes:
    """Return all items with their discrimination, as JSON or CSV."""
    if kind == "discrimination json":
        return encode_json({**discrimination_json(found), **origin.members()})
    reasons = {one.row: str(one.reason) for one in found.suspects}
    places = [None if np.isnan(one) else int(one) for one in found.places.tolist()]
    count = len(found.ids)
    columns: list[DataColumn] = [
        ("metric", [found.metric.name] * count),
        ("profile", [found.profile] * count),
        ("item", list(found.ids)),
        ("suspect", places),
        ("reason", [reasons.get(row, "") for row in range(count)]),
        ("mean", found.mean.tolist()),
        ("discrimination", found.discrimination.tolist()),
        ("p", found.p.tolist()),
        ("family", [ALONE if known else "" for known in np.isfinite(found.p).tolist()]),
    ]
    return table_file("csv", columns, origin.cells())


def discrimination_origin(
    kind: DiscriminationFormat,
    desk: Desk,
    task: AnyTask,
    found: ItemDiscrimination,
    inference: Inference,
) -> ExportOrigin:
    """Return the origin of an export: all results of the desk, and the profile."""
    return desk_origin(*(kind, desk, task, desk.evaluations(), inference), profile=found.profile)


def discrimination_json(found: ItemDiscrimination) -> dict[str, Json]:
    """Return every item with its discrimination, and the suspects in their order."""
    return {
        "schema": SCHEMA,
        "metric": found.metric.name,
        "profile": found.profile,
        "systems": list(found.systems),
        "measure": str(found.measure),
        "expected_by_chance": json_number(found.expected),
        "family": ALONE if found.is_correlation else None,
        "suspects": [
            {"item": found.ids[one.row], "reason": str(one.reason)} for one in found.suspects
        ],
        "items": [
            {
                "item": key,
                "mean": json_number(mean),
                "discrimination": json_number(discrimination),
                "p": json_number(p),
            }
            for key, mean, discrimination, p in zip(
                found.ids,
                found.mean.tolist(),
                found.discrimination.tolist(),
                found.p.tolist(),
                strict=True,
            )
        ],
    }
