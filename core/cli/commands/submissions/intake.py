"""Command `jurydesk intake TASK FOLDER_OR_ZIP...`: list submissions by team, with remarks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from jurydesk.core.cli.command import CommandContext, TaskGroup, task_command
from jurydesk.core.cli.exit_codes import DONE, INPUT_ERRORS, CommandError
from jurydesk.core.cli.output import deliver, is_standard_output, json_option
from jurydesk.core.cli.parameters import PATH
from jurydesk.core.cli.result_files import desk_option
from jurydesk.core.cli.running import open_run
from jurydesk.core.cli.submissions import (
    parse_rules,
    platform_options,
    rules_options,
    search_submissions,
)
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.desk import Desk
from jurydesk.core.intake.collect import resolve_submissions
from jurydesk.core.intake.submission import IntakeRules, SubmissionIntake, remarks
from jurydesk.core.intake.submission_ledger import store_rules
from jurydesk.core.language import fill, translate, translate_plural, translate_text
from jurydesk.core.model.defects import has_errors
from jurydesk.core.model.evaluation import Json
from jurydesk.core.model.input_file import InputFile
from jurydesk.core.model.json_codec import to_json
from jurydesk.core.model.options import options_json
from jurydesk.core.model.platform_entry import entry_json
from jurydesk.core.tables.text_table import align_columns


def build_intake_command(task: AnyTask) -> click.Command:
    """Return the command that takes in the submissions of one competition."""
    return task_command(
        task,
        intake_task,
        [
            click.Argument(
                ["given"], type=PATH, nargs=-1, required=True, metavar="FOLDER_OR_ZIP..."
            ),
            *platform_options(),
            *rules_options(),
            json_option(),
            desk_option(),
        ],
        translate(
            "List the submissions to {title} in folders and archives, with remarks.",
            title=translate_text(task.title),
        ),
        ("jobs",),
    )


def intake_task(task: AnyTask, context: CommandContext, values: dict[str, Any]) -> int:
    """Print the submissions and the defects; return 1 if a file could not be taken in."""
    target: Path | None = values["json"]
    rules = parse_rules(context, values)
    found = search_submissions(task, values["given"], context, values)
    with open_or_create(values["desk"], task) as desk, open_run(context) as run:
        if desk is not None:
            store_rules(desk, rules)
        intake = resolve_submissions(desk, found.files, run, rules)
    intake = replace(intake, defects=(*found.defects, *intake.defects))
    context.report(intake.defects)
    context.warn_of_look_alikes(one.team or one.system for one in intake.counting)
    document = intake_json(task, intake, rules)
    deliver(intake_lines(intake.submissions, rules), (target, document))
    if not is_standard_output(target):
        context.remark(intake_summary(intake))
    return INPUT_ERRORS if has_errors(intake.defects) or not intake.counting else DONE


@contextmanager
def open_or_create(path: Path | None, task: AnyTask) -> Iterator[Desk | None]:
    """Open or create the desk at `path`; an existing desk keeps its options."""
    if path is None:
        yield None
        return
    with Desk.open_or_create(path)[0] as desk:
        known = desk.competition
        if known is None:
            desk.set_competition(task.id, task.title, options_json(task.scoring.options()))
        elif known.task_id != task.id:
            raise CommandError(
                fill("{path} is a desk of {task_id}, not of {id}.", path, known.task_id, task.id),
                INPUT_ERRORS,
            )
        yield desk


def intake_lines(submissions: Sequence[InputFile], rules: IntakeRules) -> list[str]:
    """Format a table with one line per submission."""
    head = [translate("team"), translate("file"), translate("received"), translate("remarks")]
    rows = [
        [one.label, "/".join(one.parts), received_text(one, rules), translate_text(remarks(one))]
        for one in submissions
    ]
    return align_columns(head, rows, right=set())


def received_text(one: InputFile, rules: IntakeRules) -> str:
    """Format the time of receipt in the deadline's time zone."""
    if one.received is None:
        return "-"
    if one.is_day_known:
        return f"{one.received:%Y-%m-%d}"
    return f"{one.received.astimezone(rules.zone):%Y-%m-%d %H:%M}"


def intake_summary(intake: SubmissionIntake) -> str:
    """Return a summary such as `40 submissions, 2 of them late.`."""
    late = sum(one.late is not None for one in intake.counting)
    older = len(intake.submissions) - len(intake.counting)
    if late and older:
        return translate_plural(
            "{count} submission, {late:,} of them late, {older:,} older.",
            "{count} submissions, {late:,} of them late, {older:,} older.",
            len(intake.counting),
            late=late,
            older=older,
        )
    if late:
        return translate_plural(
            "{count} submission, {late:,} of them late.",
            "{count} submissions, {late:,} of them late.",
            len(intake.counting),
            late=late,
        )
    if older:
        return translate_plural(
            "{count} submission, {older:,} older.",
            "{count} submissions, {older:,} older.",
            len(intake.counting),
            older=older,
        )
    return translate_plural("{count} submission.", "{count} submissions.", len(intake.counting))


def intake_json(task: AnyTask, intake: SubmissionIntake, rules: IntakeRules) -> Json:
    """Return every submission with hash, time and marks, and every defect, as JSON values."""
    return {
        "schema": 1,
        "task": task.id,
        "deadline": str(rules.deadline) if rules.deadline else None,
        "submissions": [submission_json(one) for one in intake.submissions],
        "defects": to_json(intake.defects),
    }


def submission_json(one: InputFile) -> Json:
    """Return one submission as JSON values."""
    return {
        "team": one.team,
        "system": one.system or None,
        "path": str(one.path),
        "name": "/".join(one.parts),
        "size": one.size,
        "sha256": one.sha256,
        "files": one.files,
        "received": one.received.isoformat() if one.received else None,
        "late_seconds": None if one.late is None else int(one.late.total_seconds()),
        "same_as": one.twin or None,
        "counts_instead": one.counts_instead or None,
        "entry": entry_json(one.entry) if one.entry else None,
    }


command = TaskGroup(
    "intake", build_intake_command, help="List the submissions in folders and zip archives."
)
