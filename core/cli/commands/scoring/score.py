"""Command `jurydesk score TASK`: score every submission, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import numpy as np

from jurydesk.core.analysis.leaderboard import make_leaderboard
from jurydesk.core.cli.command import (
    COMPUTING,
    CommandContext,
    TaskGroup,
    suggest_command,
    task_command,
)
from jurydesk.core.cli.console import print_result
from jurydesk.core.cli.desk_work import (
    inference_options,
    rank_by_option,
    require_ranking_metric,
    reveal_option,
)
from jurydesk.core.cli.exit_codes import DONE, INPUT_ERRORS, NOTHING_SCORED, CommandError
from jurydesk.core.cli.output import is_standard_output, json_option, write_output
from jurydesk.core.cli.parameters import parse_options, task_parameters
from jurydesk.core.cli.result_files import (
    create_target_desk,
    desk_option,
    items_option,
    write_items,
)
from jurydesk.core.cli.running import open_run
from jurydesk.core.cli.submissions import add_submissions_option, parse_competition
from jurydesk.core.cli.text.leaderboard_text import board_lines, score_text
from jurydesk.core.competition.declared_metrics import with_metrics
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.desk import Desk, summarize
from jurydesk.core.desk.hidden_scores import hidden_since
from jurydesk.core.desk.inference_settings import load_inference
from jurydesk.core.execution.engine import CompetitionResult
from jurydesk.core.execution.groups_file import inference_from_values
from jurydesk.core.export.results_json import result_json
from jurydesk.core.language import counted, fill, translate, translate_plural, translate_text
from jurydesk.core.model.evaluation import Evaluation, ItemTable
from jurydesk.core.model.input_file import paths_by_role
from jurydesk.core.statistics.inference import Inference
from jurydesk.core.workflow.score import score_competition


def build_score_command(task: AnyTask) -> click.Command:
    """Return the command that scores one competition."""
    return task_command(
        task,
        score_task,
        [
            *add_submissions_option(task, task_parameters(task)),
            *([items_shown_option(task)] if task.presentation.printout else []),
            *inference_options(correction=False),
            rank_by_option(),
            json_option(),
            items_option(),
            desk_option(),
            reveal_option(),
        ],
        task.summary,
        COMPUTING,
    )


def items_shown_option(task: AnyTask) -> click.Option:
    """Return the option `--query ID`, named after the competition's items."""
    noun, nouns = task.item_noun
    return click.Option(
        [f"--{noun}", "shown"],
        multiple=True,
        metavar="ID",
        help=translate(
            "Print only these {items}, and the means over them.", items=translate_text(nouns)
        ),
    )


def score_task(task: AnyTask, context: CommandContext, values: dict[str, Any]) -> int:
    """Score, print defects, print and write results; return 1 if a file has errors."""
    options = parse_options(task, values)
    competition = parse_competition(task, options, context, values)
    if values["rank_by"] and task.scoring.metrics:
        require_ranking_metric(task, values["rank_by"])
    if values["groups"] or values["interval"] or values["rank_by"]:
        competition = replace(competition, inference=inference_for(values["desk"], values))
    if (values["json"] or values["items"]) and is_hidden(values):
        raise CommandError(
            fill(
                "The scores in {values} are hidden: use --reveal to write them to other files.",
                values["desk"],
            )
        )
    title = task.readers.title(paths_by_role(competition.files))
    with (
        create_target_desk(values["desk"], task, options, title) as desk,
        open_run(context, desk.cache if desk else None) as run,
    ):
        outcome = score_competition(competition, run)
    context.report(outcome.defects)
    return deliver_results(task, options, outcome.result, context, values)


def deliver_results(
    task: AnyTask,
    options: Any,
    result: CompetitionResult,
    context: CommandContext,
    values: dict[str, Any],
) -> int:
    """Print and write the results; return 1 if a file has errors."""
    task = with_metrics(task, (info for one in result.evaluations for info in one.metrics))
    context.warn_of_look_alikes(entry.system for entry in result.entries)
    if values["json"] is not None:
        write_output(values["json"], result_json(task.id, options.profile, result))
    if values["items"] is not None and result.evaluations:
        write_items(values["items"], result.evaluations)
    if is_hidden(values):
        context.remark(
            fill("The scores were saved in {values}, where they are hidden.", values["desk"])
        )
    elif not is_standard_output(values["json"]):
        shown = values.get("shown", ())
        rank_by = values.get("rank_by") or stored_inference(values["desk"]).rank_by
        for line in result_lines(task, result.evaluations, shown, rank_by):
            print_result(line)
    return report_refusals(result, context)


def is_hidden(values: dict[str, Any]) -> bool:
    """Return whether the target desk hides its scores and `--reveal` is not set."""
    path: Path | None = values["desk"]
    if path is None or values.get("reveal") or not path.exists():
        return False
    with Desk.open(path, read_only=True) as desk:
        return bool(hidden_since(desk))


def inference_for(path: Path | None, values: dict[str, Any]) -> Inference:
    """Return the inference settings of the arguments; the rest follows the desk."""
    return inference_from_values(values, stored_inference(path))


def stored_inference(path: Path | None) -> Inference:
    """Return the inference settings of a desk; the defaults without one."""
    if path is None or not path.exists():
        return Inference()
    with Desk.open(path, read_only=True) as desk:
        return load_inference(desk)


def result_lines(
    task: AnyTask, evaluations: Sequence[Evaluation], shown: Sequence[str], rank_by: str = ""
) -> list[str]:
    """Format what the published program prints per system, and the board of several systems."""
    lines: list[str] = []
    if task.presentation.printout is not None:
        for evaluation in evaluations:
            items = select_items(task, evaluation.items, shown)
            lines += [
                result_heading(task, evaluation, items),
                task.presentation.printout(items).rstrip("\n"),
                "",
            ]
    if evaluations and not shown and (len(evaluations) > 1 or task.presentation.printout is None):
        summaries = [summarize(one) for one in evaluations]
        board = make_leaderboard(task, summaries, rank_by=rank_by)
        lines += board_lines(board)
        if len(evaluations) > 1:
            lines.append(translate("`jurydesk board` tests the differences."))
    return lines[:-1] if lines and not lines[-1] else lines


def result_heading(task: AnyTask, evaluation: Evaluation, items: ItemTable) -> str:
    """Return `system (published): 318 of 320 queries averaged; Mean AP 0.52 [...]`."""
    rules = [evaluation.profile]
    if isinstance(evaluation.stamp, dict) and "protocol" in evaluation.stamp.get("settings", {}):
        rules.append(evaluation.stamp["settings"]["protocol"])
    name = f"{evaluation.system} ({', '.join(rules)})"
    headline = next(iter(task.headlines), None)
    if headline is None:
        return name
    averaged = int(np.isfinite(items.columns[headline.name]).sum())
    known = translate_text(counted(len(items), *task.item_noun))
    if averaged == len(items):
        head = translate("{system}: {items} averaged", system=name, items=known)
    else:
        head = translate(
            "{system}: {averaged:,} of {items} averaged",
            system=name,
            averaged=averaged,
            items=known,
        )
    if not averaged or len(items) < len(evaluation.items):
        return head
    title = translate_text(headline.title)
    return f"{head}; {title} {score_text(evaluation.score(headline.name), headline)}"


def select_items(task: AnyTask, items: ItemTable, shown: Sequence[str]) -> ItemTable:
    """Return the items of these ids, or all; raise CommandError for an unknown id."""
    if not shown:
        return items
    rows = {key: i for i, key in enumerate(items.ids)}
    for key in shown:
        if key not in rows:
            advice = suggest_command(key, items.ids) if len(items) < 1000 else ""
            refusal = translate(
                'There is no {item} "{id}".', item=translate_text(task.item_noun[0]), id=key
            )
            raise CommandError(f"{refusal} {advice}".strip())
    selected = [rows[key] for key in dict.fromkeys(shown)]
    columns = {name: column[selected] for name, column in items.columns.items()}
    return ItemTable(tuple(items.ids[i] for i in selected), columns, noun=items.noun)


def report_refusals(result: CompetitionResult, context: CommandContext) -> int:
    """Print how many systems were not scored, and return the exit code."""
    refused = sum(entry.evaluation is None for entry in result.entries)
    if result.entries and not refused:
        return DONE
    if not result.evaluations:
        context.remark(NOTHING_SCORED)
    else:
        context.remark(
            translate_plural(
                "{refused} of {count} system was not scored.",
                "{refused} of {count} systems were not scored.",
                len(result.entries),
                refused=refused,
            )
        )
    return INPUT_ERRORS


command = TaskGroup("score", build_score_command, help="Score the submissions of a competition.")
