"""What becomes of a job of shards: what is still missing, and the results put together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from core.cli.command import Surroundings
from core.cli.commands.score import delivered
from core.cli.console import say
from core.cli.faults import DONE, INPUT_ERRORS, Fault, require_writable
from core.cli.output import desk_for, item_format
from core.cli.running import running
from core.cli.submissions import received_files
from core.defects import Place, counted, error, has_errors
from core.shards.manifest import JobError, read_manifest
from core.task import AnyTask
from core.tasks.registry import registry
from core.workflow.score import Competition, score

if TYPE_CHECKING:
    from core.shards.manifest import Manifest
    from core.shards.merging import Results

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
    from core.shards.merging import check, gather, unscored

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
    from core.shards.merging import gather

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
    from core.shards.merging import Merged, located
    from core.verify import options_made

    options = options_made(task, manifest.options)
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
