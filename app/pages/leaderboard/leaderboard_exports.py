"""Exports of the Board page: tables with stamps, a report, a picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QIODevice

from jurydesk.app.jobs.job import Notify
from jurydesk.app.widgets.page_export import Export
from jurydesk.core.language import translatable, translate
from jurydesk.core.system.paths import write_atomically

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

    from jurydesk.core.analysis.leaderboard import Leaderboard
    from jurydesk.core.analysis.slices import ItemSlice
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.desk import Desk
    from jurydesk.core.execution.run import Run
    from jurydesk.core.export.board_file import Format
    from jurydesk.core.export.robustness import RobustnessFormat
    from jurydesk.core.model.evaluation import MetricInfo


TITLE = translatable("Ranks under other choices")
PLATFORMS = {"codabench": "Codabench", "evalai": "EvalAI", "kaggle": "Kaggle"}
"""Titles of the platforms for which a competition can be written."""


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
    choices = partial(write_robustness, parts)
    return (
        Export(
            translate("Report as HTML …"), "*.html", partial(write_board, "html", parts), slow=True
        ),
        Export(translate("Board as CSV …"), "*.csv", partial(write_board, "csv", parts)),
        Export(translate("Board as JSON …"), "*.json", partial(write_board, "json", parts)),
        Export(translate("Board as LaTeX …"), "*.tex", partial(write_board, "latex", parts)),
        Export(translate("Methods for a paper …"), "*.tex", partial(write_board, "methods", parts)),
        Export(
            translate("Ranks under other choices as CSV …"),
            "*.csv",
            partial(choices, "robustness csv"),
            slow=True,
        ),
        Export(
            translate("Ranks under other choices as LaTeX …"),
            "*.tex",
            partial(choices, "robustness latex"),
            slow=True,
        ),
        Export(translate("Board as PNG …"), "*.png", partial(write_picture, picture)),
        *(
            Export(
                translate("Competition for {platform} …", platform=title),
                "*.zip",
                partial(write_package, key, parts),
                slow=True,
            )
            for key, title in PLATFORMS.items()
        ),
    )


def write_board(
    kind: Format,
    parts: ExportedBoards,
    path: Path,
    run: Run | None = None,
    notify: Notify | None = None,
) -> None:
    """Write the board in a format; a report has the board, the slice, plots and items."""
    from jurydesk.core.desk.inference_settings import load_inference
    from jurydesk.core.execution.run import Run
    from jurydesk.core.export.board_file import BoardContent, board_file, board_stamps
    from jurydesk.core.export.stamps_export import second_file
    from jurydesk.core.human_evaluation.design.study_store import ratings_source
    from jurydesk.core.workflow.errata.errata_export import errata_sections
    from jurydesk.core.workflow.errata.errata_record import load_errata

    desk, task = parts.desk, parts.task
    content = BoardContent(
        *(desk, task, parts.whole or parts.board, load_inference(desk)),
        [] if parts.slice is None else [(parts.slice, parts.board)],
        parts.shown,
        errata_sections(load_errata(desk, task)) if kind == "html" else (),
        ratings_source(desk),
    )
    write_atomically(path, board_file(kind, content, run or Run()))
    if kind == "csv":
        write_atomically(second_file(path), board_stamps(content))


def write_robustness(
    parts: ExportedBoards, kind: RobustnessFormat, path: Path, run: Run, notify: Notify
) -> None:
    """Write the ranks of all systems under every choice that needs no scoring.

    Raises UsageError where fewer than two systems have a reliable score.
    """
    from jurydesk.core.analysis.robustness.assessment import assess_robustness
    from jurydesk.core.desk.inference_settings import load_inference
    from jurydesk.core.export.robustness import robustness_file, robustness_origin
    from jurydesk.core.model.evaluation import UsageError

    board = parts.whole or parts.board
    profile = board.rows[0].summary.profile
    found = assess_robustness(parts.desk, parts.task, profile, run, rescoring=False)
    if found is None:
        raise UsageError("Fewer than two systems have a reliable score, so there is no order.")
    origin = robustness_origin(
        kind, parts.desk, parts.task, found, load_inference(parts.desk), rescoring=False
    )
    write_atomically(path, robustness_file(kind, found, origin))


def write_package(
    platform: str, parts: ExportedBoards, path: Path, run: Run, notify: Notify
) -> None:
    """Write the competition for a platform, after a dry run of its program.

    Raises UsageError with what the dry run found if it fails.
    """
    from jurydesk.core.export.platforms.package_source import PackageSettings
    from jurydesk.core.model.evaluation import UsageError
    from jurydesk.core.workflow.platform_package import PLATFORMS, make_package

    target = PLATFORMS[platform]
    package = make_package(parts.desk, parts.task, target, PackageSettings(), run)
    if package.dry_run.problem:
        raise UsageError(package.dry_run.problem)
    write_atomically(path, package.content)


def write_picture(picture: Callable[[], QImage], path: Path) -> None:
    """Write the table as a PNG image."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    picture().save(buffer, "PNG")  # type: ignore[call-overload]  # the stubs ask for bytes, Qt for str
    write_atomically(path, bytes(buffer.data().data()))
