"""Command `jurydesk open FILE`: open a desk or a packet in the window."""

from __future__ import annotations

from pathlib import Path

import click

from jurydesk.core.cli.command import CliCommand, CommandContext
from jurydesk.core.cli.exit_codes import INPUT_ERRORS, CommandError
from jurydesk.core.cli.parameters import PATH
from jurydesk.core.desk import Desk
from jurydesk.core.language import fill

PACKET_SUFFIX = ".jurypacket"


@click.pass_obj
def open_desk(context: CommandContext, /, desk: Path) -> int:
    """Show a desk or a packet until its window is closed; refuse other files."""
    if desk.suffix.lower() != PACKET_SUFFIX:
        Desk.open(desk, read_only=True).close()
    elif not desk.is_file():
        raise CommandError(fill("{desk} does not exist or is not a file.", desk), INPUT_ERRORS)
    if context.open_window is None:
        raise CommandError("This program has no window: start `jurydesk` instead.")
    return context.open_window(desk)


command = CliCommand(
    "open",
    callback=open_desk,
    params=[click.Argument(["desk"], type=PATH, metavar="FILE")],
    help="Open a desk in the window, or a packet in the rating page.\n\n"
    "FILE is a desk (.jurydesk) or a packet of stories to rate (.jurypacket).",
)
