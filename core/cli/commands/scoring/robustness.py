"""Command `jurydesk robustness FILE.jurydesk`: test the ranking under other reasonable choices."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import click

from jurydesk.core.analysis.equal_rules import left_out_sentences
from jurydesk.core.analysis.robustness.assessment import assess_robustness
from jurydesk.core.analysis.robustness.robustness import (
    Robustness,
    robustness_sentences,
    robustness_table,
)
from jurydesk.core.cli.command import COMPUTING, CliCommand, CommandContext
from jurydesk.core.cli.desk_work import (
    chosen_profile,
    desk_argument,
    desk_work,
    inference_options,
    reveal_option,
)
from jurydesk.core.cli.exit_codes import INPUT_ERRORS, CommandError
from jurydesk.core.cli.output import json_option, target_option
from jurydesk.core.cli.parameters import flag
from jurydesk.core.export.robustness import (
    RobustnessFormat,
    robustness_file,
    robustness_origin,
)
from jurydesk.core.language import fill, join_messages, translate_text
from jurydesk.core.tables.text_table import text_table


@click.pass_obj
def print_robustness(
    context: CommandContext,
    /,
    profile: str,
    kept: bool,
    **values: Any,
) -> int:
    """Rank the systems of a desk under every choice, and print those that change the ranking."""
    desk: Path = values["desk"]
    with desk_work(context, values) as work:
        opened, task, run, inference = work.desk, work.task, work.run, work.inference
        shown = chosen_profile(opened, task, profile)
        found = assess_robustness(opened, task, shown, run, rescoring=not kept, inference=inference)
        left_out = left_out_sentences(task, opened.evaluations(), shown)
        if found is None:
            few = fill(
                "{desk} has fewer than two systems with reliable scores: "
                "there is no ranking to test.",
                desk,
            )
            raise CommandError(join_messages([few, *left_out]), INPUT_ERRORS)

        def content(format: str) -> bytes:
            kind = cast("RobustnessFormat", f"robustness {format}")
            origin = robustness_origin(kind, opened, task, found, inference, rescoring=not kept)
            return robustness_file(kind, found, origin)

        work.export(content)
    return work.deliver([*robustness_lines(found), *map(translate_text, left_out)])


def robustness_lines(found: Robustness) -> list[str]:
    """Format the number of choices that keep the ranking, and the ranks under the others."""
    lines = [translate_text(one) for one in robustness_sentences(found)]
    if found.changing:
        lines += ["", *text_table(robustness_table(found))]
    return lines


command = CliCommand(
    "robustness",
    callback=print_robustness,
    uses=COMPUTING,
    params=[
        desk_argument(),
        click.Option(
            ["--profile"], default="", metavar="NAME", help="Test the ranking of this profile."
        ),
        flag("--kept", help="Use only results in the desk; score nothing."),
        inference_options()[0],
        json_option(),
        target_option("--csv", help="Write the ranks under every choice as CSV."),
        target_option("--latex", help="Write the table as LaTeX."),
        reveal_option(),
    ],
    help="Test whether the ranking of systems holds under other reasonable choices: profile, "
    "policies, groups or items, the trimmed mean, one group left out.\n\nChoices that are not in "
    "the desk are scored from the same files; the desk is not changed.",
)
