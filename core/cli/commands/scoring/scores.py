"""Command `jurydesk scores hide|open FILE.jurydesk`: hide scores until the organiser opens them."""

from __future__ import annotations

from pathlib import Path

import click

from jurydesk.core.cli.command import CliCommand, CommandContext, SuggestingGroup
from jurydesk.core.cli.console import print_result
from jurydesk.core.cli.desk_work import desk_argument, format_time
from jurydesk.core.cli.exit_codes import DONE
from jurydesk.core.desk import Desk
from jurydesk.core.desk.hidden_scores import (
    hidden_since,
    hide_scores,
    open_scores,
    visibility_events,
)
from jurydesk.core.language import translate, translate_text


@click.pass_obj
def hide_command(context: CommandContext, /, desk: Path) -> int:
    """Hide the scores of a desk."""
    with Desk.open(desk) as opened:
        hide_scores(opened)
        since = format_time(hidden_since(opened))
        print_result(
            translate(
                "The scores in {desk} have been hidden since {time}.", desk=desk.name, time=since
            )
        )
    context.remark("They are hidden, not encrypted: the file still contains them.")
    return DONE


@click.pass_obj
def open_command(context: CommandContext, /, desk: Path) -> int:
    """Show the scores of a desk again."""
    with Desk.open(desk) as opened:
        open_scores(opened)
        for event in visibility_events(opened):
            print_result(f"{format_time(event.at)}  {translate_text(event.what)}")
    return DONE


command = SuggestingGroup(
    "scores",
    commands=[
        CliCommand(
            "hide",
            callback=hide_command,
            params=[desk_argument()],
            help="Hide a desk's scores in boards, pages, exports and comparisons.",
        ),
        CliCommand(
            "open",
            callback=open_command,
            params=[desk_argument()],
            help="Open a desk's scores, and list when they were hidden and opened.",
        ),
    ],
    help="Hide a desk's scores until they are opened.",
)
