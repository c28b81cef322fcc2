"""Slices in exports: report sections, CSV rows, and JSON."""

from __future__ import annotations

from collections.abc import Sequence

from jurydesk.core.analysis.leaderboard import Leaderboard
from jurydesk.core.analysis.slice_leaderboard import family_of_slices
from jurydesk.core.analysis.slices import ItemSlice
from jurydesk.core.export.html_report.report import ReportSection
from jurydesk.core.export.html_report.report_table import board_table
from jurydesk.core.export.leaderboard_export import board_data, board_json
from jurydesk.core.export.stamps_export import Stamps
from jurydesk.core.language import fill, join_messages
from jurydesk.core.model.evaluation import Json, MetricInfo
from jurydesk.core.tables.columns import DataColumn
from jurydesk.core.tables.table_file import table_file

Sliced = Sequence[tuple[ItemSlice, Leaderboard]]


def slice_sections(sliced: Sliced, shown: Sequence[MetricInfo]) -> list[ReportSection]:
    """Return a report section per slice; the first says how many claims chance alone makes."""
    family = family_of_slices([one for one, _ in sliced])
    return [
        ReportSection(
            fill("{title} · {size}", one.title, one.size),
            join_messages([family, board.finding]) if not number else board.finding,
            board_table(
                board,
                [info for info in shown if info in board.metrics] or board.metrics,
            ),
        )
        for number, (one, board) in enumerate(sliced)
    ]


def slices_csv(sliced: Sliced, stamps: Stamps, settings: Json = None) -> bytes:
    """Write the boards of all slices as one table; the first two columns identify the slice."""
    tables = [(one, dict(board_data(board, stamps, settings))) for one, board in sliced]
    names = dict.fromkeys(name for _, table in tables for name in table)
    counts = [len(board.rows) for _, board in sliced]
    columns: list[DataColumn] = [
        ("slice", _repeated([one.title for one, _ in tables], counts)),
        ("slice_items", _repeated([len(one.ids) for one, _ in tables], counts)),
    ]
    for name in names:
        missing = ([""] * count for count in counts)
        cells = (table.get(name, none) for (_, table), none in zip(tables, missing, strict=True))
        columns.append((name, [cell for part in cells for cell in part]))
    return table_file("csv", columns)


def _repeated(values: Sequence[object], counts: Sequence[int]) -> list[object]:
    return [one for one, count in zip(values, counts, strict=True) for _ in range(count)]


def slices_json(whole: Leaderboard, sliced: Sliced, stamps: Stamps, settings: Json = None) -> Json:
    """Return the whole board with a board per slice, which has no stamps."""
    return {
        **board_json(whole, stamps, settings),
        "slices": [
            {"title": one.title, "n_items": len(one.ids), **board_json(board)}
            for one, board in sliced
        ],
    }
