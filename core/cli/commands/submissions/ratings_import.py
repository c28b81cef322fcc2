"""Command `jurydesk ratings import`: ratings from another program's table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from jurydesk.core.cli.command import CliCommand, CommandContext
from jurydesk.core.cli.console import print_result
from jurydesk.core.cli.exit_codes import DONE, INPUT_ERRORS
from jurydesk.core.cli.parameters import PATH, file_option
from jurydesk.core.cli.running import open_run
from jurydesk.core.language import counted, fill, translate_text
from jurydesk.core.system.paths import absolute_path


@click.pass_obj
def import_command(
    context: CommandContext, /, desk: Path, table: Path, span: tuple[float, float], **given: Any
) -> int:
    """Read a table of ratings into a desk."""
    from jurydesk.core.human_evaluation.imported.ratings_options import RatingsOptions
    from jurydesk.core.workflow.imported_ratings import import_ratings

    options = RatingsOptions(**given, scale=span)
    with open_run(context) as run:
        done = import_ratings(desk, absolute_path(table), options, run)
    context.report(done.defects)
    if done.ratings is None:
        return INPUT_ERRORS
    study = done.ratings.plan.study
    found = fill(
        "Imported: {ratings} of {items} and {systems} by {raters}.",
        counted(done.ratings.ratings, "rating"),
        counted(len(study.pool.items), *study.words.item),
        counted(len(study.pool.systems), "system"),
        counted(len(study.raters) - len(study.judges), "rater"),
    )
    print_result(translate_text(found))
    if study.judges:
        beside = fill(
            "{programs} judged beside them; ranks leave that out.",
            counted(len(study.judges), "program"),
        )
        print_result(translate_text(beside))
    context.remark("No rater signed these ratings: boards and exports say so.")
    return DONE


def _column(name: str, help: str, *, many: bool = False) -> click.Option:
    """Return an option that names a column of the table, or several."""
    default: Any = () if many else ""
    return click.Option([f"--{name}"], multiple=many, default=default, metavar="COLUMN", help=help)


def import_parameters() -> list[click.Parameter]:
    """Return the parameters of `ratings import`."""
    return [
        file_option("--desk", required=True, help="The desk; it is created if there is none."),
        click.Argument(["table"], type=PATH, metavar="TABLE"),
        _column("rater", "Column of the raters."),
        _column("item", "Column of the items."),
        _column("system", "Column of the system, or of each that is compared.", many=True),
        _column("statement", "Column of the statements."),
        _column("value", "Columns of the answers.", many=True),
        click.Option(
            ["order", "--order"], multiple=True, metavar="WORD",
            help="Words of the answers from the lowest.",
        ),
        click.Option(
            ["span", "--scale"], type=float, nargs=2, default=None, metavar="LOW HIGH",
            help="Lowest and highest number of the scale.",
        ),
        click.Option(
            ["programs", "--program"], multiple=True, metavar="RATER",
            help="Rater that is a program, not a person.",
        ),
        click.Option(
            ["lower", "--lower"], multiple=True, metavar="STATEMENT",
            help="Statement by which less is better.",
        ),
        click.Option(
            ["title", "--title"], default="", metavar="FORM",
            help="Form of a question's title, with item, system and statement in braces.",
        ),
        click.Option(
            ["map", "--map"], default="auto", metavar="NAME",
            help="Program that wrote the table; none takes the columns as they are.",
        ),
    ]  # fmt: skip


command = CliCommand(
    "import",
    callback=import_command,
    params=import_parameters(),
    help="Read ratings that another program collected.",
)
