"""Command `jurydesk items FILE.jurydesk`: list the items that may have a wrong reference."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import click

from jurydesk.core.analysis.equal_rules import left_out_sentences
from jurydesk.core.analysis.significance.item_discrimination import (
    ItemDiscrimination,
    assess_items,
)
from jurydesk.core.analysis.significance.suspect_table import item_sentences, suspect_table
from jurydesk.core.cli.command import CliCommand, CommandContext
from jurydesk.core.cli.desk_work import (
    chosen_profile,
    desk_argument,
    desk_work,
    inference_options,
    reveal_option,
)
from jurydesk.core.cli.exit_codes import INPUT_ERRORS, CommandError
from jurydesk.core.cli.output import json_option, target_option
from jurydesk.core.export.discrimination_export import (
    SHOWN_SUSPECTS,
    DiscriminationFormat,
    discrimination_file,
    discrimination_origin,
)
from jurydesk.core.language import fill, join_messages, translate, translate_text
from jurydesk.core.tables.text_table import text_table


@click.pass_obj
def print_items(context: CommandContext, /, profile: str, **values: Any) -> int:
    """Print the suspects of a wrong reference, and write all items if requested."""
    desk: Path = values["desk"]
    with desk_work(context, values) as work:
        opened, task, inference = work.desk, work.task, work.inference
        shown = chosen_profile(opened, task, profile)
        found = assess_items(opened, task, shown, work.run, inference)
        left_out = left_out_sentences(task, opened.evaluations(), shown)
        if found is None:
            few = fill("{desk} has fewer than two systems with values by item.", desk)
            raise CommandError(join_messages([few, *left_out]), INPUT_ERRORS)

        def content(format: str) -> bytes:
            kind = cast("DiscriminationFormat", f"discrimination {format}")
            origin = discrimination_origin(kind, opened, task, found, inference)
            return discrimination_file(kind, found, origin)

        work.export(content)
    return work.deliver([*item_lines(found), *map(translate_text, left_out)])


def item_lines(found: ItemDiscrimination) -> list[str]:
    """Format the sentences and the first suspects."""
    lines = [translate_text(one) for one in item_sentences(found)]
    if found.suspects:
        lines += ["", *text_table(suspect_table(found, SHOWN_SUSPECTS))]
    rest = len(found.suspects) - SHOWN_SUSPECTS
    if rest > 0:
        lines.append(translate("{rest:,} more; --csv FILE writes all items.", rest=rest))
    return lines


command = CliCommand(
    "items",
    callback=print_items,
    params=[
        desk_argument(),
        click.Option(
            ["--profile"], default="", metavar="NAME", help="Use the systems of this profile."
        ),
        inference_options()[0],
        json_option(),
        target_option("--csv", help="Write all items with their discrimination as CSV."),
        reveal_option(),
    ],
    help="List the items that may have a wrong reference: those that no system gets right, that "
    "disagree with the ranking, or that a weak system alone gets right.\n\nDiscrimination is the "
    "correlation over the systems of an item with the others, from six systems on.",
)
