"""`jurydesk selftest`: whether this installation computes the recorded numbers."""

from __future__ import annotations

from pathlib import Path

import click

from jurydesk.core.cli.command import CliCommand, CommandContext
from jurydesk.core.cli.console import print_always
from jurydesk.core.cli.exit_codes import DONE, INPUT_ERRORS
from jurydesk.core.cli.output import is_standard_output, json_option, write_json_output
from jurydesk.core.cli.text.text_table import align_columns
from jurydesk.core.model.defects import counted

WORDS = {"ok": "ok", "differs": "DIFFERS", "absent": "absent"}


@click.pass_obj
def selftest(surroundings: CommandContext, /, json: Path | None) -> int:
    """Print the outcome of every check; 1 where one differs."""
    from jurydesk.core.selftest.checks import record, run_checks

    checks = run_checks(lambda part: surroundings.remark(f"Examining {part} ..."))
    wrong = [one for one in checks if one.outcome == "differs"]
    document = record(checks)
    if json is not None:
        write_json_output(json, document)
    if not is_standard_output(json):
        shown = wrong if surroundings.quiet else checks
        rows = [(WORDS[one.outcome], one.name, one.text) for one in shown]
        for line in align_columns(("", "", ""), rows)[1:]:
            print_always(line)
        absent = sum(one.outcome == "absent" for one in checks)
        surroundings.remark(
            f"{counted(len(checks), 'check')}: {len(wrong)} differ, {absent} absent. "
            f"Record {document['sha256'][:12]}."
        )
    return INPUT_ERRORS if wrong else DONE


command = CliCommand(
    "selftest",
    callback=selftest,
    params=[json_option()],
    help="Compute the recorded numbers of the original programs on this machine.\n\n"
    "Also compares the files of libraries, METEOR's index and chosen weights with the hashes that "
    "were recorded when they were installed, built or used.",
)
