"""`--submissions FOLDER_OR_ZIP`: all submissions of a folder or an archive at once.

What takes them in is imported where there are any: it takes longer than to score a small file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from jurydesk.core.cli.exit_codes import INPUT_ERRORS, CommandError
from jurydesk.core.cli.parameters import file_option, flag, parse_inputs, parse_names
from jurydesk.core.cli.running import open_run
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.desk import Desk
from jurydesk.core.intake.deadlines import EXAMPLE
from jurydesk.core.system.paths import data_folder, distinct_names
from jurydesk.core.workflow.files import absolute_path
from jurydesk.core.workflow.score import CompetitionFiles, ReceivedSubmissions

if TYPE_CHECKING:
    from jurydesk.core.cli.command import CommandContext
    from jurydesk.core.intake.collect import ReceivedFile
    from jurydesk.core.intake.submission import IntakeRules
    from jurydesk.core.model.defects import Defect


def rules_options() -> list[click.Parameter]:
    """The rules by which submissions are taken in."""
    return [
        click.Option(
            ["--deadline"],
            metavar="TIME",
            help=f'The deadline with its time zone, such as "{EXAMPLE}". Later ones are marked.',
        ),
        file_option(
            "--received",
            help="When each came in: CSV with file or team, and time. Else files' own times count.",
        ),
        flag(
            "--latest",
            help="Of each team only the newest in time counts; else its newest of each file name.",
        ),
    ]


def add_submissions_option(
    task: AnyTask, parameters: Sequence[click.Parameter]
) -> list[click.Parameter]:
    """The parameters with `--submissions`, which may take the place of the single files."""
    role = task.submission_input().role
    for parameter in parameters:
        if f"--{role}" in parameter.opts:
            parameter.required = False
    option = file_option(
        "--submissions",
        metavar="FOLDER_OR_ZIP",
        multiple=True,
        help="A folder or a zip of submissions, one for each team.",
    )
    return [*parameters, option, *rules_options()]


def parse_competition(
    task: AnyTask, options: Any, surroundings: CommandContext, values: Mapping[str, Any]
) -> CompetitionFiles:
    """Return the competition that the arguments name; a Fault where it has no submission."""
    role = task.submission_input().role
    inputs = dict(parse_inputs(task, values))
    names = parse_names(task, inputs, values["name"])
    explicit = tuple(inputs.get(role, ()))
    received = to_received_files(explicit)
    given: Sequence[Path] = values["submissions"]
    if not given and not explicit:
        raise CommandError(f"Missing option '--{role}' FILE... (or '--submissions' FOLDER_OR_ZIP).")
    received = replace(received, rules=parse_rules(surroundings, values))
    if given:
        found, defects = search_submissions(task, given, surroundings)
        received = replace(received, files=(*received.files, *found), defects=defects)
        inputs[role] = (*explicit, *(one.path for one in found))
    if not inputs[role]:
        surroundings.report(received.defects)
        raise CommandError(f"There is no submission in {', '.join(map(str, given))}.", INPUT_ERRORS)
    return CompetitionFiles(values.get("desk"), task, inputs, options, received, names)


def to_received_files(paths: Sequence[Path]) -> ReceivedSubmissions:
    """Return submissions that were named one by one; files of the same name are kept apart."""
    from jurydesk.core.intake.collect import ReceivedFile

    apart = distinct_names({str(path) for path in paths})
    return ReceivedSubmissions(
        tuple(
            ReceivedFile(absolute_path(path), tuple(apart[str(path)].split("/")), explicit=True)
            for path in paths
        )
    )


def search_submissions(
    task: AnyTask, given: Sequence[Path], surroundings: CommandContext
) -> tuple[list[ReceivedFile], tuple[Defect, ...]]:
    """Find the submissions in these folders and archives; a Fault for what is not there."""
    for path in given:
        if not path.exists():
            raise CommandError(f"{path} does not exist.", INPUT_ERRORS)
    from jurydesk.core.intake.take_in import find_submissions

    with open_run(surroundings) as run:
        return find_submissions(task, given, data_folder() / "submissions", run)


def parse_rules(surroundings: CommandContext, values: Mapping[str, Any]) -> IntakeRules:
    """The rules that the arguments give; for the others those that the desk has already."""
    from jurydesk.core.intake.deadlines import TimeError, parse_deadline
    from jurydesk.core.intake.submission import IntakeRules, read_received
    from jurydesk.core.intake.submission_ledger import load_rules

    path: Path | None = values.get("desk")
    rules = IntakeRules()
    if path is not None and path.exists():
        with Desk.open(path, read_only=True) as desk:
            rules = load_rules(desk)
    if values["deadline"]:
        try:
            rules = replace(rules, deadline=parse_deadline(values["deadline"]))
        except TimeError as wrong:
            raise CommandError(f"--deadline: {wrong}") from wrong
    if values["received"]:
        reading = read_received(values["received"], rules.zone)
        surroundings.report(reading.defects)
        if reading.data is None:
            raise CommandError(f"--received {values['received']} has errors.", INPUT_ERRORS)
        rules = replace(rules, received=reading.data)
    return replace(rules, latest=True) if values["latest"] else rules
