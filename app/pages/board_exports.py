"""What the Board page writes to files: tables with stamps, a report, a picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QIODevice

from app.jobs import Tell
from app.pages.page import Export
from core.paths import write_atomically

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

    from core.board import Board
    from core.desk import Desk
    from core.model import MetricInfo
    from core.run.run import Run
    from core.tasks.registry import AnyTask


def board_exports(
    desk: Desk,
    task: AnyTask,
    board: Board,
    shown: Sequence[MetricInfo],
    picture: Callable[[], QImage],
) -> tuple[Export, ...]:
    """All that can be made of a board; `shown` are the metrics that have a column on the page."""
    return (
        Export("Report as HTML …", "*.html", partial(write_report, desk, task, board, shown), True),
        Export("Board as CSV …", "*.csv", partial(write_csv, desk, board)),
        Export("Board as JSON …", "*.json", partial(write_json, desk, board)),
        Export("Board as LaTeX …", "*.tex", partial(write_latex, desk, board, shown)),
        Export("Board as picture …", "*.png", partial(write_picture, picture)),
    )


def write_report(
    desk: Desk,
    task: AnyTask,
    board: Board,
    shown: Sequence[MetricInfo],
    path: Path,
    run: Run,
    tell: Tell,
) -> None:
    """The report: board, plots and items as one page."""
    from core.export.report import desk_report, report_html

    write_atomically(path, report_html(desk_report(desk, task, board, shown), run))


def write_csv(desk: Desk, board: Board, path: Path) -> None:
    """The board in full precision."""
    from core.desk.stamps import stamps
    from core.export.boards import board_csv

    write_atomically(path, board_csv(board, stamps(desk)))


def write_json(desk: Desk, board: Board, path: Path) -> None:
    """The board with every test."""
    from core.desk.stamps import stamps
    from core.export.boards import board_json
    from core.export.results import encoded

    write_atomically(path, encoded(board_json(board, stamps(desk))))


def write_latex(desk: Desk, board: Board, shown: Sequence[MetricInfo], path: Path) -> None:
    """The columns in sight as a table for a paper."""
    from core.desk.stamps import stamps
    from core.export.board_latex import board_latex

    write_atomically(path, board_latex(board, stamps(desk), shown))


def write_picture(picture: Callable[[], QImage], path: Path) -> None:
    """The table as it is shown."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    picture().save(buffer, "PNG")
    write_atomically(path, bytes(buffer.data().data()))
