"""Command `jurydesk addon`: install, list and remove the neural add-on and plug-ins."""

from __future__ import annotations

from pathlib import Path

import click

from jurydesk.core.cli.command import CliCommand, CommandContext, SuggestingGroup
from jurydesk.core.cli.console import print_error
from jurydesk.core.cli.exit_codes import DONE, INPUT_ERRORS
from jurydesk.core.cli.output import deliver, json_option
from jurydesk.core.cli.parameters import PATH, flag
from jurydesk.core.execution.run import Run
from jurydesk.core.intake.add_ons import (
    AddOn,
    install,
    installed,
    remove,
    try_out,
)
from jurydesk.core.language import translate, translate_text
from jurydesk.core.model.json_codec import to_json
from jurydesk.core.tables.numbers import size
from jurydesk.core.tables.text_table import align_columns


@click.pass_obj
def install_add_on(
    context: CommandContext, /, place: Path, plug_in: bool, json: Path | None
) -> int:
    """Install the wheels of a folder, and list all add-ons."""
    with Run() as run:
        made = install(place, run.check, trusted=plug_in)
    context.remark(translate("{name} is installed; the next start finds it.", name=made.name))
    return _list(json)


@click.pass_obj
def remove_add_on(context: CommandContext, /, name: str, json: Path | None) -> int:
    """Remove an add-on, and list the others."""
    with Run() as run:
        remove(name, run.check)
    context.remark(translate("{name} is removed.", name=name))
    return _list(json)


@click.pass_obj
def list_add_ons(context: CommandContext, /, json: Path | None) -> int:
    """List the add-ons."""
    return _list(json)


def _list(target: Path | None) -> int:
    found = installed()
    lines = [line for one in found for line in add_on_lines(one)]
    content = {"schema": 1, "add_ons": to_json(found)}
    return deliver(lines or [translate("No add-on is installed.")], (target, content))


def add_on_lines(one: AddOn) -> list[str]:
    """Format an add-on: its name, size and trouble, what it brings, and its packages."""
    brought = [(f"  {group}", ", ".join(names)) for group, names in one.brings]
    packages = (f"  {translate('packages')}", ", ".join(one.packages))
    trouble = [f"  {translate_text(one.trouble)}"] if one.trouble else []
    rows = align_columns(("", ""), [*brought, packages])[1:]
    return [f"{one.name} ({size(one.size)})", *trouble, *rows]


@click.pass_obj
def try_add_on(context: CommandContext, /, folder: Path) -> int:
    """Import what an unpacked add-on is for; 1 with the reason if that fails."""
    try:
        try_out(folder)
    except Exception as error:  # noqa: BLE001 - foreign code may raise anything
        print_error(f"{type(error).__name__}: {error}")
        return INPUT_ERRORS
    return DONE


command = SuggestingGroup(
    "addon",
    commands={
        "install": CliCommand(
            "install",
            callback=install_add_on,
            params=[
                click.Argument(["place"], type=PATH, metavar="FOLDER"),
                flag("--plug-in", help="Trust plug-ins: their code may do all that you may."),
                json_option(),
            ],
            help="Install the wheels of a folder: the neural add-on, or a plug-in.\n\n"
            "Wheels of the neural add-on must have the hashes that this program lists.",
        ),
        "list": CliCommand(
            "list",
            callback=list_add_ons,
            params=[json_option()],
            help="List the add-ons, what each brings, and what is wrong with it.",
        ),
        "remove": CliCommand(
            "remove",
            callback=remove_add_on,
            params=[click.Argument(["name"], metavar="NAME"), json_option()],
            help="Remove an add-on.",
        ),
        "try": CliCommand(
            "try",
            callback=try_add_on,
            params=[click.Argument(["folder"], type=PATH)],
            help="Import what an unpacked add-on is for.",
            hidden=True,
        ),
    },
    help="Add the neural add-on and plug-ins to this program: install, list, remove.",
)
