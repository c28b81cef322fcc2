"""Robustness in exports: a report section, ranks as CSV and LaTeX, and JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Literal, get_args

from jurydesk.core.analysis.robustness import Robustness, assess_robustness, robustness_sentences
from jurydesk.core.export.export_settings import ExportOrigin, desk_origin
from jurydesk.core.export.html_report.report import ReportSection
from jurydesk.core.export.html_report.report_table import text_table
from jurydesk.core.export.results_json import encode_json
from jurydesk.core.export.stamps_export import origin_comments
from jurydesk.core.language import translatable
from jurydesk.core.model.evaluation import Json
from jurydesk.core.tables.latex_table import escape_latex
from jurydesk.core.tables.table_file import csv_text, escape_formula

if TYPE_CHECKING:
    from jurydesk.core.analysis.leaderboard import Leaderboard
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.desk import Desk
    from jurydesk.core.execution.run import Run
    from jurydesk.core.statistics.inference import Inference

RobustnessFormat = Literal["robustness json", "robustness csv", "robustness latex"]
ROBUSTNESS_FORMATS: tuple[RobustnessFormat, ...] = get_args(RobustnessFormat)
TITLE = translatable("Under other choices")


def robustness_heads(found: Robustness) -> list[str]:
    """Return the heads of the table: the board, then every choice that changes the order."""
    heads = (translatable("system"), translatable("board"))
    return [*heads, *(one.title for one in found.changing)]


def robustness_rows(found: Robustness) -> list[list[str]]:
    """Return the places of every system under those choices."""
    return [
        [system, str(place), *(one.places(row) for one in found.changing)]
        for row, (system, place) in enumerate(zip(found.systems, found.places, strict=True))
    ]


def robustness_sections(
    desk: Desk, task: AnyTask, board: Leaderboard, run: Run, *, marked: bool
) -> list[ReportSection]:
    """Return the report section of a board, with all choices that need no scoring.

    It is empty without a ranking. If it is `marked` it says why the numbers are not reliable, if
    so. Raises Cancelled.
    """
    if not board.rows:
        return []
    found = assess_robustness(desk, task, board.rows[0].summary.profile, run, rescoring=False)
    if found is None or not found.alternatives:
        return []
    if not marked:
        found = replace(found, metric=replace(found.metric, doubt=""))
    text = " ".join(robustness_sentences(found))
    table = text_table(robustness_heads(found), robustness_rows(found), TITLE)
    return [ReportSection(TITLE, text, table)]


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
        *(kind, desk, task.id, desk.evaluations(), inference),
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


CSV_HEAD = (
    *("metric", "profile", "choice", "cases", "cases_with_another_order"),
    *("system", "board", "best_rank", "worst_rank"),
)


def robustness_csv(found: Robustness, origin: ExportOrigin) -> bytes:
    """Return a row per choice and system: the best and the worst rank over the choice's cases.

    The first row has the origin.
    """
    cells = origin.cells()
    rows: list[Sequence[object]] = [(*CSV_HEAD, *cells)]
    first, rest = list(cells.values()), [""] * len(cells)
    for one in found.alternatives:
        choice = (found.metric.name, found.profile, one.title, one.cases, one.changed)
        for row, (system, place) in enumerate(zip(found.systems, found.places, strict=True)):
            shown = escape_formula(" ".join(system.split()))
            ranks = (place, one.best[row], one.worst[row])
            rows.append((*choice, shown, *ranks, *(rest if len(rows) > 1 else first)))
    return csv_text(rows)


def robustness_latex(found: Robustness) -> bytes:
    """Return a `tabular` of the ranks on the board and under every choice that changes an order."""
    heads = [escape_latex(head) for head in robustness_heads(found)]
    rows = [
        [escape_latex(cell).replace("–", "--") for cell in row] for row in robustness_rows(found)
    ]
    lines = [
        "% \\usepackage{booktabs}",
        *(f"% {' '.join(line.split())}" for line in robustness_sentences(found)),
        f"\\begin{{tabular}}{{@{{}}l{'r' * (len(heads) - 1)}@{{}}}}",
        "\\toprule",
        " & ".join(heads) + " \\\\",
        "\\midrule",
        *(" & ".join(row) + " \\\\" for row in rows),
        "\\bottomrule",
        "\\end{tabular}",
    ]
    return "\n".join([*lines, ""]).encode("utf-8", errors="backslashreplace")
