"""Command `jurydesk rusteval RELEVANCE RESULT`: drop-in replacement of rusteval."""

from __future__ import annotations

from pathlib import Path

import click

from jurydesk.core.cli.command import CHUNKS, CliCommand, CommandContext
from jurydesk.core.cli.console import print_result
from jurydesk.core.cli.drop_in import evaluate_one
from jurydesk.core.cli.exit_codes import DONE
from jurydesk.core.cli.parameters import PATH
from jurydesk.core.tasks.keyword_spotting.rusteval_output import rusteval_table


@click.pass_obj
def rusteval(context: CommandContext, /, relevance: Path, result: Path) -> int:
    """Print the output of rusteval."""
    inputs = {"relevance": (relevance,), "results": (result,)}
    print_result(rusteval_table(evaluate_one(context, inputs).items))
    return DONE


command = CliCommand(
    "rusteval",
    callback=rusteval,
    uses=CHUNKS,
    params=[
        click.Argument(["relevance"], type=PATH, metavar="RELEVANCE"),
        click.Argument(["result"], type=PATH, metavar="RESULT"),
    ],
    help="Print what rusteval prints, for scripts that called it.",
)
