"""Command `jurydesk why FILE.jurydesk SYSTEM METRIC VALUE`: find options that give a number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import click

from jurydesk.core.analysis.comparison.item_differences import change_table
from jurydesk.core.analysis.explain_number import Explanation, explain, parse_target
from jurydesk.core.analysis.stamped_inputs import require_stamp, stamped_inputs
from jurydesk.core.cli.command import COMPUTING, CliCommand, CommandContext, suggest_command
from jurydesk.core.cli.commands.scoring.compare import find_system, summaries_of_profile
from jurydesk.core.cli.desk_work import desk_argument, desk_work, reveal_option
from jurydesk.core.cli.exit_codes import CommandError
from jurydesk.core.competition.stamped_options import options_of_stamp
from jurydesk.core.language import (
    counted,
    translate,
    translate_plural,
    translate_text,
)
from jurydesk.core.tables.text_table import align_columns, text_table

SHOWN_MOVES = 5
SHOWN_EXPLANATIONS = 3


@click.pass_obj
def print_reasons(
    context: CommandContext,
    /,
    system: str,
    metric: str,
    value: str,
    profile: str | None,
    **values: Any,
) -> int:
    """Score a system with other options, and print those that give the number."""
    number = parse_target(value)
    with desk_work(context, values) as work:
        opened, task = work.desk, work.task
        summary = find_system(opened, summaries_of_profile(opened.evaluations(), profile), system)
        names = [score.metric for score in summary.scores]
        if metric not in names:
            refusal = translate(
                '{system} has no metric "{metric}".', system=summary.system, metric=metric
            )
            raise CommandError(f"{refusal} {suggest_command(metric, names)}")
        stamp = require_stamp(opened, summary)
        inputs = stamped_inputs(opened, task, stamp)
        found = explain(task, inputs, options_of_stamp(task, stamp), metric, number, work.run)
    exact = next(score.value for score in summary.scores if score.metric == metric)
    head = translate(
        "{system} has {metric} {value} in this desk.",
        system=summary.system,
        metric=metric,
        value=repr(exact),
    )
    return work.deliver([head, *reason_lines(found, metric, value, task.item_noun)])


def reason_lines(
    explanations: Sequence[Explanation], metric: str, value: str, noun: tuple[str, str]
) -> list[str]:
    """Format each explanation with the items that change, or the nearest options without one."""
    tried = [one for one in explanations if not one.is_match]
    explanations = [one for one in explanations if one.is_match]
    if not explanations:
        lines = [
            translate("No profile and no option of this competition gives {value}.", value=value)
        ]
        if tried:
            rows = [
                [repr(one.value), f"{one.difference:+.6g}", option_text(one)]
                for one in tried[:SHOWN_MOVES]
            ]
            heads = [metric, translate("difference"), translate("nearest options")]
            lines += ["", *align_columns(heads, rows, right={0, 1})]
        return lines
    lines = []
    for explanation in explanations[:SHOWN_EXPLANATIONS]:
        options = option_text(explanation)
        values = {"value": value, "options": options, "exact": repr(explanation.value)}
        if explanation.metric == metric:
            result = translate("{value} results from {options}: {exact}", **values)
        else:
            result = translate(
                "{value} results from {options} as {metric}: {exact}",
                metric=explanation.metric,
                **values,
            )
        lines += ["", result]
        if explanation.moves:
            changed = translate_text(counted(len(explanation.moves), *noun))
            lines.append(translate("{items} with another value:", items=changed))
            shown = explanation.moves[:SHOWN_MOVES]
            heads = [translate_text(noun[0]), translate("desk"), translate("new")]
            columns = zip(change_table(shown), heads, strict=False)
            lines += text_table(replace(column, name=head) for column, head in columns)
            lines += [
                f"{move.item}: {' '.join(map(translate_text, move.reasons))}"
                for move in shown
                if move.reasons
            ]
    if len(explanations) > SHOWN_EXPLANATIONS:
        more = len(explanations) - SHOWN_EXPLANATIONS
        lines += [
            "",
            translate_plural("{count} more explanation.", "{count} more explanations.", more),
        ]
    return lines


def option_text(explanation: Explanation) -> str:
    """Return the changes of an explanation as options of the command line."""
    changes = [f"--{name.replace('_', '-')} {new}" for name, new in explanation.changes]
    return ", ".join(changes) or translate("the options in use")


command = CliCommand(
    "why",
    callback=print_reasons,
    uses=COMPUTING,
    params=[
        desk_argument(),
        click.Argument(["system"], metavar="SYSTEM"),
        click.Argument(["metric"], metavar="METRIC"),
        click.Argument(["value"], metavar="VALUE"),
        click.Option(["--profile"], metavar="NAME", help="Start from the result of this profile."),
        reveal_option(),
    ],
    help="Find the profile and options that give the number VALUE, and the items that change.",
)
