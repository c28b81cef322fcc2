"""Command `jurydesk scores hide|open|add FILE.jurydesk`: hide scores, or join those of a table."""

from __future__ import annotations

from pathlib import Path

import click

from jurydesk.core.cli.command import CliCommand, CommandContext, SuggestingGroup
from jurydesk.core.cli.console import print_result
from jurydesk.core.cli.desk_work import desk_argument, desk_task, format_time
from jurydesk.core.cli.exit_codes import DONE, INPUT_ERRORS
from jurydesk.core.cli.parameters import PATH
from jurydesk.core.cli.running import open_run
from jurydesk.core.desk import Desk
from jurydesk.core.desk.hidden_scores import (
    hidden_since,
    hide_scores,
    open_scores,
    visibility_events,
)
from jurydesk.core.language import counted, name_list, translate, translate_text
from jurydesk.core.system.paths import absolute_path


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


@click.pass_obj
def add_command(
    context: CommandContext,
    /,
    desk: Path,
    table: Path,
    system: str,
    item: str,
    score: tuple[str, ...],
    lower: tuple[str, ...],
) -> int:
    """Join the scores of a table to the results of a desk."""
    from jurydesk.core.tasks.table.table_options import TableOptions
    from jurydesk.core.workflow.added_scores import add_scores

    options = TableOptions(system=system, item=item, score=score, lower=lower)
    with Desk.open(desk) as opened, open_run(context) as run:
        found = add_scores(opened, desk_task(opened), absolute_path(table), options, run)
    context.report(found.defects)
    if not found.systems:
        return INPUT_ERRORS
    names = translate_text(name_list(list(found.metrics)))
    added = counted(len(found.systems), "system")
    print_result(
        translate("{metrics}: added to {systems}.", metrics=names, systems=translate_text(added))
    )
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
        CliCommand(
            "add",
            callback=add_command,
            params=[
                desk_argument(),
                click.Argument(["table"], type=PATH, metavar="TABLE"),
                click.Option(
                    ["--system"], default="", metavar="COLUMN", help="Column of the system."
                ),
                click.Option(["--item"], default="", metavar="COLUMN", help="Column of the item."),
                click.Option(
                    ["--score"],
                    multiple=True,
                    metavar="COLUMN",
                    help="Columns of scores, the ranking one first.",
                ),
                click.Option(
                    ["--lower"],
                    multiple=True,
                    metavar="NAME",
                    help="Scores of which less is better.",
                ),
            ],
            help="Join scores that another program computed, by system and item. They rank and are "
            "tested like others, and are marked as not recomputed.",
        ),
    ],
    help="Hide a desk's scores until they are opened, or add those of another program.",
)
