"""`jurydesk check --kit FILE.jurycomp SUBMISSION...`: the organiser's check without the gold."""

from __future__ import annotations

from pathlib import Path

import click

from core.cli.command import Surroundings
from core.cli.faults import INPUT_ERRORS, Fault
from core.cli.output import json_option
from core.cli.parameters import PATH, file_option
from core.cli.running import running
from core.intake.misplaced import placed
from core.kit.kit import Kit, KitError, check, other_version, read_kit
from core.run.engine import Result
from core.task import AnyTask
from core.tasks.registry import registry


def opened(path: Path) -> tuple[Kit, AnyTask]:
    """The kit of a file and its competition; a Fault where either is not there."""
    try:
        kit = read_kit(path)
    except KitError as wrong:
        raise Fault(str(wrong), INPUT_ERRORS) from wrong
    task = registry().tasks.get(kit.task_id)
    if task is None or task.submission_checks.redaction is None:
        raise Fault(
            f"{path.name} is a kit of the competition {kit.task_id!r}, which this installation "
            "does not have: install the package that adds it.",
            INPUT_ERRORS,
        )
    return kit, task


def checked(
    surroundings: Surroundings, path: Path, submissions: tuple[Path, ...]
) -> tuple[AnyTask, Result]:
    """What the kit says of the submissions; remarks tell what it cannot say."""
    kit, task = opened(path)
    for sentence in filter(None, (other_version(kit), *map(left_out, kit.unable))):
        surroundings.remark(sentence)
    try:
        with running(surroundings) as run:
            return task, placed(task, {}, check(task, kit, submissions, run))
    except KitError as wrong:
        raise Fault(f"{path.name}: {wrong}", INPUT_ERRORS) from wrong


def left_out(sentence: str) -> str:
    """A remark about what only the organiser's check can tell."""
    return f"Only the organiser can check: {sentence[:1].lower()}{sentence[1:]}"


def parameters() -> list[click.Parameter]:
    """The kit, and the submissions."""
    return [
        file_option("--kit", metavar="FILE.jurycomp", required=True, help="The kit."),
        click.Argument(
            ["submissions"], type=PATH, nargs=-1, required=True, metavar="SUBMISSION..."
        ),
        json_option(),
    ]
