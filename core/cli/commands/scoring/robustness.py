"""Command `jurydesk robustness FILE.jurydesk`: test the ranking under other reasonable choices."""

from __future__ import annotations

from pathlib import Path

import click

from jurydesk.core.analysis.robustness import (
    Robustness,
    assess_robustness,
    robustness_sentences,
    robustness_table,
)
from jurydesk.core.cli.command import CliCommand, CommandContext
from jurydesk.core.cli.commands.scoring.board import desk_task
from jurydesk.core.cli.console import print_result
from jurydesk.core.cli.exit_codes import (
    DONE,
    INPUT_ERRORS,
    CommandError,
    require_writable,
)
from jurydesk.core.cli.hidden_scores_notice import require_revealed, reveal_option
from jurydesk.core.cli.inference_options import inference_options
from jurydesk.core.cli.output import is_standard_output, json_option, write_output
from jurydesk.core.cli.parameters import PATH, file_option, flag
from jurydesk.core.cli.running import open_run
from jurydesk.core.desk import Desk
from jurydesk.core.desk.inference_settings import load_inference
from jurydesk.core.execution.groups_file import inference_from_values
from jurydesk.core.export.robustness import (
    ROBUSTNESS_FORMATS,
    robustness_file,
    robustness_origin,
)
from jurydesk.core.language import translate, translate_text
from jurydesk.core.tables.text_table import text_table


@click.pass_obj
def print_robustness(
    context: CommandContext,
    /,
    desk: Path,
    profile: str,
    kept: bool,
    groups: str | None,
    json: Path | None,
    csv: Path | None,
    latex: Path | None,
    reveal: bool,
) -> int:
    """Rank the systems of a desk under every choice, and print those that change the ranking."""
    for path, name in ((json, "--json"), (csv, "--csv"), (latex, "--latex")):
        require_writable(path, name)
    with open_run(context) as run, Desk.open(desk, read_only=True) as opened:
        task = desk_task(opened, desk)
        require_revealed(opened, desk, reveal=reveal)
        inference = inference_from_values({"groups": groups}, load_inference(opened))
        profiles = dict.fromkeys(one.profile for one in opened.evaluations())
        shown = profile or next((one for one in task.scoring.profiles if one in profiles), "")
        if profile and profile not in profiles:
            raise CommandError(
                translate(
                    '{desk} has no system with the profile "{profile}". Available: {names}.',
                    desk=desk,
                    profile=profile,
                    names=", ".join(profiles) or translate("none"),
                )
            )
        found = assess_robustness(opened, task, shown, run, rescoring=not kept, inference=inference)
        if found is None:
            raise CommandError(
                f"{desk} has fewer than two scored systems: there is no ranking to test.",
                INPUT_ERRORS,
            )
        targets = dict(zip(ROBUSTNESS_FORMATS, (json, csv, latex), strict=True))
        origins = {
            kind: robustness_origin(kind, opened, task, found, inference, rescoring=not kept)
            for kind in targets
        }
    for kind, path in targets.items():
        if path is not None:
            write_output(path, robustness_file(kind, found, origins[kind]))
    if json is None or not is_standard_output(json):
        for line in robustness_lines(found):
            print_result(line)
    return DONE


def robustness_lines(found: Robustness) -> list[str]:
    """Format the number of choices that keep the ranking, and the ranks under the others."""
    lines = [translate_text(one) for one in robustness_sentences(found)]
    if found.changing:
        lines += ["", *text_table(robustness_table(found))]
    return lines


command = CliCommand(
    "robustness",
    callback=print_robustness,
    params=[
        click.Argument(["desk"], type=PATH, metavar="FILE.jurydesk"),
        click.Option(
            ["--profile"], default="", metavar="NAME", help="Test the ranking of this profile."
        ),
        flag("--kept", help="Use only results in the desk; score nothing."),
        inference_options()[0],
        json_option(),
        file_option("--csv", help="Write the ranks under every choice as CSV."),
        file_option("--latex", help="Write the table as LaTeX."),
        reveal_option(),
    ],
    help="Test whether the ranking of systems holds under other reasonable choices: profile, "
    "policies, groups or items, the trimmed mean, one group left out.\n\nChoices that are not in "
    "the desk are scored from the same files; the desk is not changed.",
)
