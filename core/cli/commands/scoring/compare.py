"""Command `jurydesk compare FILE.jurydesk SYSTEM_A SYSTEM_B`: compare two systems of a desk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import click

from jurydesk.core.analysis.comparison.pairwise import MetricComparison
from jurydesk.core.analysis.equal_rules import comparison_refusal
from jurydesk.core.analysis.leaderboard import find_score, headline_metric, make_leaderboard
from jurydesk.core.analysis.significance.board_verdict import board_verdict
from jurydesk.core.analysis.significance.leaderboard_significance import desk_significance
from jurydesk.core.analysis.stamped_inputs import compare_by_metric
from jurydesk.core.cli.command import CliCommand, CommandContext, suggest_command
from jurydesk.core.cli.desk_work import desk_argument, desk_work, inference_options, reveal_option
from jurydesk.core.cli.exit_codes import CommandError
from jurydesk.core.cli.output import json_option
from jurydesk.core.cli.text.leaderboard_text import select_metrics
from jurydesk.core.cli.text.pairwise_text import comparison_lines
from jurydesk.core.desk import Desk, Summary
from jurydesk.core.export.export_settings import desk_origin
from jurydesk.core.export.pairwise_export import (
    COMPARISON,
    comparison_values,
    comparisons_json,
)
from jurydesk.core.language import fill, translate
from jurydesk.core.model.stamp import Stamp

if TYPE_CHECKING:
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.execution.run import Run
    from jurydesk.core.statistics.inference import Inference


@click.pass_obj
def print_comparison(
    context: CommandContext,
    /,
    first: str,
    second: str,
    metric: tuple[str, ...],
    profile: str | None,
    resamples: int | None,
    **values: Any,
) -> int:
    """Compare two systems of a desk, and print or write the result."""
    with desk_work(context, values) as work:
        opened, task, run, inference = work.desk, work.task, work.run, work.inference
        summaries = summaries_of_profile(opened.evaluations(), profile)
        pair = [find_system(opened, summaries, name) for name in (first, second)]
        if pair[0].id == pair[1].id:
            raise CommandError(
                fill(
                    '"{first}" and "{second}" are the same system: give two systems.', first, second
                )
            )
        if refusal := comparison_refusal(task, pair):
            raise CommandError(refusal)
        if values["correction"] and len(summaries) < 3:
            raise CommandError("Two systems are one pair: there is nothing to correct for.")
        metrics = [
            info
            for info in select_metrics(
                make_leaderboard(task, pair, rank_by=inference.rank_by), metric
            )
            if all(find_score(one, info.name) for one in pair)
        ]
        two, systems = (pair[0], pair[1]), (pair[0].system, pair[1].system)
        found = [
            compare_by_metric(opened, task, info, two, run, resamples, inference)
            for info in metrics
        ]
        found = with_board_verdict(opened, task, summaries, pair, found, run, inference)
        shown = comparison_values(pair[0].profile, systems, found, resamples)
        origin = desk_origin(COMPARISON, opened, task, pair, inference, None, **shown)
        work.export(lambda _: comparisons_json(task.id, pair[0].profile, systems, found, origin))
    lines = list(comparison_lines(found, task.item_noun))
    untested = [one.metric.name for one in found if one.metric.name in task.scoring.on_request]
    if untested and resamples is None:
        advice = "{metrics}: tested only with --resamples N (such as 200, slow)."
        lines += ["", translate(advice, metrics=", ".join(untested))]
    return work.deliver(lines)


def with_board_verdict(
    desk: Desk,
    task: AnyTask,
    summaries: Sequence[Summary],
    pair: Sequence[Summary],
    found: Sequence[MetricComparison],
    run: Run,
    inference: Inference,
) -> list[MetricComparison]:
    """Return the comparisons, that of the ranking metric (else the first) with a verdict."""
    names = [one.metric.name for one in found]
    ranking = headline_metric(task, summaries, inference.rank_by)
    name = ranking.name if ranking and ranking.name in names else next(iter(names), "")
    tests = desk_significance(desk, task, summaries, run, replace(inference, rank_by=name))
    verdict = board_verdict(tests.get(pair[0].profile), (pair[0].system, pair[1].system))
    return [replace(one, board=verdict) if one.metric.name == name else one for one in found]


def summaries_of_profile(summaries: Sequence[Summary], profile: str | None) -> list[Summary]:
    """Return the evaluations of a profile; without a name, that of the first evaluation."""
    profiles = list(dict.fromkeys(one.profile for one in summaries))
    if profile is None and profiles:
        profile = profiles[0]
    if profile is not None and profile not in profiles:
        raise CommandError(
            translate(
                'No system was scored with the profile "{profile}". Available: {names}.',
                profile=profile,
                names=", ".join(profiles) or translate("none"),
            )
        )
    return [one for one in summaries if one.profile == profile]


def find_system(desk: Desk, summaries: Sequence[Summary], name: str) -> Summary:
    """Return the system with this name, or with a submission of this name or stem."""
    matches = [one for one in summaries if one.system == name]
    matches = matches or [one for one in summaries if name in file_names(desk, one)]
    if len(matches) > 1:
        systems = ", ".join(one.system for one in matches)
        raise CommandError(
            fill('"{name}" matches several systems, give one of: {systems}.', name, systems)
        )
    if not matches:
        known = [one.system for one in summaries]
        refusal = translate('The desk has no system "{name}".', name=name)
        raise CommandError(f"{refusal} {suggest_command(name, known)}")
    return matches[0]


def file_names(desk: Desk, summary: Summary) -> set[str]:
    """Return the name and the stem of the file that a system was scored from."""
    stamp = desk.load(summary.id).stamp
    if not stamp:
        return set()
    path = PurePath(Stamp.from_json(stamp).submission.path)
    return {path.name, path.stem}


command = CliCommand(
    "compare",
    callback=print_comparison,
    uses=("jobs",),
    params=[
        desk_argument(),
        click.Argument(["first"], metavar="SYSTEM_A"),
        click.Argument(["second"], metavar="SYSTEM_B"),
        click.Option(
            ["--metric"], multiple=True, metavar="NAME", help="Compare by these metrics only."
        ),
        click.Option(["--profile"], metavar="NAME", help="Compare results of this profile."),
        click.Option(
            ["--resamples"],
            type=click.IntRange(min=10),
            metavar="N",
            help="Also test metrics of whole sets of pictures (FID) with N resamples of the stored "
            "features: seconds for hundreds of pictures, minutes for thousands.",
        ),
        *inference_options(),
        reveal_option(),
        json_option(),
    ],
    help="Compare two systems of a desk item by item, with significance tests and intervals.",
)
