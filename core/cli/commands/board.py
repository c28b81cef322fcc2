"""`jurydesk board FILE.jurydesk`: the systems of a desk, the best first."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from core.board import Board
from core.board import board as board_of
from core.cli.board_text import board_lines, chosen_metrics
from core.cli.command import Command, Surroundings
from core.cli.console import say
from core.cli.faults import DONE, INPUT_ERRORS, Fault, require_writable
from core.cli.output import is_standard_output, json_option, write_bytes
from core.cli.parameters import PATH
from core.cli.running import running
from core.contest import separations
from core.desk import Desk
from core.desk.stamps import stamps
from core.export.board_latex import board_latex
from core.export.boards import board_csv, board_json
from core.export.report import desk_report, report_html
from core.export.results import encoded
from core.rating.board import with_ratings
from core.tasks.registry import AnyTask, registry

if TYPE_CHECKING:
    from core.model import MetricInfo
    from core.run.run import Run


@click.pass_obj
def print_board(
    surroundings: Surroundings, /, desk: Path, metric: tuple[str, ...], **targets: Path | None
) -> int:
    """Print the board of a desk, and write it wherever that is asked for."""
    for option, target in targets.items():
        require_writable(target, f"--{option}")
    with running(surroundings) as run, Desk.open(desk, read_only=True) as opened:
        task = task_of(opened, desk)
        board = read_board(opened, task, run)
        shown = chosen_metrics(board, metric) if metric else ()
        written = [
            (target, content(option, opened, task, board, shown, run))
            for option, target in targets.items()
            if target is not None
        ]
    for target, data in written:
        write_bytes(target, data)
    if not any(map(is_standard_output, targets.values())):
        for line in board_lines(board, metric):
            say(line)
    return DONE


def content(
    option: str,
    desk: Desk,
    task: AnyTask,
    board: Board,
    shown: Sequence[MetricInfo],
    run: Run,
) -> bytes:
    """What `--csv`, `--json`, `--latex` or `--html` writes."""
    if option == "html":
        return report_html(desk_report(desk, task, board, shown), run)
    if option == "latex":
        return board_latex(board, stamps(desk), shown)
    if option == "csv":
        return board_csv(board, stamps(desk))
    return encoded(board_json(board, stamps(desk)))


def read_board(desk: Desk, task: AnyTask, run: Run) -> Board:
    """The board of a desk, with the ratings by people where it holds some."""
    summaries = desk.evaluations()
    apart = separations(desk, task, summaries, run)
    return board_of(*with_ratings(task, summaries, desk), apart)


def task_of(desk: Desk, path: Path) -> AnyTask:
    """The competition of a desk; a Fault where it holds none that is known here."""
    competition = desk.competition
    if competition is None:
        raise Fault(f"{path} holds no competition yet.", INPUT_ERRORS)
    task = registry().tasks.get(competition.task_id)
    if task is None:
        raise Fault(
            f"{path} holds the competition {competition.task_id!r}, which this installation "
            "does not have: install the package that adds it.",
            INPUT_ERRORS,
        )
    return task


def target_option(name: str, what: str) -> click.Option:
    """`--latex FILE` and its like."""
    return click.Option([f"--{name}"], type=PATH, metavar="FILE", help=f"Write {what}.")


def parameters() -> list[Any]:
    """The arguments of the command."""
    return [
        click.Argument(["desk"], type=PATH, metavar="FILE.jurydesk"),
        click.Option(
            ["--metric"],
            multiple=True,
            metavar="NAME",
            help="Print only these metrics; a LaTeX table and a report show these first.",
        ),
        target_option("latex", "the board as a LaTeX table"),
        target_option("csv", "the board as CSV, in full precision"),
        target_option("html", "a report: board, plots and items as one page for any browser"),
        json_option(),
    ]


command = Command(
    "board",
    callback=print_board,
    params=parameters(),
    help="Print the board of a desk: its systems, the best first.\n\n"
    "Every file that it writes holds the stamps of its numbers, which `jurydesk verify` reads.",
)
