"""`jurydesk competition new|check|zip FOLDER`: a competition in a folder, without a program."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from jurydesk.core.cli.command import CliCommand, CommandContext, SuggestingGroup
from jurydesk.core.cli.console import print_result
from jurydesk.core.cli.exit_codes import (
    DONE,
    INPUT_ERRORS,
    output_errors,
    require_writable,
)
from jurydesk.core.cli.parameters import PATH, file_option
from jurydesk.core.language import counted, name_list, translate, translate_text
from jurydesk.core.model.defects import has_errors
from jurydesk.core.tasks.declared.competition_folder import (
    check_folder,
    metric_of,
    outline_table,
    pack_folder,
    propose_declaration,
    write_competition,
)
from jurydesk.core.tasks.declared.declaration import DECLARATION


@click.pass_obj
def new_command(
    context: CommandContext,
    /,
    folder: Path,
    references: Path,
    title: str,
    item: str,
    column: tuple[str, ...],
    metric: tuple[str, ...],
) -> int:
    """Write the folder of a competition."""
    outline = outline_table(references)
    context.report(outline.defects)
    if outline.data is None:
        return INPUT_ERRORS
    shown = " ".join(title.split()) or folder.resolve().name
    declared = propose_declaration(outline.data, shown, column, item)
    if metric:
        chosen = tuple(metric_of(one, declared) for one in metric)
        declared = replace(declared, metrics=chosen)
    with output_errors(folder):
        write_competition(folder, declared, references)
    print_result(translate("Written: {path}.", path=folder / DECLARATION))
    return print_check(context, folder)


def print_check(context: CommandContext, folder: Path) -> int:
    """Print the defects of a folder, and what the competition is."""
    reading = check_folder(folder)
    context.report(reading.defects)
    if reading.data is None or has_errors(reading.defects):
        return INPUT_ERRORS
    found, declared = reading.data, reading.data.declared
    names = [declared.metric_name(one) for one in declared.metrics]
    print_result(
        translate(
            "{title}: {items}; metrics: {names}.",
            title=declared.title,
            items=translate_text(counted(len(found.ids), "item")),
            names=translate_text(name_list(names, 20)),
        )
    )
    return DONE


@click.pass_obj
def check_folder_command(context: CommandContext, /, folder: Path) -> int:
    """Check the folder of a competition."""
    return print_check(context, folder)


@click.pass_obj
def zip_command(context: CommandContext, /, folder: Path, out: Path) -> int:
    """Pack the folder of a competition that has no errors."""
    require_writable(out, "OUT")
    code = print_check(context, folder)
    if code != DONE:
        return code
    with output_errors(out):
        members = pack_folder(folder, out)
    shown = translate_text(name_list(list(members), 6))
    print_result(translate("Written: {path} with {names}.", path=out, names=shown))
    return DONE


def _folder() -> click.Argument:
    return click.Argument(["folder"], type=PATH, metavar="FOLDER")


command = SuggestingGroup(
    "competition",
    commands=[
        CliCommand(
            "new",
            callback=new_command,
            params=[
                _folder(),
                file_option(
                    "--references", required=True, help="A table with a row for each item."
                ),
                click.Option(["--title"], default="", metavar="NAME", help="Its title."),
                click.Option(
                    ["--item"], default="", metavar="COLUMN", help="Column that names the items."
                ),
                click.Option(
                    ["--column"],
                    multiple=True,
                    metavar="COLUMN",
                    help="Columns of true values, which results have under the same name.",
                ),
                click.Option(
                    ["--metric"],
                    multiple=True,
                    metavar="[COLUMN.]MEASURE",
                    help="Metrics of the list in the manual, the ranking one first.",
                ),
            ],
            help="Write competition.toml for a table of references, to be changed in any editor.",
        ),
        CliCommand(
            "check",
            callback=check_folder_command,
            params=[_folder()],
            help="Check competition.toml and the references beside it.",
        ),
        CliCommand(
            "zip",
            callback=zip_command,
            params=[_folder(), click.Argument(["out"], type=PATH, metavar="OUT.zip")],
            help="Pack competition.toml, references and images, to be given to other organisers. "
            "The archive holds the true values.",
        ),
    ],
    help="Make a competition without a program: a folder with competition.toml and a table.",
)
