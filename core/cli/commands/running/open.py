"""`jurydesk open FILE`: look at a desk in the window, or rate a packet."""

from __future__ import annotations

from pathlib import Path

import click

from jurydesk.core.cli.command import CliCommand, CommandContext
from jurydesk.core.cli.exit_codes import INPUT_ERRORS, CommandError
from jurydesk.core.cli.parameters import PATH
from jurydesk.core.desk import Desk

PACKET = ".jurypacket"


@click.pass_obj
def open_desk(surroundings: CommandContext, /, desk: Path) -> int:
    """Show a desk or a packet until its window is closed; what is no desk is refused here."""
    if desk.suffix.lower() != PACKET:
        Desk.open(desk, read_only=True).close()
    elif not desk.is_file():
        raise CommandError(f"{desk} is not there, or is no file.", INPUT_ERRORS)
    if surroundings.open_window is None:
        raise CommandError("This installation has no window: start it as jurydesk.")
    return surroundings.open_window(desk)


command = CliCommand(
    "open",
    callback=open_desk,
    params=[click.Argument(["desk"], type=PATH, metavar="FILE")],
    help="Open a desk in the window, or a packet in the rating page.\n\n"
    "FILE is a desk (.jurydesk) or a packet of stories to rate (.jurypacket).",
)
