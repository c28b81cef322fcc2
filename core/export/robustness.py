"""Robustness in exports: a section of a report, a table of places, and JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from jurydesk.core.analysis.robustness import Robustness, assess_robustness, robustness_sentences
from jurydesk.core.export.html_report.report import ReportSection
from jurydesk.core.export.html_report.report_table import text_table
from jurydesk.core.model.evaluation import Json

if TYPE_CHECKING:
    from jurydesk.core.analysis.leaderboard import Leaderboard
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.desk import Desk
    from jurydesk.core.execution.run import Run

TITLE = "Under other choices"


def robustness_heads(found: Robustness) -> list[str]:
    """The heads of the table: the board, then every choice that changes the order."""
    return ["system", "board", *(one.title for one in found.changing)]


def robustness_rows(found: Robustness) -> list[list[str]]:
    """The places of every system under those choices."""
    return [
        [system, str(place), *(one.places(row) for one in found.changing)]
        for row, (system, place) in enumerate(zip(found.systems, found.places, strict=True))
    ]


def robustness_sections(
    desk: Desk, task: AnyTask, board: Leaderboard, run: Run
) -> list[ReportSection]:
    """The section of a report for a board, of all choices that the desk holds.

    There is none without an order. Raises Cancelled.
    """
    if not board.rows:
        return []
    found = assess_robustness(desk, task, board.rows[0].summary.profile, run, rescoring=False)
    if found is None or not found.alternatives:
        return []
    told = " ".join(robustness_sentences(found))
    table = text_table(robustness_heads(found), robustness_rows(found), TITLE)
    return [ReportSection(TITLE, told, table)]


def robustness_json(found: Robustness) -> Json:
    """Every choice with its places, also those that do not change the order."""
    return {
        "schema": 1,
        "metric": found.metric.name,
        "profile": found.profile,
        "systems": list(found.systems),
        "places": list(found.places),
        "choices": [
            {
                **asdict(one),
                "best": list(one.best),
                "worst": list(one.worst),
                "winners": [
                    {"case": case, "systems": list(leaders)} for case, leaders in one.winners
                ],
            }
            for one in found.alternatives
        ],
        "left_out": list(found.left_out),
    }
