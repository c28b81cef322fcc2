"""`jurydesk rusteval RELEVANCE RESULT`: rusteval's own arguments and output."""

from __future__ import annotations

from pathlib import Path

import click

from jurydesk.core.cli.command import Command, Surroundings
from jurydesk.core.cli.console import say
from jurydesk.core.cli.drop_in import evaluated
from jurydesk.core.cli.exit_codes import DONE
from jurydesk.core.cli.parameters import PATH
from jurydesk.core.tasks.keyword_spotting.rusteval_output import rusteval_table


@click.pass_obj
def rusteval(surroundings: Surroundings, /, relevance: Path, result: Path) -> int:
    """Print what rusteval prints."""
    inputs = {"relevance": (relevance,), "results": (result,)}
    say(rusteval_table(evaluated(surroundings, inputs).items))
    return DONE


command = Command(
    "rusteval",
    callback=rusteval,
    params=[
        click.Argument(["relevance"], type=PATH, metavar="RELEVANCE"),
        click.Argument(["result"], type=PATH, metavar="RESULT"),
    ],
    help="Print what rusteval prints, for scripts that called it.",
)
