"""Command `jurydesk shards`: split a job into files, score them anywhere, merge the results."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from jurydesk.core.cli.command import (
    CHUNKS,
    CliCommand,
    CommandContext,
    SuggestingGroup,
    TaskGroup,
    task_command,
)
from jurydesk.core.cli.commands.scoring.score import deliver_results
from jurydesk.core.cli.console import print_result
from jurydesk.core.cli.exit_codes import (
    DONE,
    INPUT_ERRORS,
    CommandError,
    output_errors,
)
from jurydesk.core.cli.output import json_option
from jurydesk.core.cli.parameters import (
    PATH,
    file_option,
    flag,
    parse_inputs,
    parse_names,
    parse_options,
    task_parameters,
)
from jurydesk.core.cli.result_files import (
    create_target_desk,
    desk_option,
    items_option,
)
from jurydesk.core.cli.running import open_run
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.execution.sharded_jobs.manifest import (
    RESULTS,
    JobError,
    Manifest,
    read_manifest,
    result_path,
    shard_path,
)
from jurydesk.core.intake.role_check import explain_wrong_roles
from jurydesk.core.language import Message, fill, translate, translate_plural, translate_text
from jurydesk.core.model.defects import Defect, Place, error, has_errors, warning
from jurydesk.core.model.input_file import InputFile, paths_by_role
from jurydesk.core.workflow.files import explicit_files
from jurydesk.core.workflow.score import CompetitionFiles, score_competition

if TYPE_CHECKING:
    from jurydesk.core.execution.sharded_jobs.merge_shards import ShardResults

PART_PATTERN = re.compile(r"([1-9][0-9]*)/([1-9][0-9]*)")


def build_split_command(task: AnyTask) -> click.Command:
    """Return the command that splits a run of one competition."""
    return task_command(
        task,
        split_task,
        [
            *task_parameters(task),
            file_option("--out", metavar="FOLDER", required=True, help="The job's new folder."),
            click.Option(
                ["--chunks"],
                type=click.IntRange(min=1),
                metavar="N",
                help="Chunks per shard; a chunk is about 0.1 s of text scoring or 32 pictures.",
            ),
        ],
        translate(
            "Split a run of {title} into a folder of shards.", title=translate_text(task.title)
        ),
        ("device", "jobs", "data"),
    )


def split_task(task: AnyTask, context: CommandContext, values: dict[str, Any]) -> int:
    """Read and check every file, and write the job; return 1 if a file has errors."""
    from jurydesk.core.execution.sharded_jobs.split_job import CHUNKS, ShardWriter, split_job

    folder: Path = values["out"]
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise CommandError(
            translate("--out {folder}: choose a new or empty folder.", folder=folder)
        )
    inputs, options = parse_inputs(task, values), parse_options(task, values)
    splitter = ShardWriter(folder, values["chunks"] or CHUNKS, context.data)
    with output_errors(folder), open_run(context) as run:
        files = explicit_files(task, inputs, parse_names(task, inputs, values["name"]))
        result, manifest = split_job(task, files, options, run, splitter)
        result = explain_wrong_roles(task, files, result)
    context.report(result.defects)
    if manifest is None:
        raise CommandError("Nothing was split: fix the errors above first.", INPUT_ERRORS)
    items = sum(shard.items for shard in manifest.shards)
    print_result(
        translate_plural(
            "{count} shard with {items} written to {folder}.",
            "{count} shards with {items} written to {folder}.",
            len(manifest.shards),
            items=translate_plural("{count} item", "{count} items", items),
            folder=folder,
        )
    )
    return INPUT_ERRORS if has_errors(result.defects) else DONE


@click.pass_obj
def score_shards(
    context: CommandContext,
    /,
    places: tuple[Path, ...],
    results: Path | None,
    part: str | None,
    again: bool,
) -> int:
    """Score shards that have no result yet; return 1 if one cannot be read."""
    from jurydesk.core.execution.sharded_jobs.score_shard import open_shard, score_shard
    from jurydesk.core.execution.sharded_jobs.shard_file import DamagedFileError

    defects: list[Defect] = []
    done = skipped = 0
    with open_run(context) as run:
        for path, target in _select_shards(places, results, part):
            if target.is_file() and not again:
                skipped += 1
                continue
            try:
                shard = open_shard(path, registry().chunks)
            except DamagedFileError as fault:
                defects.append(
                    error(
                        Place(str(path)),
                        fill("This shard cannot be scored: {fault}.", Message(str(fault))),
                    )
                )
                continue
            with output_errors(target):
                score_shard(shard, target, run)
            done += 1
    context.report(defects)
    print_result(scored_sentence(done, skipped))
    return INPUT_ERRORS if defects else DONE


def scored_sentence(done: int, skipped: int) -> str:
    """Return how many shards were scored, and how many had a result before."""
    if not skipped:
        return translate_plural("{count} shard scored.", "{count} shards scored.", done)
    return translate_plural(
        "{count} shard scored, {skipped:,} already had a result.",
        "{count} shards scored, {skipped:,} already had a result.",
        done,
        skipped=skipped,
    )


def _select_shards(
    places: Sequence[Path], results: Path | None, part: str | None
) -> Iterator[tuple[Path, Path]]:
    """Yield the shard files of one part, with the paths of their results."""
    shards: list[tuple[Path, Path]] = []
    for place in places:
        if place.is_dir():
            names = [shard.name for shard in open_job(place).shards]
            folder = results or place / RESULTS
            shards += [(shard_path(place, name), result_path(folder, name)) for name in names]
        else:
            folder = results or place.parent.parent / RESULTS
            shards.append((place, result_path(folder, place.stem)))
    first, step = _parse_part(part)
    yield from shards[first - 1 :: step]


def _parse_part(part: str | None) -> tuple[int, int]:
    """Parse `2/5`: the second of every five."""
    match = PART_PATTERN.fullmatch(part or "1/1")
    if match is None or int(match[1]) > int(match[2]):
        raise CommandError(
            translate(
                "--part {part}: write K/N, such as 2/5 for the second of five machines.", part=part
            )
        )
    return int(match[1]), int(match[2])


NOTHING_MERGED = "Nothing was merged: fix the shards above first."


def open_job(folder: Path) -> Manifest:
    """Read the manifest of a job's folder; raise CommandError if it has none."""
    if folder.is_file():
        raise CommandError(
            fill("{folder} is a file: give the folder of the job.", folder), INPUT_ERRORS
        )
    try:
        return read_manifest(folder)
    except JobError as error:
        raise CommandError(str(error), INPUT_ERRORS) from error


@click.pass_obj
def check_job(context: CommandContext, /, job: Path, results: tuple[Path, ...]) -> int:
    """List problems of shards and results, and shards that are not scored yet."""
    from jurydesk.core.execution.sharded_jobs.merge_shards import (
        check_shards,
        gather_results,
        unscored_shards,
    )

    manifest = open_job(job)
    found = gather_results(manifest, job, results)
    defects = [*check_shards(manifest, job), *found.defects, *unscored_shards(found, job)]
    context.report(defects)
    scored = len(manifest.shards) - len(found.missing)
    print_result(
        translate_plural(
            "{scored:,} of {count} shard scored.",
            "{scored:,} of {count} shards scored.",
            len(manifest.shards),
            scored=scored,
        )
    )
    return INPUT_ERRORS if has_errors(defects) else DONE


@click.pass_obj
def merge_job(
    context: CommandContext,
    /,
    job: Path,
    results: tuple[Path, ...],
    inputs: Path | None,
    **values: Any,
) -> int:
    """Merge shard results into what `score` gives; return 1 if a shard is missing or wrong."""
    from jurydesk.core.execution.sharded_jobs.merge_shards import gather_results

    manifest = open_job(job)
    task = registry().tasks.get(manifest.task)
    if task is None:
        raise CommandError(
            fill('This installation has no competition "{task}".', manifest.task), INPUT_ERRORS
        )
    found = gather_results(manifest, job, results)
    missing = [
        error(Place(str(job)), fill("Shard {name} has no result.", shard.name))
        for shard in found.missing
    ]
    context.report([*found.defects, *missing])
    if has_errors([*found.defects, *missing]):
        raise CommandError(NOTHING_MERGED, INPUT_ERRORS)
    return _merge(task, manifest, found, [job, *([inputs] if inputs else [])], context, values)


def _merge(
    task: AnyTask,
    manifest: Manifest,
    found: ShardResults,
    folders: Sequence[Path],
    context: CommandContext,
    values: dict[str, Any],
) -> int:
    from jurydesk.core.competition.stamped_options import make_options
    from jurydesk.core.execution.sharded_jobs.merge_shards import MergeWorkers, locate_inputs

    options = make_options(task, manifest.options)
    unfinished: list[Any] = []
    with create_target_desk(values["desk"], task, options), open_run(context) as run:
        try:
            located = locate_inputs(manifest, folders, run)
        except JobError as error:
            raise CommandError(str(error), INPUT_ERRORS) from error
        run.merge_from(found, lambda: MergeWorkers(run.jobs), unfinished.append)
        role = task.submission_input().role
        submissions = [one for one in located if one.role == role]
        names = {one.path: one.name for one in submissions}
        context.report(list(_merged_twice(submissions)))
        files = explicit_files(task, paths_by_role(located), [*names.values()])
        outcome = score_competition(CompetitionFiles(values["desk"], task, files, options), run)
    context.report(outcome.defects)
    if unfinished:
        raise CommandError(
            "The job has no results for some of these inputs: split it again.", INPUT_ERRORS
        )
    return deliver_results(task, options, outcome.result, context, values)


def _merged_twice(submissions: Sequence[InputFile]) -> Iterator[Defect]:
    """Yield a warning on each file that now stands for equal ones of several systems."""
    for path, count in Counter(one.path for one in submissions).items():
        if count > 1:
            found = fill("{count} submissions have this same file now.", count)
            yield warning(Place(str(path)), found, "They are merged as one system.", count=count)


def _job_argument() -> click.Argument:
    return click.Argument(["job"], type=PATH, metavar="JOB_FOLDER")


def _results_option() -> click.Option:
    return file_option(
        "--results",
        metavar="PLACE",
        multiple=True,
        help="Result file, or folder of result files, in addition to those in the job's folder.",
    )


command = SuggestingGroup(
    "shards",
    help="Split a job into files, score them on any machine, and merge the results.",
    commands=[
        TaskGroup("split", build_split_command, help="Split a run into shards."),
        CliCommand(
            "score",
            callback=score_shards,
            uses=CHUNKS,
            params=[
                click.Argument(
                    ["places"], type=PATH, nargs=-1, required=True, metavar="JOB|SHARD..."
                ),
                file_option("--results", metavar="FOLDER", help="Folder for the results."),
                click.Option(
                    ["--part"],
                    metavar="K/N",
                    help="Score every Nth shard from the Kth on: the part of machine K of N.",
                ),
                flag("--again", help="Also score shards that already have a result."),
            ],
            help="Score shards without the input files.\n\nJOB is the folder of a job, SHARD one "
            "of its files.",
        ),
        CliCommand(
            "merge",
            callback=merge_job,
            uses=("device", "jobs"),
            params=[
                _job_argument(),
                _results_option(),
                file_option("--inputs", metavar="FOLDER", help="Folder of the input files now."),
                json_option(),
                items_option(),
                desk_option(),
            ],
            help="Merge all results into what `score` would give.",
        ),
        CliCommand(
            "check",
            callback=check_job,
            params=[_job_argument(), _results_option()],
            help="List missing, altered and unrelated shards and results.",
        ),
    ],
)
