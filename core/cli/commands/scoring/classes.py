"""Command `jurydesk classes FILE.jurydesk`: print the figures that have classes as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import click

from jurydesk.core.analysis.class_values import ClassValues, class_columns, class_values
from jurydesk.core.analysis.leaderboard import make_leaderboard
from jurydesk.core.cli.command import CliCommand, CommandContext
from jurydesk.core.cli.desk_work import chosen_profile, desk_argument, desk_work, reveal_option
from jurydesk.core.language import translate, translate_text
from jurydesk.core.tables.text_table import text_table


@click.pass_obj
def print_classes(context: CommandContext, /, profile: str, **values: Any) -> int:
    """Print a table for each figure with classes, of the systems that the board sets together."""
    with desk_work(context, values) as work:
        shown = chosen_profile(work.desk, work.task, profile)
        summaries = [one for one in work.desk.evaluations() if one.profile == shown]
        rows = make_leaderboard(work.task, summaries).rows
        load = work.task.readers.load_evidence
        found = class_values([work.desk.load(row.summary.id, load) for row in rows])
    return work.deliver(class_lines(found))


def class_lines(found: Sequence[ClassValues]) -> Iterator[str]:
    """Yield the tables with their titles."""
    if not found:
        yield translate("The results have no figure with classes.")
    for number, one in enumerate(found):
        if number:
            yield ""
        yield f"{translate_text(one.title)} ({translate_text(one.axis)})"
        named = (replace(column, name=column.title) for column in class_columns(one))
        yield from text_table(named)


command = CliCommand(
    "classes",
    callback=print_classes,
    params=[
        desk_argument(),
        click.Option(["--profile"], default="", metavar="NAME", help="The profile to print."),
        reveal_option(),
    ],
    help="Print what figures show by class, a column for each system: the same lists under other "
    "rules, what each kind of error costs, the mean of each type of question.\n\nThe last column "
    "says where the order of the systems differs from the board's.",
)
