"""Slices in exports: report sections, CSV rows, and JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from jurydesk.core.analysis.leaderboard import Leaderboard
from jurydesk.core.analysis.slices import ItemSlice
from jurydesk.core.export.html_report.report import ReportSection
from jurydesk.core.export.html_report.report_table import board_table
from jurydesk.core.export.leaderboard_export import board_csv, board_json
from jurydesk.core.export.stamps_export import Stamps, allow_long_cells
from jurydesk.core.model.evaluation import Json, MetricInfo
from jurydesk.core.tables.table_file import csv_text, escape_formula

Sliced = Sequence[tuple[ItemSlice, Leaderboard]]


def slice_sections(sliced: Sliced, shown: Sequence[MetricInfo]) -> list[ReportSection]:
    """Return a report section per slice."""
    return [
        ReportSection(
            f"{one.title} · {one.size}",
            board.finding,
            board_table(
                board,
                [info for info in shown if info in board.metrics] or board.metrics,
            ),
        )
        for one, board in sliced
    ]


def slices_csv(sliced: Sliced, stamps: Stamps, settings: Json = None) -> bytes:
    """Write the boards of all slices as one table; the first two columns identify the slice."""
    names: dict[str, None] = {}
    tables = []
    for one, board in sliced:
        text = board_csv(board, stamps, settings).decode("utf-8", "backslashreplace")
        with allow_long_cells():
            rows = list(csv.DictReader(io.StringIO(text, newline="")))
        names.update(dict.fromkeys(rows[0] if rows else ()))
        tables.append((one, rows))
    lines = [
        [escape_formula(one.title), len(one.ids), *(row.get(name, "") for name in names)]
        for one, rows in tables
        for row in rows
    ]
    return csv_text([["slice", "slice_items", *names], *lines])


def slices_json(whole: Leaderboard, sliced: Sliced, stamps: Stamps, settings: Json = None) -> Json:
    """Return the whole board with a board per slice, which has no stamps."""
    return {
        **board_json(whole, stamps, settings),
        "slices": [
            {"title": one.title, "n_items": len(one.ids), **board_json(board)}
            for one, board in sliced
        ],
    }
