"""Command `jurydesk plan PILOT`: how many items, raters and ratings a competition needs."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import click

from jurydesk.core.cli.command import CliCommand, CommandContext, suggest_command
from jurydesk.core.cli.desk_work import (
    DeskWork,
    chosen_profile,
    desk_work,
    inference_options,
    reveal_option,
)
from jurydesk.core.cli.exit_codes import CommandError
from jurydesk.core.cli.output import json_option, target_option
from jurydesk.core.cli.parameters import PATH
from jurydesk.core.cli.result_files import create_target_desk
from jurydesk.core.cli.running import open_run
from jurydesk.core.competition.examples import example_folder, example_inputs, example_options
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.human_evaluation.results.competition_plan import (
    Plan,
    PlanFormat,
    PlanWish,
    component_sentences,
    item_plan_sentences,
    item_plan_table,
    pilot_sentences,
    plan_file,
    plan_from_pilot,
    plan_origin,
    rating_plan_sentences,
    rating_plan_table,
)
from jurydesk.core.language import fill, translate, translate_text
from jurydesk.core.statistics.power import POWER
from jurydesk.core.tables.text_table import text_table
from jurydesk.core.workflow.files import explicit_files
from jurydesk.core.workflow.score import CompetitionFiles, score_competition


@click.pass_obj
def print_plan(context: CommandContext, /, pilot: Path, profile: str, **values: Any) -> int:
    """Print the numbers of items, raters and ratings that differences need."""
    with pilot_work(context, pilot, values) as work:
        desk, task, inference = work.desk, work.task, work.inference
        request = PlanWish(
            chosen_profile(desk, task, profile),
            values["systems"] or 0,
            values["difference"],
            values["points"],
            values["power"],
            values["group_size"] or 0,
        )
        plan = plan_from_pilot(desk, task, request, work.run, inference)

        def content(format: str) -> bytes:
            kind = cast("PlanFormat", f"plan {format}")
            return plan_file(kind, plan, plan_origin(kind, desk, task, request, inference))

        work.export(content)
    return work.deliver(plan_lines(plan))


@contextlib.contextmanager
def pilot_work(context: CommandContext, pilot: Path, values: dict[str, Any]) -> Iterator[DeskWork]:
    """Open a pilot desk, or that of the example of a competition, for the work of a block."""
    name = str(pilot)
    task = registry().tasks.get(name)
    if pilot.exists() or task is None:
        if not pilot.exists():
            advice = suggest_command(name, list(registry().tasks))
            refusal = translate('"{pilot}" is neither a desk nor a competition.', pilot=name)
            raise CommandError(f"{refusal} {advice}")
        with desk_work(context, {**values, "desk": pilot}) as work:
            yield work
        return
    folder = example_folder(task)
    if folder is None:
        raise CommandError(fill("{task} has no example: give a pilot desk.", name))
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / "pilot.jurydesk"
        files = explicit_files(task, example_inputs(task, folder))
        options = example_options(task, folder)
        competition = CompetitionFiles(path, task, files, options)
        with create_target_desk(path, task, options), open_run(context) as run:
            score_competition(competition, run)
        context.remark(
            translate("The pilot is the small built-in example; a desk of your own is better.")
        )
        with desk_work(context, {**values, "desk": path}) as work:
            yield work


def plan_lines(plan: Plan) -> list[str]:
    """Format the numbers for scores and for ratings, and where they come from."""
    lines: list[str] = []
    if plan.items is None:
        lines.append(translate("The pilot has no two systems with different means of items."))
    else:
        lines += [*map(translate_text, item_plan_sentences(plan.items)), ""]
        lines += [*text_table(item_plan_table(plan.items)), ""]
        lines += map(translate_text, pilot_sentences(plan.items))
    lines += ["", *map(translate_text, rating_plan_sentences(plan.ratings)), ""]
    lines += [*text_table(rating_plan_table(plan.ratings)), ""]
    return [*lines, *map(translate_text, component_sentences(plan.ratings))]


command = CliCommand(
    "plan",
    callback=print_plan,
    params=[
        click.Argument(["pilot"], type=PATH, metavar="PILOT"),
        click.Option(
            ["--difference"],
            type=click.FloatRange(min=0, min_open=True),
            multiple=True,
            metavar="NUMBER",
            help="Difference of scores to find; several round ones if not given.",
        ),
        click.Option(
            ["--points"],
            type=click.FloatRange(min=0, min_open=True),
            multiple=True,
            metavar="NUMBER",
            help="Difference of ratings to find; 0.3 and 0.5 if not given.",
        ),
        click.Option(
            ["--systems"],
            type=click.IntRange(2, 1000),
            metavar="N",
            help="Number of systems; that of the pilot if not given.",
        ),
        click.Option(
            ["--group-size"],
            type=click.IntRange(min=1),
            metavar="N",
            help="Number of items in a group; as in the pilot if not given.",
        ),
        click.Option(
            ["--power"],
            type=click.FloatRange(0.1, 0.99),
            default=POWER,
            show_default=True,
            metavar="SHARE",
            help="Share of boards in which a difference is found.",
        ),
        click.Option(
            ["--profile"], default="", metavar="NAME", help="Use the systems of this profile."
        ),
        inference_options()[0],
        json_option(),
        target_option("--csv", help="Write the numbers as CSV."),
        reveal_option(),
    ],
    help="Plan a competition: how many items, raters and ratings tell two systems apart.\n\n"
    "PILOT is a desk with a few systems, or the name of a competition, whose example is used.",
)
