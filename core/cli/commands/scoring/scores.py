"""`jurydesk scores hide|open FILE.jurydesk`: scores that stay hidden until the organiser's word."""

from __future__ import annotations

from pathlib import Path

import click

from jurydesk.core.cli.command import Command, Suggesting, Surroundings
from jurydesk.core.cli.console import say
from jurydesk.core.cli.exit_codes import DONE
from jurydesk.core.cli.hidden_scores_notice import told
from jurydesk.core.cli.parameters import PATH
from jurydesk.core.desk import Desk
from jurydesk.core.desk.hidden_scores import events, hidden_since, hide_scores, open_scores


@click.pass_obj
def hide(surroundings: Surroundings, /, desk: Path) -> int:
    """Hide the scores from now on."""
    with Desk.open(desk) as opened:
        hide_scores(opened)
        say(f"{desk.name} hides its scores since {told(hidden_since(opened))}.")
    surroundings.remark("They are hidden, not encrypted: the file still holds them.")
    return DONE


@click.pass_obj
def reopen(surroundings: Surroundings, /, desk: Path) -> int:
    """Show the scores again."""
    with Desk.open(desk) as opened:
        open_scores(opened)
        for event in events(opened):
            say(f"{told(event.at)}  {event.what}")
    return DONE


def desk_argument() -> click.Argument:
    """The desk."""
    return click.Argument(["desk"], type=PATH, metavar="FILE.jurydesk")


command = Suggesting(
    "scores",
    commands=[
        Command(
            "hide",
            callback=hide,
            params=[desk_argument()],
            help="Hide a desk's scores in boards, pages, exports and comparisons.",
        ),
        Command(
            "open",
            callback=reopen,
            params=[desk_argument()],
            help="Open a desk's scores, and say when they were hidden and opened.",
        ),
    ],
    help="Hide a desk's scores until they are opened.",
)
