"""Option `--submissions FOLDER_OR_ZIP`: all submissions of a folder or an archive.

Intake modules are imported on use: importing them takes longer than scoring a small file.
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
from jurydesk.core.language import fill, translate, translate_text
from jurydesk.core.system.paths import absolute_path, submissions_store
from jurydesk.core.workflow.files import explicit_files
from jurydesk.core.workflow.score import CompetitionFiles

if TYPE_CHECKING:
    from jurydesk.core.cli.command import CommandContext
    from jurydesk.core.intake.submission import IntakeRules, SubmissionIntake
    from jurydesk.core.model.defects import Defect


def rules_options() -> list[click.Parameter]:
    """Return the options of the intake rules."""
    return [
        click.Option(
            ["--deadline"],
            metavar="TIME",
            help=translate(
                'Deadline with time zone, such as "{example}"; later submissions are marked.',
                example=EXAMPLE,
            ),
        ),
        file_option(
            "--received",
            help="CSV file with file or team, and time received, or a table with titles; file "
            "times if not given.",
        ),
        flag(
            "--latest",
            help="Count only the newest timely submission of each team, not one per file name.",
        ),
    ]


def add_submissions_option(
    task: AnyTask, parameters: Sequence[click.Parameter]
) -> list[click.Parameter]:
    """Add `--submissions`, which may replace the options of single files."""
    role = task.submission_input().role
    for parameter in parameters:
        if f"--{role}" in parameter.opts:
            parameter.required = False
    option = file_option(
        "--submissions",
        metavar="FOLDER_OR_ZIP",
        multiple=True,
        help="Folder or archive of submissions, one per team, or a platform's download.",
    )
    return [*parameters, option, *platform_options(), *rules_options()]


def platform_options() -> list[click.Parameter]:
    """Return the options of a platform's download: its tables, and one phase."""
    return [
        file_option(
            "--records",
            multiple=True,
            help="Table of a platform beside its download: submissions, results, evaluations.",
        ),
        click.Option(
            ["--phase"],
            metavar="NAME",
            default="",
            help="Take only the entries of this phase of the platform, by name or number.",
        ),
    ]


def parse_competition(
    task: AnyTask, options: Any, context: CommandContext, values: Mapping[str, Any]
) -> CompetitionFiles:
    """Return the competition of the arguments; raise CommandError without a submission."""
    inputs, role = parse_inputs(task, values), task.submission_input().role
    files = explicit_files(task, inputs, parse_names(task, inputs, values["name"]))
    given: Sequence[Path] = values["submissions"]
    if not given and role not in inputs:
        raise CommandError(
            fill("Missing option '--{role}' FILE... (or '--submissions' FOLDER_OR_ZIP).", role)
        )
    if (values["records"] or values["phase"]) and not given:
        option = "--records" if values["records"] else "--phase"
        raise CommandError(fill("{option} needs a download: give --submissions, too.", option))
    rules = parse_rules(context, values)
    defects: tuple[Defect, ...] = ()
    if given:
        found = search_submissions(task, given, context, values)
        explicit = {file.path for file in files}
        files += tuple(file for file in found.files if file.path not in explicit)
        defects = found.defects
    competition = CompetitionFiles(values.get("desk"), task, files, options, defects, rules)
    if not competition.submissions:
        context.report(defects)
        raise CommandError(
            fill("No submission found in {join}.", ", ".join(map(str, given))), INPUT_ERRORS
        )
    return competition


def search_submissions(
    task: AnyTask, given: Sequence[Path], context: CommandContext, values: Mapping[str, Any]
) -> SubmissionIntake:
    """Find the submissions in folders and archives; raise CommandError for a missing one."""
    records, phase = values["records"], values["phase"]
    for path in (*given, *records):
        if not path.exists():
            raise CommandError(fill("{path} does not exist.", path), INPUT_ERRORS)
    from jurydesk.core.intake.take_in import find_submissions

    with open_run(context) as run:
        return find_submissions(task, given, submissions_store(), run, records=records, phase=phase)


def parse_rules(context: CommandContext, values: Mapping[str, Any]) -> IntakeRules:
    """Return the intake rules of the arguments; the desk's rules apply where none is given."""
    from jurydesk.core.intake.deadlines import TimeError, parse_deadline
    from jurydesk.core.intake.received_list import read_received
    from jurydesk.core.intake.submission import IntakeRules
    from jurydesk.core.intake.submission_ledger import load_rules

    path: Path | None = values.get("desk")
    rules = IntakeRules()
    if path is not None and path.exists():
        with Desk.open(path, read_only=True) as desk:
            rules = load_rules(desk)
    if values["deadline"]:
        try:
            rules = replace(rules, deadline=parse_deadline(values["deadline"]))
        except TimeError as error:
            raise CommandError(f"--deadline: {translate_text(str(error))}") from error
    if values["received"]:
        reading = read_received(values["received"], rules.zone)
        context.report(reading.defects)
        if reading.data is None:
            raise CommandError(
                translate("--received {file} has errors.", file=values["received"]), INPUT_ERRORS
            )
        source = str(absolute_path(values["received"]))
        rules = replace(rules, received=reading.data, received_list=source)
    return replace(rules, latest=True) if values["latest"] else rules
