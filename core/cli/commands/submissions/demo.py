"""Command `jurydesk demo [TASK]`: score an example competition and show it."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from jurydesk.core.analysis.leaderboard import make_leaderboard
from jurydesk.core.cli.command import COMPUTING, CliCommand, CommandContext, suggest_command
from jurydesk.core.cli.console import print_result
from jurydesk.core.cli.exit_codes import (
    DONE,
    INPUT_ERRORS,
    NO_RESOURCE,
    CommandError,
    output_errors,
)
from jurydesk.core.cli.parameters import file_option, flag
from jurydesk.core.cli.result_files import create_target_desk
from jurydesk.core.cli.running import open_run
from jurydesk.core.cli.text.leaderboard_text import board_lines
from jurydesk.core.competition.examples import (
    copied_folder,
    copy_example,
    example_folder,
    example_inputs,
    example_options,
    example_title,
)
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.desk import summarize
from jurydesk.core.language import Message, fill, translate, translate_text
from jurydesk.core.system.paths import data_folder
from jurydesk.core.workflow.files import explicit_files
from jurydesk.core.workflow.score import CompetitionFiles, score_competition


@click.pass_obj
def demo_command(
    context: CommandContext, /, task: str | None, folder: Path | None, text: bool
) -> int:
    """Score the examples into desks, print their boards, and open the first one."""
    target = folder or data_folder() / "examples"
    chosen = example_tasks(task)
    desks = [write_desk(one, copied_folder(one, target), context) for one in chosen]
    if context.open_window is not None and is_display_available() and not text:
        return context.open_window(desks[0])
    return DONE


def example_tasks(name: str | None) -> list[AnyTask]:
    """Return the competition of that id, or all that have an example."""
    tasks = registry().tasks
    available = {key: task for key, task in tasks.items() if example_folder(task) is not None}
    if not available:
        raise CommandError("This installation has no example competitions.", NO_RESOURCE)
    if name is None:
        return list(available.values())
    if name not in available:
        advice = suggest_command(name, list(available))
        refusal = translate('There is no example competition "{name}".', name=name)
        raise CommandError(f"{refusal} {advice}")
    return [available[name]]


def write_desk(task: AnyTask, folder: Path, context: CommandContext) -> Path:
    """Copy an example to a folder, score it into a desk there, and print its board."""
    with output_errors(folder):
        copy_example(task, folder)
    path = folder / f"{task.id}.jurydesk"
    inputs, options = example_inputs(task, folder), example_options(task, folder)
    title = example_title(folder)
    competition = CompetitionFiles(path, task, explicit_files(task, inputs), options)
    with create_target_desk(path, task, options, title), open_run(context) as run:
        outcome = score_competition(competition, run)
    result = outcome.result
    context.report(outcome.defects)
    if not result.evaluations:
        raise CommandError(
            fill("The example of {title} cannot be scored.", Message(task.title)), INPUT_ERRORS
        )
    refused = [entry.system for entry in result.entries if entry.evaluation is None]
    if refused:
        context.remark(fill("Not scored because of errors: {join}.", ", ".join(refused)))
    board = make_leaderboard(task, [summarize(one) for one in result.evaluations])
    lines = board_lines(board)
    print_demo_board(title or translate_text(task.title), path, lines)
    return path


def print_demo_board(title: str, path: Path, lines: Sequence[str]) -> None:
    """Print the board under the competition's title and the path of the desk."""
    for line in (title, str(path), "", *lines, ""):
        print_result(line)


command = CliCommand(
    "demo",
    callback=demo_command,
    uses=COMPUTING,
    params=[
        click.Argument(["task"], required=False, metavar="[TASK]"),
        file_option(
            "--folder",
            metavar="FOLDER",
            help="Folder for the example; the user's data folder if not given.",
        ),
        flag("--text", help="Print the board without opening the window."),
    ],
    help="Score the example competition into a desk and open it.\n\n"
    "Without TASK, every example is scored and the first one opened. Without a display, the boards "
    "are only printed.",
)


DISPLAY_VARIABLES = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
"""Linux variables of which one must be set to show a window; otherwise Qt aborts."""


def is_display_available() -> bool:
    """Return whether there is a display for a window."""
    if not sys.platform.startswith("linux"):
        return True
    return any(os.environ.get(name) for name in DISPLAY_VARIABLES)
