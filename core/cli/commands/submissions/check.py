"""`jurydesk check TASK`: every defect of every file, without scoring."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from jurydesk.core.cli.command import CliCommand, CommandContext, TaskGroup, task_command
from jurydesk.core.cli.console import defect_lines, print_always
from jurydesk.core.cli.exit_codes import DONE, INPUT_ERRORS, CommandError, require_writable
from jurydesk.core.cli.output import is_standard_output, json_option, write_json_output
from jurydesk.core.cli.parameters import PATH, file_option, parse_options, task_parameters
from jurydesk.core.cli.running import open_run
from jurydesk.core.cli.submissions import add_submissions_option, parse_competition
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.execution.engine import CompetitionResult
from jurydesk.core.intake.role_check import explain_wrong_roles
from jurydesk.core.model.defects import Severity, has_errors
from jurydesk.core.model.evaluation import Json
from jurydesk.core.participant_kit.kit import KitError, ParticipantKit, read_kit, version_notice
from jurydesk.core.participant_kit.kit import check_with_kit_rules as check_by_kit
from jurydesk.core.workflow.score import check_competition


def build_check_command(task: AnyTask) -> click.Command:
    """The command that checks the files of one competition."""
    return task_command(
        task,
        check_command,
        [*add_submissions_option(task, task_parameters(task)), json_option()],
        f"List every defect of the files of {task.title}.",
    )


def check_command(task: AnyTask, surroundings: CommandContext, values: dict[str, Any]) -> int:
    """Print the defects and how many there are; 1 where one is an error."""
    require_writable(values["json"], "--json")
    competition = parse_competition(task, parse_options(task, values), surroundings, values)
    with open_run(surroundings) as run:
        outcome = check_competition(competition, run)
    log, found = outcome.record.defects, outcome.result
    shared = (*log.intake, *log.resolution, *found.reference_defects)
    return deliver_defects(
        task, replace(found, reference_defects=shared), surroundings, values["json"]
    )


def open_kit(path: Path) -> tuple[ParticipantKit, AnyTask]:
    """The kit of a file and its competition; a Fault where either is not there."""
    try:
        kit = read_kit(path)
    except KitError as wrong:
        raise CommandError(str(wrong), INPUT_ERRORS) from wrong
    task = registry().tasks.get(kit.task_id)
    if task is None or task.submission_checks.redaction is None:
        raise CommandError(
            f"{path.name} is a kit of the competition {kit.task_id!r}, which this installation "
            "does not have: install the package that adds it.",
            INPUT_ERRORS,
        )
    return kit, task


def check_submissions(
    surroundings: CommandContext, path: Path, submissions: tuple[Path, ...]
) -> tuple[AnyTask, CompetitionResult]:
    """What the kit says of the submissions; remarks tell what it cannot say."""
    kit, task = open_kit(path)
    for sentence in filter(None, (version_notice(kit), *map(unable_remark, kit.unable))):
        surroundings.remark(sentence)
    try:
        with open_run(surroundings) as run:
            return task, explain_wrong_roles(task, {}, check_by_kit(task, kit, submissions, run))
    except KitError as wrong:
        raise CommandError(f"{path.name}: {wrong}", INPUT_ERRORS) from wrong


def unable_remark(sentence: str) -> str:
    """A remark about what only the organiser's check can tell."""
    return f"Only the organiser can check: {sentence[:1].lower()}{sentence[1:]}"


def kit_parameters() -> list[click.Parameter]:
    """The kit, and the submissions."""
    return [
        file_option("--kit", metavar="FILE.jurycomp", required=True, help="The kit."),
        click.Argument(
            ["submissions"], type=PATH, nargs=-1, required=True, metavar="SUBMISSION..."
        ),
        json_option(),
    ]


@click.pass_obj
def check_with_kit(
    surroundings: CommandContext, /, kit: Path, submissions: tuple[Path, ...], json: Path | None
) -> int:
    """Print what the organiser's check would say of these submissions."""
    require_writable(json, "--json")
    task, result = check_submissions(surroundings, kit, submissions)
    return deliver_defects(task, result, surroundings, json)


def deliver_defects(
    task: AnyTask, result: CompetitionResult, surroundings: CommandContext, target: Path | None
) -> int:
    """Print or write the defects; the exit code."""
    if target is not None:
        write_json_output(target, check_json(task, result))
    if not is_standard_output(target):
        wanted = [d for d in result.defects if not surroundings.quiet or is_blocking(d.severity)]
        for line in defect_lines(wanted):
            print_always(line)
        surroundings.remark(defect_summary(result))
    return INPUT_ERRORS if has_errors(result.defects) else DONE


def is_blocking(severity: Severity) -> bool:
    """Whether it stops scoring."""
    return severity is Severity.ERROR


def defect_summary(result: CompetitionResult) -> str:
    """`2 errors, 1 warning and 0 notes.`, or that there are none."""
    counts = {kind: sum(d.severity is kind for d in result.defects) for kind in Severity}
    if not any(counts.values()):
        return "No defects."
    words = [f"{n} {kind}{'' if n == 1 else 's'}" for kind, n in counts.items()]
    return f"{', '.join(words[:-1])} and {words[-1]}."


def check_json(task: AnyTask, result: CompetitionResult) -> Json:
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


class CheckGroup(TaskGroup):
    """A command for each competition, and one for a participant's kit (`--kit` comes first)."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read `--kit FILE` like the name of a command and its option."""
        with_kit = bool(args) and args[0].partition("=")[0] == "--kit"
        return super().parse_args(ctx, [KIT, *args] if with_kit else args)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command for a competition or for a kit, or None."""
        return kit_command if name == KIT else super().get_command(ctx, name)


KIT = "kit"
kit_command = CliCommand(
    KIT,
    callback=check_with_kit,
    params=kit_parameters(),
    help="List what the organiser's check would say of submissions, without the gold.",
)
command = CheckGroup(
    "check",
    build_check_command,
    help="List every defect of a competition's files; with --kit FILE, of a participant's.",
)
