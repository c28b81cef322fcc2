"""Command `jurydesk check TASK`: list every defect of every file without scoring."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from jurydesk.core.cli.command import CliCommand, CommandContext, TaskGroup, task_command
from jurydesk.core.cli.console import defect_lines, print_always
from jurydesk.core.cli.exit_codes import DONE, INPUT_ERRORS, CommandError
from jurydesk.core.cli.output import deliver, is_standard_output, json_option
from jurydesk.core.cli.parameters import PATH, file_option, parse_options, task_parameters
from jurydesk.core.cli.running import open_run
from jurydesk.core.cli.submissions import add_submissions_option, parse_competition
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.execution.engine import CompetitionResult
from jurydesk.core.intake.role_check import explain_wrong_roles
from jurydesk.core.language import Message, fill, translate, translate_plural, translate_text
from jurydesk.core.model.defects import Severity, has_errors
from jurydesk.core.model.evaluation import Json
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.model.json_codec import to_json
from jurydesk.core.participant_kit.kit import (
    KitError,
    ParticipantKit,
    check_with_kit_rules,
    read_kit,
    version_notice,
)
from jurydesk.core.workflow.score import check_competition


def build_check_command(task: AnyTask) -> click.Command:
    """Return the command that checks the files of one competition."""
    return task_command(
        task,
        check_command,
        [*add_submissions_option(task, task_parameters(task)), json_option()],
        translate("List every defect of the files of {title}.", title=translate_text(task.title)),
        ("jobs",),
    )


def check_command(task: AnyTask, context: CommandContext, values: dict[str, Any]) -> int:
    """Print the defects and their number; return 1 if one is an error."""
    competition = parse_competition(task, parse_options(task, values), context, values)
    with open_run(context) as run:
        outcome = check_competition(competition, run)
    log, found = outcome.record.defects, outcome.result
    shared = (*log.intake, *log.resolution, *found.reference_defects)
    return deliver_defects(task, replace(found, reference_defects=shared), context, values["json"])


def open_kit(path: Path) -> tuple[ParticipantKit, AnyTask]:
    """Open a kit and return it with its competition; raise CommandError on failure."""
    try:
        kit = read_kit(path)
    except KitError as error:
        raise CommandError(str(error), INPUT_ERRORS) from error
    task = registry().tasks.get(kit.task_id)
    if task is None or task.submission_checks.redaction is None:
        raise CommandError(
            fill(
                "{name} is a kit of the competition {task_id}, which this installation does "
                "not have: install the package that adds it.",
                path.name,
                repr(kit.task_id),
            ),
            INPUT_ERRORS,
        )
    return kit, task


def check_submissions(
    context: CommandContext, path: Path, submissions: tuple[Path, ...]
) -> tuple[AnyTask, CompetitionResult]:
    """Check submissions with a kit, and print what the kit cannot check."""
    kit, task = open_kit(path)
    for sentence in filter(None, (version_notice(kit), *map(unable_remark, kit.unable))):
        context.remark(sentence)
    try:
        with open_run(context) as run:
            files = files_by_role({task.submission_input().role: submissions})
            result = check_with_kit_rules(task, kit, files, run)
            return task, explain_wrong_roles(task, (), result)
    except KitError as error:
        raise CommandError(fill("{name}: {error}", path.name, error), INPUT_ERRORS) from error


def unable_remark(sentence: str) -> str:
    """Return the remark on something that only the organiser can check."""
    return fill("Only the organiser can check: {what:lower}", Message(sentence))


def kit_parameters() -> list[click.Parameter]:
    """Return the parameters of `check --kit`."""
    return [
        file_option("--kit", metavar="FILE.jurycomp", required=True, help="The kit."),
        click.Argument(
            ["submissions"], type=PATH, nargs=-1, required=True, metavar="SUBMISSION..."
        ),
        json_option(),
    ]


@click.pass_obj
def check_with_kit(
    context: CommandContext, /, kit: Path, submissions: tuple[Path, ...], json: Path | None
) -> int:
    """Print the defects that the organiser's check would find in submissions."""
    task, result = check_submissions(context, kit, submissions)
    return deliver_defects(task, result, context, json)


def deliver_defects(
    task: AnyTask, result: CompetitionResult, context: CommandContext, target: Path | None
) -> int:
    """Print or write the defects, and return the exit code.

    Notes on the references come last: they are not about the submissions.
    """
    remarks = [d for d in result.reference_defects if d.severity is Severity.NOTE]
    ordered = [*(d for d in result.defects if d not in remarks), *remarks]
    shown = [d for d in ordered if not context.quiet or d.severity is Severity.ERROR]
    deliver(defect_lines(shown), (target, check_json(task, result)), show=print_always)
    context.warn_of_look_alikes(entry.system for entry in result.entries)
    if not is_standard_output(target):
        context.remark(defect_summary(result))
    return INPUT_ERRORS if has_errors(result.defects) else DONE


def defect_summary(result: CompetitionResult) -> str:
    """Return `2 errors, 1 warning and 0 notes.`, or `No defects.`."""
    counts = {kind: sum(d.severity is kind for d in result.defects) for kind in Severity}
    if not any(counts.values()):
        return translate("No defects.")
    return translate(
        "{errors}, {warnings} and {notes}.",
        errors=translate_plural("{count} error", "{count} errors", counts[Severity.ERROR]),
        warnings=translate_plural("{count} warning", "{count} warnings", counts[Severity.WARNING]),
        notes=translate_plural("{count} note", "{count} notes", counts[Severity.NOTE]),
    )


def check_json(task: AnyTask, result: CompetitionResult) -> Json:
    """Return the defects of the shared files and of each system as JSON values."""
    return {
        "schema": 1,
        "task": task.id,
        "defects": to_json(result.reference_defects),
        "systems": [
            {"name": entry.system, "defects": to_json(entry.defects)} for entry in result.entries
        ],
    }


class CheckGroup(TaskGroup):
    """Group with a command per competition, and one for a participant kit (`--kit` first)."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse a leading `--kit FILE` as a command name with its option."""
        with_kit = bool(args) and args[0].partition("=")[0] == "--kit"
        return super().parse_args(ctx, [KIT, *args] if with_kit else args)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Return the command of a competition or of a kit, or None."""
        return kit_command if name == KIT else super().get_command(ctx, name)


KIT = "kit"
kit_command = CliCommand(
    KIT,
    callback=check_with_kit,
    uses=("jobs",),
    params=kit_parameters(),
    help="List the defects of submissions with a participant kit, without the reference data.",
)
command = CheckGroup(
    "check",
    build_check_command,
    help="List every defect of a competition's files, or of submissions with --kit FILE.",
)
