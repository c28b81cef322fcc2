"""`jurydesk board FILE.jurydesk`: the systems of a desk, the best first."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from core.board import Board
from core.board import board as board_of
from core.cli.board_text import board_lines
from core.cli.command import Command, Surroundings
from core.cli.console import say
from core.cli.faults import DONE, INPUT_ERRORS, Fault, require_writable
from core.cli.output import is_standard_output, json_option, write_bytes, write_json
from core.cli.parameters import PATH
from core.cli.running import running
from core.contest import separations
from core.desk import Desk
from core.export.board_page import board_html
from core.export.boards import board_csv, board_json, board_latex
from core.rating.board import with_ratings
from core.tasks.registry import AnyTask, registry

if TYPE_CHECKING:
    from core.run.run import Run

FORMATS: dict[str, Callable[[Board], bytes]] = {
    "latex": board_latex,
    "csv": board_csv,
    "html": board_html,
}


@click.pass_obj
def print_board(
    surroundings: Surroundings,
    /,
    desk: Path,
    metric: tuple[str, ...],
    json: Path | None,
    **targets: Path | None,
) -> int:
    """Print the board of a desk, and write it wherever that is asked for."""
    for option, target in {"json": json, **targets}.items():
        require_writable(target, f"--{option}")
    with running(surroundings) as run:
        board = read_board(desk, run)
    for option, target in targets.items():
        if target is not None:
            write_bytes(target, FORMATS[option](board))
    if json is not None:
        write_json(json, board_json(board))
    if not any(map(is_standard_output, (json, *targets.values()))):
        for line in board_lines(board, metric):
            say(line)
    return DONE


def read_board(path: Path, run: Run) -> Board:
    """The board of a desk file; a Fault where it holds no competition that is known here."""
    with Desk.open(path, read_only=True) as desk:
        task = task_of(desk, path)
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
        click.Option(["--metric"], multiple=True, metavar="NAME", help="Print only these metrics."),
        target_option("latex", "the board as a LaTeX table"),
        target_option("csv", "the board as CSV, in full precision"),
        target_option("html", "the board as a page of its own"),
        json_option(),
    ]


command = Command(
    "board",
    callback=print_board,
    params=parameters(),
    help="Print the board of a desk: its systems, the best first.",
)
