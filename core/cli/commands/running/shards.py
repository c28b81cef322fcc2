"""`jurydesk shards`: a job as a folder of files, scored anywhere and merged in any order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from jurydesk.core.cli.command import (
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
    require_writable,
)
from jurydesk.core.cli.output import (
    create_target_desk,
    desk_option,
    item_format,
    items_option,
    json_option,
)
from jurydesk.core.cli.parameters import (
    PATH,
    file_option,
    flag,
    parse_inputs,
    parse_names,
    parse_options,
    task_parameters,
)
from jurydesk.core.cli.running import open_run
from jurydesk.core.cli.submissions import to_received_files
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.intake.role_check import explain_wrong_roles
from jurydesk.core.model.defects import Defect, Place, counted, error, has_errors
from jurydesk.core.sharded_jobs.manifest import (
    RESULTS,
    JobError,
    read_manifest,
    result_path,
    shard_path,
)
from jurydesk.core.workflow.score import CompetitionFiles, score_competition

if TYPE_CHECKING:
    from jurydesk.core.sharded_jobs.manifest import Manifest
    from jurydesk.core.sharded_jobs.merge_shards import ShardResults

PART = re.compile(r"([1-9][0-9]*)/([1-9][0-9]*)")


def build_split_command(task: AnyTask) -> click.Command:
    """The command that splits a run of one competition."""
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
                help="Chunks in a shard; a chunk is some 0.1 s of texts or 32 pictures.",
            ),
        ],
        f"Write what {task.title} would score into a folder of shards.",
    )


def split_task(task: AnyTask, surroundings: CommandContext, values: dict[str, Any]) -> int:
    """Read and check every file, and write the job; 1 where a file has errors."""
    from jurydesk.core.sharded_jobs.split_job import CHUNKS, ShardWriter, split_job

    folder: Path = values["out"]
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise CommandError(f"--out {folder}: name a folder that is new or empty.")
    inputs, options = parse_inputs(task, values), parse_options(task, values)
    splitter = ShardWriter(folder, values["chunks"] or CHUNKS, surroundings.data)
    with output_errors(folder), open_run(surroundings) as run:
        names = parse_names(task, inputs, values["name"])
        result, manifest = split_job(task, inputs, options, run, splitter, names=names)
        result = explain_wrong_roles(task, inputs, result)
    surroundings.report(result.defects)
    if manifest is None:
        raise CommandError("Nothing was split: mend the errors above first.", INPUT_ERRORS)
    items = sum(shard.items for shard in manifest.shards)
    print_result(
        f"{counted(len(manifest.shards), 'shard')} with {items:,} items written to {folder}."
    )
    return INPUT_ERRORS if has_errors(result.defects) else DONE


@click.pass_obj
def score_shards(
    surroundings: CommandContext,
    /,
    places: tuple[Path, ...],
    results: Path | None,
    part: str | None,
    again: bool,
) -> int:
    """Score shards that have no result yet; 1 where one cannot be read."""
    from jurydesk.core.sharded_jobs.score_shard import open_shard, score_shard
    from jurydesk.core.sharded_jobs.shard_file import DamagedFileError

    defects: list[Defect] = []
    done = there = 0
    with open_run(surroundings) as run:
        for path, target in _select_shards(places, results, part):
            if target.is_file() and not again:
                there += 1
                continue
            try:
                shard = open_shard(path, registry().chunks)
            except DamagedFileError as fault:
                defects.append(error(Place(str(path)), f"This shard cannot be scored: {fault}."))
                continue
            with output_errors(target):
                score_shard(shard, target, run)
            done += 1
    surroundings.report(defects)
    known = f", {there:,} had their result already" if there else ""
    print_result(f"{counted(done, 'shard')} scored{known}.")
    return INPUT_ERRORS if defects else DONE


def _select_shards(
    places: Sequence[Path], results: Path | None, part: str | None
) -> Iterator[tuple[Path, Path]]:
    """The shard files that are asked for, and where their results go."""
    found: list[tuple[Path, Path]] = []
    for place in places:
        if place.is_dir():
            names = [shard.name for shard in open_job(place).shards]
            folder = results or place / RESULTS
            found += [(shard_path(place, name), result_path(folder, name)) for name in names]
        else:
            folder = results or place.parent.parent / RESULTS
            found.append((place, result_path(folder, place.stem)))
    first, step = _part(part)
    yield from found[first - 1 :: step]


def _part(part: str | None) -> tuple[int, int]:
    """`2/5` as numbers: the second of every five."""
    match = PART.fullmatch(part or "1/1")
    if match is None or int(match[1]) > int(match[2]):
        raise CommandError(
            f"--part {part}: write K/N, such as 2/5 for the second of five machines."
        )
    return int(match[1]), int(match[2])


REFUSED = "The shards above cannot be merged: mend them first."


def open_job(folder: Path) -> Manifest:
    """The manifest of a job's folder; a Fault where there is none."""
    if folder.is_file():
        raise CommandError(f"{folder} is a file: give the job's folder.", INPUT_ERRORS)
    try:
        return read_manifest(folder)
    except JobError as fault:
        raise CommandError(str(fault), INPUT_ERRORS) from fault


@click.pass_obj
def check_job(surroundings: CommandContext, /, job: Path, results: tuple[Path, ...]) -> int:
    """List what is wrong with shards and results, and what is not scored yet."""
    from jurydesk.core.sharded_jobs.merge_shards import (
        check_shards,
        gather_results,
        unscored_shards,
    )

    manifest = open_job(job)
    found = gather_results(manifest, job, results)
    defects = [*check_shards(manifest, job), *found.defects, *unscored_shards(found, job)]
    surroundings.report(defects)
    scored = len(manifest.shards) - len(found.missing)
    print_result(f"{scored:,} of {counted(len(manifest.shards), 'shard')} scored.")
    return INPUT_ERRORS if has_errors(defects) else DONE


@click.pass_obj
def merge_job(
    surroundings: CommandContext,
    /,
    job: Path,
    results: tuple[Path, ...],
    inputs: Path | None,
    **values: Any,
) -> int:
    """Merge shard results into what `score` gives; 1 where a shard is missing or wrong."""
    from jurydesk.core.sharded_jobs.merge_shards import gather_results

    for option in ("json", "items", "desk"):
        require_writable(values[option], f"--{option}")
    if values["items"] is not None:
        item_format(values["items"])
    manifest = open_job(job)
    task = registry().tasks.get(manifest.task)
    if task is None:
        raise CommandError(f'There is no competition "{manifest.task}" here.', INPUT_ERRORS)
    found = gather_results(manifest, job, results)
    lacking = [
        error(Place(str(job)), f"Shard {shard.name} has no result.") for shard in found.missing
    ]
    surroundings.report([*found.defects, *lacking])
    if has_errors([*found.defects, *lacking]):
        raise CommandError(REFUSED, INPUT_ERRORS)
    return _merge(task, manifest, found, [job, *([inputs] if inputs else [])], surroundings, values)


def _merge(
    task: AnyTask,
    manifest: Manifest,
    found: ShardResults,
    folders: Sequence[Path],
    surroundings: CommandContext,
    values: dict[str, Any],
) -> int:
    from jurydesk.core.analysis.verify import make_options
    from jurydesk.core.sharded_jobs.merge_shards import MergeWorkers, locate_inputs

    options = make_options(task, manifest.options)
    postponed: list[Any] = []
    with create_target_desk(values["desk"], task, options), open_run(surroundings) as run:
        try:
            inputs, names = locate_inputs(manifest, folders, run)
        except JobError as fault:
            raise CommandError(str(fault), INPUT_ERRORS) from fault
        run.merge_from(found, lambda: MergeWorkers(run.jobs), postponed.append)
        received = to_received_files(inputs.get(task.submission_input().role, ()))
        competition = CompetitionFiles(values["desk"], task, inputs, options, received, names)
        outcome = score_competition(competition, run)
    surroundings.report(outcome.defects)
    if postponed:
        raise CommandError(
            "The job lacks chunks that these inputs need: split it again.", INPUT_ERRORS
        )
    return deliver_results(task, options, outcome.result, surroundings, values)


def _job_argument() -> click.Argument:
    return click.Argument(["job"], type=PATH, metavar="JOB_FOLDER")


def _results_option() -> click.Option:
    return file_option(
        "--results",
        metavar="PLACE",
        multiple=True,
        help="A result file, or a folder of them, beside those in the job's own folder.",
    )


command = SuggestingGroup(
    "shards",
    help="A job as a folder of files: split here, scored anywhere, merged in any order.",
    commands=[
        TaskGroup("split", build_split_command, help="Write what would be scored into shards."),
        CliCommand(
            "score",
            callback=score_shards,
            params=[
                click.Argument(
                    ["places"], type=PATH, nargs=-1, required=True, metavar="JOB|SHARD..."
                ),
                file_option("--results", metavar="FOLDER", help="Where the results go."),
                click.Option(
                    ["--part"],
                    metavar="K/N",
                    help="Only every Nth shard from the Kth on, for machine K of N.",
                ),
                flag("--again", help="Also those that have a result."),
            ],
            help="Score shards, with nothing but their files.\n\nJOB is a job's folder, SHARD "
            "one file of it.",
        ),
        CliCommand(
            "merge",
            callback=merge_job,
            params=[
                _job_argument(),
                _results_option(),
                file_option("--inputs", metavar="FOLDER", help="Where the input files are now."),
                json_option(),
                items_option(),
                desk_option(),
            ],
            help="Make of all results what `score` makes of the files.",
        ),
        CliCommand(
            "check",
            callback=check_job,
            params=[_job_argument(), _results_option()],
            help="List missing, altered and foreign shards and results.",
        ),
    ],
)
