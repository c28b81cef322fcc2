"""`jurydesk check TASK`: every defect of every file, without scoring."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from core.cli.command import Command, Surroundings, TaskGroup
from core.cli.console import defect_lines, say_always
from core.cli.faults import DONE, INPUT_ERRORS, require_writable
from core.cli.kit_check import checked, parameters
from core.cli.output import is_standard_output, json_option, write_json
from core.cli.parameters import options_of, task_parameters
from core.cli.running import running
from core.cli.submissions import competition_of, with_submissions
from core.defects import Severity, has_errors
from core.model import Json
from core.run.engine import Result
from core.task import AnyTask
from core.workflow.score import check


def build(task: AnyTask) -> click.Command:
    """The command that checks the files of one competition."""

    @click.pass_obj
    def callback(surroundings: Surroundings, /, **values: Any) -> int:
        return check_task(task, surroundings, values)

    return Command(
        task.id,
        callback=callback,
        params=[*with_submissions(task, task_parameters(task)), json_option()],
        short_help=task.title,
        help=f"List every defect of the files of {task.title}.",
    )


def check_task(task: AnyTask, surroundings: Surroundings, values: dict[str, Any]) -> int:
    """Print the defects and how many there are; 1 where one is an error."""
    require_writable(values["json"], "--json")
    competition = competition_of(task, options_of(task, values), surroundings, values)
    with running(surroundings) as run:
        outcome = check(competition, run)
    log, found = outcome.record.defects, outcome.result
    shared = (*log.intake, *log.resolution, *found.reference_defects)
    return told(task, replace(found, reference_defects=shared), surroundings, values["json"])


@click.pass_obj
def check_with_kit(
    surroundings: Surroundings, /, kit: Path, submissions: tuple[Path, ...], json: Path | None
) -> int:
    """Print what the organiser's check would say of these submissions."""
    require_writable(json, "--json")
    task, result = checked(surroundings, kit, submissions)
    return told(task, result, surroundings, json)


def told(task: AnyTask, result: Result, surroundings: Surroundings, target: Path | None) -> int:
    """Print or write the defects; the exit code."""
    if target is not None:
        write_json(target, checked_json(task, result))
    if not is_standard_output(target):
        wanted = [d for d in result.defects if not surroundings.quiet or is_error(d.severity)]
        for line in defect_lines(wanted):
            say_always(line)
        surroundings.remark(summary(result))
    return INPUT_ERRORS if has_errors(result.defects) else DONE


def is_error(severity: Severity) -> bool:
    """Whether it stops scoring."""
    return severity is Severity.ERROR


def summary(result: Result) -> str:
    """`2 errors, 1 warning and 0 notes.`, or that there are none."""
    counts = {kind: sum(d.severity is kind for d in result.defects) for kind in Severity}
    if not any(counts.values()):
        return "No defects."
    words = [f"{n} {kind}{'' if n == 1 else 's'}" for kind, n in counts.items()]
    return f"{', '.join(words[:-1])} and {words[-1]}."


def checked_json(task: AnyTask, result: Result) -> Json:
    """The defects of the shared files, and those of each system."""
    return {
        "schema": 1,
        "task": task.id,
        "defects": [defect.to_json() for defect in result.reference_defects],
        "systems": [
            {"name": entry.system, "defects": [defect.to_json() for defect in entry.defects]}
            for entry in result.entries
        ],
    }


class Checks(TaskGroup):
    """A command for each competition, and one for a participant's kit (`--kit` comes first)."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read `--kit FILE` like the name of a command and its option."""
        with_kit = bool(args) and args[0].partition("=")[0] == "--kit"
        return super().parse_args(ctx, [KIT, *args] if with_kit else args)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command for a competition or for a kit, or None."""
        return kit_command if name == KIT else super().get_command(ctx, name)


KIT = "kit"
kit_command = Command(
    KIT,
    callback=check_with_kit,
    params=parameters(),
    help="List what the organiser's check would say of submissions, without the gold.",
)
command = Checks(
    "check",
    build,
    help="List every defect of a competition's files; with --kit FILE, of a participant's.",
)
