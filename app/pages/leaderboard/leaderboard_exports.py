"""Exports of the Board page: tables with stamps, a report, a picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QIODevice

from jurydesk.app.commands.export_notice import Export
from jurydesk.app.jobs.job import Tell
from jurydesk.core.system.paths import write_atomically

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

    from jurydesk.core.analysis.leaderboard import Leaderboard
    from jurydesk.core.analysis.slices import ItemSlice
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.desk import Desk
    from jurydesk.core.execution.run import Run
    from jurydesk.core.model.evaluation import MetricInfo


TITLE = "Ranks under other choices"


@dataclass(frozen=True, slots=True, eq=False)
class ExportedBoards:
    """Boards to export: the visible one with its metrics, and the whole board of a slice."""

    desk: Desk
    task: AnyTask
    board: Leaderboard
    shown: Sequence[MetricInfo]
    whole: Leaderboard | None
    slice: ItemSlice | None


def board_exports(parts: ExportedBoards, picture: Callable[[], QImage]) -> tuple[Export, ...]:
    """Return all exports of a board."""
    return (
        Export("Report as HTML …", "*.html", partial(write_report, parts), slow=True),
        Export("Board as CSV …", "*.csv", partial(write_csv, parts)),
        Export("Board as JSON …", "*.json", partial(write_json, parts)),
        Export("Board as LaTeX …", "*.tex", partial(write_latex, parts)),
        Export("Methods for a paper …", "*.tex", partial(write_methods, parts)),
        Export(f"{TITLE} as CSV …", "*.csv", partial(write_robustness, parts, "csv"), slow=True),
        Export(f"{TITLE} as LaTeX …", "*.tex", partial(write_robustness, parts, "tex"), slow=True),
        Export("Board as PNG …", "*.png", partial(write_picture, picture)),
    )


def write_report(parts: ExportedBoards, path: Path, run: Run, tell: Tell) -> None:
    """Write the HTML report: board, slice, plots and items."""
    from jurydesk.core.errata.errata_export import errata_sections
    from jurydesk.core.errata.errata_record import load_errata
    from jurydesk.core.export.html_report.report import desk_report, report_html
    from jurydesk.core.export.robustness import robustness_sections
    from jurydesk.core.export.slices_export import slice_sections

    sliced = [] if parts.slice is None else [(parts.slice, parts.board)]
    errata = load_errata(parts.desk, parts.task)
    board = parts.whole or parts.board
    sections = [
        *slice_sections(sliced, parts.shown),
        *robustness_sections(parts.desk, parts.task, board, run),
        *errata_sections(errata),
    ]
    report = desk_report(parts.desk, parts.task, board, parts.shown, sections)
    write_atomically(path, report_html(report, run))


def write_csv(parts: ExportedBoards, path: Path) -> None:
    """Write the board with full precision."""
    from jurydesk.core.desk.item_queries import load_stamps
    from jurydesk.core.export.leaderboard_export import board_csv
    from jurydesk.core.export.slices_export import slices_csv

    made = load_stamps(parts.desk)
    if parts.slice is None:
        write_atomically(path, board_csv(parts.board, made))
    else:
        write_atomically(path, slices_csv([(parts.slice, parts.board)], made))


def write_json(parts: ExportedBoards, path: Path) -> None:
    """Write the board with every test."""
    from jurydesk.core.desk.item_queries import load_stamps
    from jurydesk.core.export.leaderboard_export import board_json
    from jurydesk.core.export.results_json import encode_json
    from jurydesk.core.export.slices_export import slices_json

    made = load_stamps(parts.desk)
    if parts.slice is None:
        write_atomically(path, encode_json(board_json(parts.board, made)))
    else:
        sliced = [(parts.slice, parts.board)]
        write_atomically(path, encode_json(slices_json(parts.whole or parts.board, sliced, made)))


def write_latex(parts: ExportedBoards, path: Path) -> None:
    """Write the visible columns as a LaTeX table."""
    from jurydesk.core.desk.item_queries import load_stamps
    from jurydesk.core.export.leaderboard_latex import board_latex

    write_atomically(path, board_latex(parts.board, load_stamps(parts.desk), parts.shown))


def write_methods(parts: ExportedBoards, path: Path) -> None:
    """Write the methods paragraph as LaTeX, with its BibTeX."""
    from jurydesk.core.desk.item_queries import load_stamps
    from jurydesk.core.export.methods import methods_latex

    content = methods_latex(parts.task, parts.board, load_stamps(parts.desk), parts.shown)
    write_atomically(path, content)


def write_robustness(parts: ExportedBoards, kind: str, path: Path, run: Run, tell: Tell) -> None:
    """The ranks of all systems under every choice that needs no scoring, as `csv` or `tex`.

    Raises UsageError where fewer than two systems have a score.
    """
    from jurydesk.core.analysis.robustness import assess_robustness
    from jurydesk.core.export.robustness import robustness_csv, robustness_latex
    from jurydesk.core.model.evaluation import UsageError

    board = parts.whole or parts.board
    profile = board.rows[0].summary.profile
    found = assess_robustness(parts.desk, parts.task, profile, run, rescoring=False)
    if found is None:
        raise UsageError("Fewer than two systems have a score, so there is no order.")
    write_atomically(path, (robustness_csv if kind == "csv" else robustness_latex)(found))


def write_picture(picture: Callable[[], QImage], path: Path) -> None:
    """Write the table as a PNG image."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    picture().save(buffer, "PNG")  # type: ignore[call-overload]  # the stubs ask for bytes, Qt for str
    write_atomically(path, bytes(buffer.data().data()))
