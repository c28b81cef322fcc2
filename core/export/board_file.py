"""Exports of a desk's board in every format, with the settings to make them again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, get_args

from jurydesk.core.analysis.contradictions import contradiction_marks
from jurydesk.core.analysis.leaderboard import Leaderboard
from jurydesk.core.analysis.leaderboard_finding import leaderboard_finding
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.desk.item_queries import load_stamps
from jurydesk.core.export.discrimination_export import discrimination_sections
from jurydesk.core.export.export_settings import (
    REMARKS,
    encoded_remarks,
    make_settings,
    published_settings,
    settings_errors,
)
from jurydesk.core.export.html_report.report import ReportSection, desk_report, report_html
from jurydesk.core.export.leaderboard_export import board_csv, board_json
from jurydesk.core.export.leaderboard_latex import board_latex
from jurydesk.core.export.methods import methods_latex
from jurydesk.core.export.results_json import SCHEMA, encode_json
from jurydesk.core.export.robustness import robustness_sections
from jurydesk.core.export.slices_export import Sliced, slice_sections, slices_csv, slices_json
from jurydesk.core.export.stamps_export import (
    BESIDE,
    SETTINGS,
    STAMPS,
    Stamps,
    published_by_id,
    settings_comment,
)
from jurydesk.core.export.tables.figure_tables import SCALE, SCORES
from jurydesk.core.intake.submission_ledger import scored_share, submission_marks
from jurydesk.core.language import join_messages
from jurydesk.core.language.message import decode_message, encode_message
from jurydesk.core.model.evaluation import Json, MetricInfo, Source
from jurydesk.core.statistics.inference import Inference

if TYPE_CHECKING:
    from jurydesk.core.desk import Desk, Summary
    from jurydesk.core.execution.run import Run

Format = Literal["csv", "html", "json", "latex", "methods"]
MARKS, MARKED_FINDING, NOTED = "marks", 2, 3
"""Setting of exports that mark numbers that are not reliable, and its value where the finding, too,
states no such numbers as reliable, and where all is noted of metrics; earlier exports lack it."""
RECEIVED = "received"
"""Setting of exports with what is not scored."""
AVERAGED = "average rank"
"""Setting of exports with the average rank: the names of its metrics."""
FORMATS: tuple[Format, ...] = get_args(Format)


@dataclass(frozen=True, slots=True, eq=False)
class BoardContent:
    """Content of an export: the whole board, the boards of slices, and the metrics to show.

    `sections` of a report follow its own ones.
    """

    desk: Desk
    task: AnyTask
    whole: Leaderboard
    inference: Inference
    sliced: Sliced = ()
    shown: Sequence[MetricInfo] = ()
    sections: Sequence[ReportSection] = field(default=())
    ratings: Source | None = None
    """Desk with the ratings that the board shows."""


def export_settings(kind: Format, content: BoardContent) -> dict[str, Json]:
    """Return what the export depends on besides the stamped results."""
    competition, desk = content.desk.competition, content.desk
    scored = [row.summary for row in content.whole.rows if row.summary.id > 0]  # others are rated
    stamps, remarks = load_stamps(desk), desk_remarks(desk, content.task, scored)
    settings = make_settings(
        kind,
        content.task.id,
        content.inference,
        (len(scored), sum(one.id in stamps for one in scored)),
        content.ratings,
        **{
            "title": competition.title if competition else content.whole.title,
            "results in desk": len(desk.evaluations()),
            "stale": sorted({one.system for one in scored if one.stale}),
            "metrics": [info.name for info in content.shown],
            **({AVERAGED: averaged} if (averaged := _averaged(content.whole)) else {}),
            **({"server": server} if (server := _server(scored)) else {}),
            **({REMARKS: encoded_remarks(remarks)} if remarks else {}),
            **({RECEIVED: encode_message(text)} if (text := scored_share(desk)) else {}),
            "slices": [[one.title, one.column] for one, _ in content.sliced],
            **({SCALE: SCORES} if kind == "html" else {}),
            **({BESIDE: True} if kind == "csv" else {}),
            MARKS: NOTED,
        },
    )
    return published_settings(settings)


def _averaged(board: Leaderboard) -> list[str]:
    """Return the names of the metrics of the average rank."""
    return [info.name for info in board.average_ranks.metrics] if board.average_ranks else []


def _server(scored: Sequence[Summary]) -> dict[str, Json]:
    """Return the numbers of the platform by system, which the board shows beside the desk's."""
    return {one.system: dict(one.server) for one in scored if one.server}


def desk_remarks(desk: Desk, task: AnyTask, summaries: Sequence[Summary]) -> dict[str, str]:
    """Return the remarks on systems by name: on their submissions, and on contradictions."""
    found = dict(submission_marks(desk))
    for system, mark in contradiction_marks(desk, task, summaries).items():
        found[system] = join_messages(filter(None, [found.get(system), mark]), "; ")
    return found


def _add_remarks(board: Leaderboard, settings: Json) -> Leaderboard:
    """Return a board with the remarks on systems of these settings."""
    with settings_errors():
        remarks = {
            system: decode_message(text) for system, text in settings.get(REMARKS, {}).items()
        }
        return replace(board, remarks=remarks, received=decode_message(settings.get(RECEIVED, "")))


def _restore_marks(board: Leaderboard, settings: Json) -> Leaderboard:
    """Return a board with the marks of an export with these settings, made again."""
    if settings.get(MARKS) == NOTED:
        return board
    board = replace(board, is_noted=False)
    if settings.get(MARKS) != MARKED_FINDING and board.headline is not None:
        headline, noun = replace(board.headline, doubt=""), board.item_noun or ("item", "items")
        finding = leaderboard_finding(board.rows, headline, board.significance_tests, noun)
        board = replace(board, finding=finding)
    if settings.get(MARKS):
        return board
    unmarked = [replace(info, doubt="") for info in board.metrics]
    first = None if board.headline is None else unmarked[board.metrics.index(board.headline)]
    return replace(board, metrics=tuple(unmarked), headline=first, item_noun=None)


def board_stamps(content: BoardContent) -> bytes:
    """Return the second file of a board in CSV: the stamps of its systems, and the settings."""
    stamps = published_by_id(load_stamps(content.desk))
    listed = [stamps[row.summary.id] for row in content.whole.rows if row.summary.id in stamps]
    settings = export_settings("csv", content)
    document = {"schema": SCHEMA, "task": content.task.id, STAMPS: listed, SETTINGS: settings}
    return encode_json(document)


def board_file(kind: Format, content: BoardContent, run: Run, settings: Json = None) -> bytes:
    """Return the content of one export; a report includes the whole board. Raises Cancelled.

    `settings` are those of an export that is made again.
    """
    stamps: Stamps = load_stamps(content.desk)
    if not settings:
        stamps = published_by_id(stamps)
        settings = export_settings(kind, content)
    task, shown = content.task, content.shown
    whole = _add_remarks(_restore_marks(content.whole, settings), settings)
    sliced = [(one, _restore_marks(board, settings)) for one, board in content.sliced]
    if kind == "html":
        sections = [
            *slice_sections(sliced, shown),
            *robustness_sections(
                *(content.desk, task, whole, run),
                inference=content.inference,
            ),
            *discrimination_sections(content.desk, task, whole, run, content.inference),
            *content.sections,
        ]
        return report_html(
            desk_report(content.desk, task, whole, shown, sections, settings, stamps), run
        )
    if kind == "methods":
        return methods_latex(task, whole, stamps, shown) + settings_comment(settings)
    if kind == "latex":
        tables = []
        for board in [board for _, board in sliced] or [whole]:
            present = [info for info in shown if info in board.metrics]
            tables.append(board_latex(board, stamps, present, whole=not sliced))
        return b"\n".join(tables) + settings_comment(settings)
    if kind == "csv":
        return (
            slices_csv(sliced, stamps, settings) if sliced else board_csv(whole, stamps, settings)
        )
    return encode_json(
        slices_json(whole, sliced, stamps, settings)
        if sliced
        else board_json(whole, stamps, settings)
    )
