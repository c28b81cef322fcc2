"""Command `jurydesk platform`: downloads of competition platforms, and what platforms accept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from jurydesk.core.analysis.explain_number import explain as find_options
from jurydesk.core.analysis.explain_number import parse_target
from jurydesk.core.analysis.leaderboard import make_leaderboard
from jurydesk.core.analysis.server_scores import (
    ServerScore,
    match_metrics,
    parse_columns,
    server_scores,
)
from jurydesk.core.analysis.stamped_inputs import require_stamp, stamped_inputs
from jurydesk.core.cli.command import (
    COMPUTING,
    CliCommand,
    CommandContext,
    SuggestingGroup,
    suggest_command,
)
from jurydesk.core.cli.commands.scoring.compare import summaries_of_profile
from jurydesk.core.cli.commands.scoring.why import option_text
from jurydesk.core.cli.desk_work import DeskWork, desk_argument, desk_work, reveal_option
from jurydesk.core.cli.exit_codes import DONE, INPUT_ERRORS, CommandError
from jurydesk.core.cli.output import deliver, json_option
from jurydesk.core.cli.parameters import PATH
from jurydesk.core.cli.platform_export import export_command
from jurydesk.core.cli.running import open_run
from jurydesk.core.competition.stamped_options import options_of_stamp
from jurydesk.core.desk.errors import DeskError
from jurydesk.core.export.platforms.codabench_bundle import check_codabench
from jurydesk.core.export.platforms.configuration import verdict_json
from jurydesk.core.export.platforms.evalai_challenge import check_evalai
from jurydesk.core.intake.folder import list_files
from jurydesk.core.intake.platforms.download import downloads_json, sorted_entries
from jurydesk.core.intake.platforms.records import Download
from jurydesk.core.language import (
    Message,
    counted,
    fill,
    name_list,
    translatable,
    translate,
    translate_plural,
    translate_text,
)
from jurydesk.core.model.defects import has_errors
from jurydesk.core.model.evaluation import Json, MetricInfo
from jurydesk.core.model.json_codec import json_number
from jurydesk.core.model.platform_entry import PlatformEntry
from jurydesk.core.system.paths import absolute_path, submissions_store
from jurydesk.core.tables.text_table import align_columns

if TYPE_CHECKING:
    from jurydesk.core.desk import Summary


@click.pass_obj
def list_download(context: CommandContext, /, given: tuple[Path, ...], json: Path | None) -> int:
    """List what an organiser's downloads contain; return 1 if something is missing."""
    for path in given:
        if not path.exists():
            raise CommandError(fill("{path} does not exist.", path), INPUT_ERRORS)
    with open_run(context) as run:
        found = list_files([*map(absolute_path, given)], submissions_store(), run)
    context.report(found.defects)
    if not found.downloads:
        raise CommandError(
            fill("No download of a platform in {names}.", ", ".join(map(str, given))), INPUT_ERRORS
        )
    context.warn_of_look_alikes(
        entry.team for one in found.downloads for entry in sorted_entries(one)
    )
    document = downloads_json(found.downloads, found.defects)
    deliver(download_lines(found.downloads), (json, document))
    return INPUT_ERRORS if has_errors(found.defects) else DONE


def download_lines(downloads: Sequence[Download]) -> Iterator[str]:
    """Format a table of the entries of each platform."""
    for one in downloads:
        entries = sorted_entries(one)
        yield translate_plural(
            "{platform}: {count} submission.",
            "{platform}: {count} submissions.",
            len(entries),
            platform=one.platform,
        )
        heads = [translate("id"), translate("team"), translate("phase"), translate("received")]
        heads += [translate("status"), translate("file"), translate("server")]
        yield from align_columns(heads, [_entry_cells(entry) for entry in entries], right=set())


def _entry_cells(entry: PlatformEntry) -> list[str]:
    numbers = ", ".join(f"{name} {number}" for name, number in entry.server.items())
    phase, time = entry.phase or entry.phase_id, entry.time_text
    cells = (entry.id, entry.team, phase, time, entry.status, entry.file, numbers)
    return [" ".join(cell.split()) or "-" for cell in cells]


list_command = CliCommand(
    "list",
    callback=list_download,
    uses=(),
    params=[
        click.Argument(["given"], type=PATH, nargs=-1, required=True, metavar="FILE|FOLDER..."),
        json_option(),
    ],
    help="List the submissions in downloads of Codabench, EvalAI, CodaLab, grand-challenge, TIRA "
    "and Kaggle.",
)


@click.pass_obj
def compare_server(
    context: CommandContext,
    /,
    column: tuple[str, ...],
    profile: str | None,
    explain: bool,
    **values: Any,
) -> int:
    """Compare the platform's numbers with the desk's; return 1 if one differs."""
    with desk_work(context, values) as work:
        desk, task = work.desk, work.task
        summaries = summaries_of_profile(desk.evaluations(), profile)
        board = make_leaderboard(task, summaries)
        chosen = _chosen_columns(column, [info.name for info in board.metrics])
        found = server_scores(summaries, board.metrics, chosen)
        found.sort(key=lambda one: abs(one.difference or Decimal(0)), reverse=True)
        reasons: dict[tuple[str, str], str] = {}
        different = [one for one in found if one.difference]
        for one in different[:EXPLAINED] if explain else ():
            reasons[one.system, one.metric] = _reason(work, summaries, one)
        remarks = list(_comparison_remarks(summaries, found, board.metrics, chosen))
        if explain and len(different) > EXPLAINED:
            remarks.append(translate(ONLY_LARGEST, count=EXPLAINED))
        document = comparison_json(task.id, summaries, found, reasons)
        work.export(lambda _: document)
    for remark in remarks:
        context.remark(remark)
    work.deliver(comparison_rows(found, reasons))
    return INPUT_ERRORS if different or not found else DONE


EXPLAINED = 3
"""Number of differences that are explained: each needs scoring with every choice of options."""
ONLY_LARGEST = translatable("Only the {count} largest differences were explained.")


def _chosen_columns(pairs: Sequence[str], metrics: Sequence[str]) -> dict[str, str]:
    try:
        chosen = parse_columns(pairs)
    except ValueError as error:
        raise CommandError(fill('--column {pair}: give "COLUMN=METRIC".', error)) from error
    for metric in chosen.values():
        if metric not in metrics:
            refusal = translate('The board has no metric "{name}".', name=metric)
            raise CommandError(f"{refusal} {suggest_command(metric, metrics)}")
    return chosen


def _reason(work: DeskWork, summaries: Sequence[Summary], one: ServerScore) -> str:
    """Return the options that give the server's number, or why none is known."""
    summary = next(each for each in summaries if each.system == one.system)
    try:
        stamp = require_stamp(work.desk, summary)
        inputs = stamped_inputs(work.desk, work.task, stamp)
    except DeskError as error:
        return translate_text(str(error))
    options = options_of_stamp(work.task, stamp)
    tried = find_options(work.task, inputs, options, one.metric, parse_target(one.text), work.run)
    match = next((each for each in tried if each.is_match), None)
    if match is None:
        return translate("no profile and no option gives it")
    metric = "" if match.metric == one.metric else f" ({match.metric})"
    return option_text(match) + metric


def _comparison_remarks(
    summaries: Sequence[Summary],
    found: Sequence[ServerScore],
    metrics: Sequence[MetricInfo],
    chosen: Mapping[str, str],
) -> Iterator[str]:
    """Yield how columns were matched, and which columns and systems have no counterpart."""
    for column, metric in dict.fromkeys((one.column, one.metric) for one in found):
        scale = next(one.scale for one in found if one.column == column)
        sentence = MATCHED if scale == 1 else MATCHED_PERCENT
        yield Message(sentence).format(column=column, metric=metric)
    columns = dict.fromkeys(name for one in summaries for name in one.server)
    known = match_metrics(columns, metrics, chosen)
    if rest := [name for name in columns if name not in known]:
        names = name_list(rest)
        yield fill('No metric has the name of {names}: --column "COLUMN=METRIC" says which.', names)
    if silent := [one.system for one in summaries if not one.server]:
        count = counted(len(silent), "system")
        yield fill("{systems} without a number of a platform: {names}.", count, name_list(silent))


MATCHED = translatable("The server's column {column} is {metric} here.")
MATCHED_PERCENT = translatable("The server's column {column} is {metric} here, in percent.")


def comparison_rows(
    found: Sequence[ServerScore], reasons: Mapping[tuple[str, str], str]
) -> Iterator[str]:
    """Format a line per number, the largest difference first."""
    heads = [translate("system"), translate("metric"), translate("server")]
    heads += [translate("recomputed"), translate("difference"), translate("explanation")]
    rows = []
    for one in found:
        shown = repr(one.recomputed * one.scale)
        equal = translate("equal at {count} decimals", count=one.decimals)
        reason = reasons.get((one.system, one.metric), "" if one.difference else equal)
        rows.append([one.system, one.metric, one.text, shown, one.difference_text, reason])
    yield from align_columns(heads, rows, right={2, 3, 4})


def comparison_json(
    task: str,
    summaries: Sequence[Summary],
    found: Sequence[ServerScore],
    reasons: Mapping[tuple[str, str], str],
) -> Json:
    """Return the comparison as JSON values; numbers of the server are texts, as it wrote them."""
    return {
        "schema": 1,
        "task": task,
        "rows": [
            {
                "system": one.system,
                "profile": one.profile,
                "column": one.column,
                "metric": one.metric,
                "server": one.text,
                "recomputed": json_number(one.recomputed),
                "scale": one.scale,
                "decimals": one.decimals,
                "difference": one.difference_text or None,
                "equal": one.difference == 0,
                "explanation": reasons.get((one.system, one.metric)),
            }
            for one in found
        ],
        "without_number": [one.system for one in summaries if not one.server],
    }


compare_command = CliCommand(
    "compare",
    callback=compare_server,
    uses=COMPUTING,
    params=[
        desk_argument(),
        click.Option(
            ["--column"],
            multiple=True,
            metavar="COLUMN=METRIC",
            help="Metric of a server's column whose name is another.",
        ),
        click.Option(["--profile"], metavar="NAME", help="Compare results of this profile."),
        click.Option(
            ["--explain/--no-explain"],
            default=True,
            help="Search for the options that give a number that differs.",
        ),
        reveal_option(),
        json_option(),
    ],
    help="Compare the numbers that a platform recorded with those of a desk.",
)


@click.pass_obj
def check_package(
    context: CommandContext, /, platform: str, package: Path, json: Path | None
) -> int:
    """Print what a platform refuses, and accepts to one's harm; return 1 if it refuses."""
    defects = CHECKS[platform](package)
    context.report(defects)
    refused = has_errors(defects)
    verdict = translate("It is refused.") if refused else translate("It is accepted.")
    deliver([verdict], (json, verdict_json(defects)))
    return INPUT_ERRORS if refused else DONE


CHECKS = {"codabench": check_codabench, "evalai": check_evalai}

check_command = CliCommand(
    "check",
    callback=check_package,
    params=[
        click.Argument(["platform"], type=click.Choice(list(CHECKS))),
        click.Argument(["package"], type=PATH, metavar="FILE"),
        json_option(),
    ],
    help="Check a bundle of Codabench or a challenge of EvalAI: what the platform refuses, and "
    "what it accepts to the organiser's harm.",
)


command = SuggestingGroup(
    "platform",
    commands={
        "list": list_command,
        "compare": compare_command,
        "check": check_command,
        "export": export_command,
    },
    help="Read downloads of competition platforms, compare their numbers, and write packages.",
)
