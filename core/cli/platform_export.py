"""Command `jurydesk platform export`: a package for a platform, after a dry run of its program."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from jurydesk.core.cli.command import CliCommand, CommandContext
from jurydesk.core.cli.console import print_error
from jurydesk.core.cli.desk_work import desk_argument, desk_work, reveal_option
from jurydesk.core.cli.exit_codes import INPUT_ERRORS, require_writable
from jurydesk.core.cli.output import deliver, write_output
from jurydesk.core.cli.parameters import PATH, file_option
from jurydesk.core.export.platforms.package_source import read_package_settings
from jurydesk.core.language import translate, translate_text
from jurydesk.core.workflow.platform_package import PLATFORMS, make_package


@click.pass_obj
def export_package(
    context: CommandContext, /, platform: str, out: Path, settings: Path | None, **values: Any
) -> int:
    """Write a package, after a dry run of its scoring program; return 1 if that fails."""
    require_writable(out, "OUT")
    chosen = read_package_settings(settings)
    target = PLATFORMS[platform]
    with desk_work(context, values) as work:
        package = make_package(work.desk, work.task, target, chosen, work.run)
    if package.dry_run.problem:
        print_error(package.dry_run.problem)
        context.remark(translate("The dry run failed: nothing was written."))
        return INPUT_ERRORS
    write_output(out, package.content)
    if target.check is not None:
        context.report(target.check(out))
    for remark in package.remarks:
        context.remark(translate_text(remark))
    return deliver([translate_text(package.summary), translate("{path} was written.", path=out)])


export_command = CliCommand(
    "export",
    callback=export_package,
    params=[
        click.Argument(["platform"], type=click.Choice(list(PLATFORMS))),
        desk_argument(),
        click.Argument(["out"], type=PATH, metavar="OUT.zip"),
        file_option("--settings", help="YAML file: title, start, end, terms, columns and others."),
        reveal_option(),
    ],
    help="Write a competition for a platform from a desk, after a dry run of its program.",
)
