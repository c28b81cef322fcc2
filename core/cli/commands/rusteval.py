"""`jurydesk rusteval RELEVANCE RESULT`: rusteval's own arguments and output."""

from __future__ import annotations

from pathlib import Path

import click

from core.cli.command import Command, Surroundings
from core.cli.console import say
from core.cli.drop_in import evaluated
from core.cli.faults import DONE
from core.cli.parameters import PATH
from core.tasks.keyword_spotting.printout import rusteval_table


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
