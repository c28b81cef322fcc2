"""`jurydesk shards`: a job as a folder of files, scored anywhere and merged in any order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from jurydesk.core.cli.command import Command, Suggesting, Surroundings, TaskGroup, task_command
from jurydesk.core.cli.commands.scoring.score import delivered
from jurydesk.core.cli.console import say
from jurydesk.core.cli.exit_codes import DONE, INPUT_ERRORS, Fault, require_writable, writing
from jurydesk.core.cli.output import desk_for, desk_option, item_format, items_option, json_option
from jurydesk.core.cli.parameters import (
    PATH,
    file_option,
    flag,
    inputs_of,
    names_of,
    options_of,
    task_parameters,
)
from jurydesk.core.cli.running import running
from jurydesk.core.cli.submissions import received_files
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.intake.role_check import placed
from jurydesk.core.model.defects import Defect, Place, counted, error, has_errors
from jurydesk.core.sharded_jobs.manifest import (
    RESULTS,
    JobError,
    read_manifest,
    result_path,
    shard_path,
)
from jurydesk.core.workflow.score import Competition, score

if TYPE_CHECKING:
    from jurydesk.core.sharded_jobs.manifest import Manifest
    from jurydesk.core.sharded_jobs.merge_shards import Results

PART = re.compile(r"([1-9][0-9]*)/([1-9][0-9]*)")


def build_split(task: AnyTask) -> click.Command:
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


def split_task(task: AnyTask, surroundings: Surroundings, values: dict[str, Any]) -> int:
    """Read and check every file, and write the job; 1 where a file has errors."""
    from jurydesk.core.sharded_jobs.split_job import CHUNKS, Splitter, split

    folder: Path = values["out"]
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Fault(f"--out {folder}: name a folder that is new or empty.")
    inputs, options = inputs_of(task, values), options_of(task, values)
    splitter = Splitter(folder, values["chunks"] or CHUNKS, surroundings.data)
    with writing(folder), running(surroundings) as run:
        names = names_of(task, inputs, values["name"])
        result, manifest = split(task, inputs, options, run, splitter, names=names)
        result = placed(task, inputs, result)
    surroundings.report(result.defects)
    if manifest is None:
        raise Fault("Nothing was split: mend the errors above first.", INPUT_ERRORS)
    items = sum(shard.items for shard in manifest.shards)
    say(f"{counted(len(manifest.shards), 'shard')} with {items:,} items written to {folder}.")
    return INPUT_ERRORS if has_errors(result.defects) else DONE


@click.pass_obj
def score_shards(
    surroundings: Surroundings,
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
    with running(surroundings) as run:
        for path, target in _wanted(places, results, part):
            if target.is_file() and not again:
                there += 1
                continue
            try:
                shard = open_shard(path, registry().chunks)
            except DamagedFileError as fault:
                defects.append(error(Place(str(path)), f"This shard cannot be scored: {fault}."))
                continue
            with writing(target):
                score_shard(shard, target, run)
            done += 1
    surroundings.report(defects)
    known = f", {there:,} had their result already" if there else ""
    say(f"{counted(done, 'shard')} scored{known}.")
    return INPUT_ERRORS if defects else DONE


def _wanted(
    places: Sequence[Path], results: Path | None, part: str | None
) -> Iterator[tuple[Path, Path]]:
    """The shard files that are asked for, and where their results go."""
    found: list[tuple[Path, Path]] = []
    for place in places:
        if place.is_dir():
            names = [shard.name for shard in job_of(place).shards]
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
        raise Fault(f"--part {part}: write K/N, such as 2/5 for the second of five machines.")
    return int(match[1]), int(match[2])


REFUSED = "The shards above cannot be merged: mend them first."


def job_of(folder: Path) -> Manifest:
    """The manifest of a job's folder; a Fault where there is none."""
    if folder.is_file():
        raise Fault(f"{folder} is a file: give the job's folder.", INPUT_ERRORS)
    try:
        return read_manifest(folder)
    except JobError as fault:
        raise Fault(str(fault), INPUT_ERRORS) from fault


@click.pass_obj
def check_job(surroundings: Surroundings, /, job: Path, results: tuple[Path, ...]) -> int:
    """List what is wrong with shards and results, and what is not scored yet."""
    from jurydesk.core.sharded_jobs.merge_shards import check, gather, unscored

    manifest = job_of(job)
    found = gather(manifest, job, results)
    defects = [*check(manifest, job), *found.defects, *unscored(found, job)]
    surroundings.report(defects)
    scored = len(manifest.shards) - len(found.missing)
    say(f"{scored:,} of {counted(len(manifest.shards), 'shard')} scored.")
    return INPUT_ERRORS if has_errors(defects) else DONE


@click.pass_obj
def merge_job(
    surroundings: Surroundings,
    /,
    job: Path,
    results: tuple[Path, ...],
    inputs: Path | None,
    **values: Any,
) -> int:
    """Make of the results what `score` makes; 1 where a shard is missing or wrong."""
    from jurydesk.core.sharded_jobs.merge_shards import gather

    for option in ("json", "items", "desk"):
        require_writable(values[option], f"--{option}")
    if values["items"] is not None:
        item_format(values["items"])
    manifest = job_of(job)
    task = registry().tasks.get(manifest.task)
    if task is None:
        raise Fault(f'There is no competition "{manifest.task}" here.', INPUT_ERRORS)
    found = gather(manifest, job, results)
    lacking = [
        error(Place(str(job)), f"Shard {shard.name} has no result.") for shard in found.missing
    ]
    surroundings.report([*found.defects, *lacking])
    if has_errors([*found.defects, *lacking]):
        raise Fault(REFUSED, INPUT_ERRORS)
    return _merge(task, manifest, found, [job, *([inputs] if inputs else [])], surroundings, values)


def _merge(
    task: AnyTask,
    manifest: Manifest,
    found: Results,
    folders: Sequence[Path],
    surroundings: Surroundings,
    values: dict[str, Any],
) -> int:
    from jurydesk.core.analysis.verify import make_options
    from jurydesk.core.sharded_jobs.merge_shards import Merged, located

    options = make_options(task, manifest.options)
    postponed: list[Any] = []
    with desk_for(values["desk"], task, options), running(surroundings) as run:
        try:
            inputs, names = located(manifest, folders, run)
        except JobError as fault:
            raise Fault(str(fault), INPUT_ERRORS) from fault
        run.merge_from(found, lambda: Merged(run.jobs), postponed.append)
        received = received_files(inputs.get(task.submission_input().role, ()))
        competition = Competition(values["desk"], task, inputs, options, received, names)
        outcome = score(competition, run)
    surroundings.report(outcome.defects)
    if postponed:
        raise Fault("The job lacks chunks that these inputs need: split it again.", INPUT_ERRORS)
    return delivered(task, options, outcome.result, surroundings, values)


def _job_argument() -> click.Argument:
    return click.Argument(["job"], type=PATH, metavar="JOB_FOLDER")


def _results_option() -> click.Option:
    return file_option(
        "--results",
        metavar="PLACE",
        multiple=True,
        help="A result file, or a folder of them, beside those in the job's own folder.",
    )


command = Suggesting(
    "shards",
    help="A job as a folder of files: split here, scored anywhere, merged in any order.",
    commands=[
        TaskGroup("split", build_split, help="Write what would be scored into shards."),
        Command(
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
        Command(
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
        Command(
            "check",
            callback=check_job,
            params=[_job_argument(), _results_option()],
            help="List missing, altered and foreign shards and results.",
        ),
    ],
)
