"""`jurydesk evalvist -testFile FILE -gsFile FILE`: EvalVIST's own arguments and output."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import click

from jurydesk.core.cli.command import CliCommand, CommandContext
from jurydesk.core.cli.parameters import file_option
from jurydesk.core.cli.running import open_run
from jurydesk.core.tasks.vist import evalvist_program as program


@click.pass_obj
def evalvist(
    surroundings: CommandContext, /, test_file: Path, gold_file: Path, template: Path | None
) -> int:
    """Print what EvalVIST prints; its own line tells the first error even when quiet."""
    diagnostics = io.StringIO() if surroundings.quiet else sys.stderr
    with open_run(surroundings) as run:
        return program.evalvist_main(test_file, gold_file, sys.stdout, diagnostics, run, template)


command = CliCommand(
    "evalvist",
    callback=evalvist,
    params=[
        file_option("-testFile", "test_file", required=True, help="The submission."),
        file_option("-gsFile", "gold_file", required=True, help="The human stories."),
        file_option(
            "--template",
            metavar="FILE",
            help="The challenge's template; else it is looked for in the working folder and beside "
            "the files.",
        ),
    ],
    help="Print what EvalVIST prints, for scripts that called it.",
)
