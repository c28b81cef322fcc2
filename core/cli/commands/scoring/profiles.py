"""Command `jurydesk profiles FILE.jurydesk SYSTEM`: compare two profiles item by item."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from jurydesk.core.analysis.comparison.item_differences import change_table, reason_column
from jurydesk.core.analysis.comparison.profile_comparison import (
    ProfileComparison,
    compare_profiles,
    load_in_profile,
    profile_pair,
    rule_table,
    select_metric,
    with_rule_steps,
)
from jurydesk.core.cli.command import COMPUTING, CliCommand, CommandContext
from jurydesk.core.cli.commands.scoring.compare import find_system
from jurydesk.core.cli.desk_work import desk_argument, desk_work, reveal_option
from jurydesk.core.cli.output import json_option
from jurydesk.core.export.pairwise_export import profiles_json, profiles_origin
from jurydesk.core.language import (
    counted,
    format_number,
    localize_number,
    translate,
    translate_plural,
    translate_text,
)
from jurydesk.core.tables.text_table import text_table

SHOWN_ITEMS = 20


@click.pass_obj
def print_profiles(
    context: CommandContext,
    /,
    system: str,
    metric: str,
    profile: tuple[str, ...],
    **values: Any,
) -> int:
    """Compare two profiles of a system, with the reason for each item that differs."""
    with desk_work(context, values) as work:
        opened, task, run = work.desk, work.task, work.run
        summaries = opened.evaluations()
        candidates = [one for one in summaries if one.profile == summaries[0].profile]
        summary = find_system(opened, candidates, system)
        info = select_metric(task, summary, metric)
        first, second = (
            load_in_profile(opened, task, summary.system, name, run)
            for name in profile_pair(task, profile)
        )
        found = compare_profiles(task, first, second, info, run)
        found = with_rule_steps(found, opened, task, run)
        work.export(lambda _: profiles_json(found, profiles_origin(task.id, found)))
    return work.deliver(profile_lines(found, task.item_noun))


def profile_lines(found: ProfileComparison, noun: tuple[str, str]) -> list[str]:
    """Format both scores, and the items that differ most with the reasons."""
    one, other = found.profiles
    decimals = found.metric.decimals
    values = [
        localize_number(format_number(score.value, f".{decimals}f")) for score in found.scores
    ]
    lines = [
        translate(
            "{system}: {metric} {value} {profile}, {other_value} {other_profile}; {changed} of "
            "{total:,} differ.",
            system=found.system,
            metric=translate_text(found.metric.title),
            value=values[0],
            profile=one,
            other_value=values[1],
            other_profile=other,
            changed=translate_text(counted(len(found.items), *noun)),
            total=found.n,
        )
    ]
    if found.steps:
        lines += ["", *text_table(rule_table(found))]
    elif found.not_stepped:
        reason = translate_text(found.not_stepped)
        lines += ["", translate("What each rule costs is unknown. {reason}", reason=reason)]
    if found.items:
        shown = found.items[:SHOWN_ITEMS]
        columns = [*change_table(shown, metric=found.metric)[:3], reason_column(shown)]
        heads = (translate_text(noun[0]), one, other, translate("why"))
        named = (replace(one, name=head) for one, head in zip(columns, heads, strict=True))
        lines += ["", *text_table(named)]
    if len(found.items) > SHOWN_ITEMS:
        more = len(found.items) - SHOWN_ITEMS
        lines.append(
            translate_plural(
                "and {count} more; --json FILE writes all of them.",
                "and {count} more; --json FILE writes all of them.",
                more,
            )
        )
    return lines


command = CliCommand(
    "profiles",
    callback=print_profiles,
    uses=COMPUTING,
    params=[
        desk_argument(),
        click.Argument(["system"], metavar="SYSTEM"),
        click.Option(
            ["--metric"],
            default="",
            metavar="NAME",
            help="Metric to compare; the headline if not given.",
        ),
        click.Option(
            ["--profile"],
            multiple=True,
            metavar="NAME",
            help="One of the two profiles; published and corrected if not given.",
        ),
        json_option(),
        reveal_option(),
    ],
    help="Compare a system's published and corrected results item by item, with the reason for "
    "each difference.\n\nA profile that is not in the desk is scored from the same files; the desk "
    "is not changed.",
)
