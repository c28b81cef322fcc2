"""Command `jurydesk selftest`: recompute recorded numbers on this installation."""

from __future__ import annotations

from pathlib import Path

import click

from jurydesk.core.cli.command import CliCommand, CommandContext
from jurydesk.core.cli.console import print_always
from jurydesk.core.cli.exit_codes import DONE, INPUT_ERRORS
from jurydesk.core.cli.output import deliver, is_standard_output, json_option
from jurydesk.core.language import translatable, translate, translate_plural, translate_text
from jurydesk.core.tables.text_table import align_columns

OUTCOME_LABELS = {
    "ok": "ok",
    "differs": translatable("DIFFERS"),
    "absent": translatable("absent"),
}


@click.pass_obj
def selftest(context: CommandContext, /, json: Path | None) -> int:
    """Print the outcome of every check; return 1 if one differs."""
    from jurydesk.core.selftest.checks import record, run_checks

    checks = run_checks(
        lambda part: context.remark(translate("Checking {part} ...", part=translate_text(part))),
        context.device,
    )
    differing = [one for one in checks if one.outcome == "differs"]
    document = record(checks)
    shown = differing if context.quiet else checks
    rows = [
        (
            translate(OUTCOME_LABELS[one.outcome]),
            translate_text(one.name),
            translate_text(one.text),
        )
        for one in shown
    ]
    deliver(align_columns(("", "", ""), rows)[1:], (json, document), show=print_always)
    if not is_standard_output(json):
        absent = sum(one.outcome == "absent" for one in checks)
        context.remark(
            translate(
                "{checks}: {differing} differ, {absent} absent. Record {record}.",
                checks=translate_plural("{count} check", "{count} checks", len(checks)),
                differing=len(differing),
                absent=absent,
                record=document["sha256"][:12],
            )
        )
    return INPUT_ERRORS if differing else DONE


command = CliCommand(
    "selftest",
    callback=selftest,
    uses=("device",),
    params=[json_option()],
    help="Recompute recorded numbers of the original programs on this machine.\n\n"
    "Also compares library files, METEOR's index and the chosen weights with the hashes recorded "
    "when they were installed, built or used, and network features in batches of 1, 7 and 64, on "
    "one thread, on all and on each GPU (or on --device).",
)
