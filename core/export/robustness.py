"""Robustness in exports: a report section, ranks as CSV and LaTeX, and JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Literal, get_args

from jurydesk.core.analysis.robustness.assessment import assess_robustness
from jurydesk.core.analysis.robustness.robustness import (
    Robustness,
    robustness_sentences,
    robustness_table,
)
from jurydesk.core.analysis.significance.rank_maps import (
    CAPTIONS,
    rank_map_table,
    rank_maps,
    without_maps,
)
from jurydesk.core.export.export_settings import ExportOrigin, desk_origin
from jurydesk.core.export.html_report.report import ReportSection
from jurydesk.core.export.results_json import encode_json
from jurydesk.core.export.stamps_export import origin_comments
from jurydesk.core.language import join_messages, translatable
from jurydesk.core.model.evaluation import Json
from jurydesk.core.tables.columns import DataColumn
from jurydesk.core.tables.html_table import html_table
from jurydesk.core.tables.latex_table import latex_table
from jurydesk.core.tables.table_file import table_file

if TYPE_CHECKING:
    from jurydesk.core.analysis.leaderboard import Leaderboard
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.desk import Desk
    from jurydesk.core.execution.run import Run
    from jurydesk.core.statistics.inference import Inference

RobustnessFormat = Literal["robustness json", "robustness csv", "robustness latex"]
ROBUSTNESS_FORMATS: tuple[RobustnessFormat, ...] = get_args(RobustnessFormat)
TITLE = translatable("Under other choices")


def robustness_sections(
    desk: Desk,
    task: AnyTask,
    board: Leaderboard,
    run: Run,
    *,
    inference: Inference | None = None,
) -> list[ReportSection]:
    """Return the report section of a board, with all choices that need no scoring.

    It is empty without a ranking. Raises Cancelled.
    """
    if not board.rows:
        return []
    profile = board.rows[0].summary.profile
    tested = board.significance_tests
    found = assess_robustness(
        desk, task, profile, run, rescoring=False, inference=inference, tested=tested
    )
    if found is None or not found.alternatives:
        return []
    text = join_messages((*robustness_sentences(found), *without_maps(found)))
    table = html_table(robustness_table(found), TITLE)
    maps = [
        ReportSection(one.title, CAPTIONS[one.name], html_table(rank_map_table(one), one.title))
        for one in rank_maps(found)
    ]
    return [ReportSection(TITLE, text, table), *maps]


def robustness_file(kind: RobustnessFormat, found: Robustness, origin: ExportOrigin) -> bytes:
    """Return the content of an export: every choice as JSON or CSV, the table as LaTeX."""
    if kind == "robustness json":
        return encode_json({**robustness_json(found), **origin.members()})
    if kind == "robustness csv":
        return robustness_csv(found, origin)
    return robustness_latex(found) + origin_comments(origin.stamps, origin.settings)


def robustness_origin(
    kind: RobustnessFormat,
    desk: Desk,
    task: AnyTask,
    found: Robustness,
    inference: Inference,
    *,
    rescoring: bool,
) -> ExportOrigin:
    """Return the origin of an export: all results of the desk, and how they were ranked."""
    return desk_origin(
        *(kind, desk, task, desk.evaluations(), inference),
        profile=found.profile,
        rescoring=rescoring,
        not_rescored=found.not_rescored,
    )


def robustness_json(found: Robustness) -> dict[str, Json]:
    """Return every choice with its places, including those that keep the order."""
    return {
        "schema": 1,
        "metric": found.metric.name,
        "profile": found.profile,
        "systems": list(found.systems),
        "places": list(found.places),
        "ranks": list(found.ranks),
        "answered": list(found.answered),
        "sampling": None
        if found.sampling is None
        else {
            **asdict(found.sampling),
            "shares": list(found.sampling.shares),
            "places": [list(one) for one in found.sampling.places],
        },
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


def robustness_csv(found: Robustness, origin: ExportOrigin) -> bytes:
    """Return a row per choice and system: the best and the worst rank over the choice's cases.

    The columns `rank`, `by_score`, `answered` and `best_in_samples` are those of the system. The
    first row has the origin.
    """
    shares = found.sampling.shares if found.sampling else ()
    choices = [
        (one, row, " ".join(system.split()))
        for one in found.alternatives
        for row, system in enumerate(found.systems)
    ]
    columns: list[DataColumn] = [
        ("metric", [found.metric.name] * len(choices)),
        ("profile", [found.profile] * len(choices)),
        ("choice", [one.title for one, _, _ in choices]),
        ("cases", [one.cases for one, _, _ in choices]),
        ("cases_with_another_order", [one.changed for one, _, _ in choices]),
        ("system", [system for _, _, system in choices]),
        ("rank", [found.ranks[row] if found.ranks else "" for _, row, _ in choices]),
        ("by_score", [found.places[row] for _, row, _ in choices]),
        ("best_rank", [one.best[row] for one, row, _ in choices]),
        ("worst_rank", [one.worst[row] for one, row, _ in choices]),
        ("answered", [found.answered[row] if found.answered else "" for _, row, _ in choices]),
        ("best_in_samples", [shares[row] if shares else "" for _, row, _ in choices]),
    ]
    return table_file("csv", columns, origin.cells())


def robustness_latex(found: Robustness) -> bytes:
    """Return a `tabular` of the ranks on the board and under every choice that changes an order."""
    lines = latex_table(robustness_table(found), robustness_sentences(found))
    return "\n".join([*lines, ""]).encode("utf-8", errors="backslashreplace")
