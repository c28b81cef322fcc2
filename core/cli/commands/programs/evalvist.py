"""Command `jurydesk evalvist -testFile FILE -gsFile FILE`: drop-in replacement of EvalVIST."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import click

from jurydesk.core.cli.command import CHUNKS, CliCommand, CommandContext
from jurydesk.core.cli.parameters import file_option
from jurydesk.core.cli.running import open_run
from jurydesk.core.tasks.vist import evalvist_program as program


@click.pass_obj
def evalvist(
    context: CommandContext, /, test_file: Path, gold_file: Path, template: Path | None
) -> int:
    """Print the output of EvalVIST; its own line reports the first error even with `--quiet`."""
    diagnostics = io.StringIO() if context.quiet else sys.stderr
    with open_run(context) as run:
        return program.evalvist_main(test_file, gold_file, sys.stdout, diagnostics, run, template)


command = CliCommand(
    "evalvist",
    callback=evalvist,
    uses=CHUNKS,
    params=[
        file_option("-testFile", "test_file", required=True, help="The submission."),
        file_option("-gsFile", "gold_file", required=True, help="The human stories."),
        file_option(
            "--template",
            metavar="FILE",
            help="The challenge's template; if not given, it is searched for in the working folder "
            "and beside the files.",
        ),
    ],
    help="Print what EvalVIST prints, for scripts that called it.",
)
