"""`--submissions FOLDER_OR_ZIP`: all submissions of a folder or an archive at once.

What takes them in is imported where there are any: it takes longer than to score a small file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from core.cli.faults import INPUT_ERRORS, Fault
from core.cli.parameters import PATH, inputs_of, names_of
from core.cli.running import running
from core.desk import Desk
from core.intake.times import EXAMPLE
from core.paths import data_folder
from core.task import Inputs, Task

if TYPE_CHECKING:
    from core.cli.command import Surroundings
    from core.defects import Defect
    from core.intake.submission import Intake, Rules

AnyTask = Task[Any, Any, Any]


@dataclass(frozen=True, slots=True)
class Taken:
    """The inputs of a competition with all its submissions, and what the intake told."""

    inputs: Inputs
    names: Mapping[Path, str]
    rules: Rules | None = None
    intake: Intake | None = None

    @property
    def defects(self) -> tuple[Defect, ...]:
        """What is wrong with the folder or the archive."""
        return self.intake.defects if self.intake else ()

    def keep(self, desk: Desk | None) -> None:
        """Let a desk remember what came in, and the rules."""
        if desk is not None and self.intake is not None and self.rules is not None:
            from core.intake.ledger import remember, set_rules

            set_rules(desk, self.rules)
            remember(desk, self.intake.submissions)


def rules_options() -> list[click.Parameter]:
    """The rules by which submissions are taken in."""
    return [
        click.Option(
            ["--deadline"],
            metavar="TIME",
            help=f'The deadline with its time zone, such as "{EXAMPLE}". Later ones are marked.',
        ),
        click.Option(
            ["--received"],
            type=PATH,
            metavar="FILE",
            help="When each came in: CSV with file or team, and time. Else files' own times count.",
        ),
        click.Option(
            ["--latest"],
            is_flag=True,
            help="Of each team only the newest in time counts; else its newest of each file name.",
        ),
    ]


def with_submissions(task: AnyTask, parameters: Sequence[click.Parameter]) -> list[click.Parameter]:
    """The parameters with `--submissions`, which may take the place of the single files."""
    role = task.submission_input().role
    for parameter in parameters:
        if f"--{role}" in parameter.opts:
            parameter.required = False
    option = click.Option(
        ["--submissions"],
        type=PATH,
        multiple=True,
        metavar="FOLDER_OR_ZIP",
        help="A folder or a zip of submissions, one for each team.",
    )
    return [*parameters, option, *rules_options()]


def taken(task: AnyTask, surroundings: Surroundings, values: Mapping[str, Any]) -> Taken:
    """The inputs that the arguments name; a Fault where there is no submission among them."""
    role = task.submission_input().role
    inputs = dict(inputs_of(task, values))
    names = names_of(task, inputs, values["name"])
    given: Sequence[Path] = values["submissions"]
    if not given:
        if not inputs.get(role):
            raise Fault(f"Missing option '--{role}' FILE... (or '--submissions' FOLDER_OR_ZIP).")
        return Taken(inputs, names)
    rules = rules_from(surroundings, values)
    intake = take(task, given, rules, surroundings)
    inputs[role] = (*inputs.get(role, ()), *(one.path for one in intake.counting))
    if not inputs[role]:
        surroundings.report(intake.defects)
        raise Fault(f"There is no submission in {', '.join(map(str, given))}.", INPUT_ERRORS)
    own = {one.path: one.system for one in intake.counting if one.system}
    return Taken(inputs, {**own, **names}, rules, intake)


def take(task: AnyTask, given: Sequence[Path], rules: Rules, surroundings: Surroundings) -> Intake:
    """The submissions of these folders and archives; a Fault for what is not there."""
    for path in given:
        if not path.exists():
            raise Fault(f"{path} does not exist.", INPUT_ERRORS)
    from core.intake.submissions import take_in

    with running(surroundings) as run:
        return take_in(task, given, data_folder() / "submissions", rules, run)


def rules_from(surroundings: Surroundings, values: Mapping[str, Any]) -> Rules:
    """The rules that the arguments give; for the others those that the desk has already."""
    from core.intake.ledger import rules_of
    from core.intake.received import read_received
    from core.intake.submission import Rules
    from core.intake.times import TimeError, deadline

    path: Path | None = values.get("desk")
    rules = Rules()
    if path is not None and path.exists():
        with Desk.open(path, read_only=True) as desk:
            rules = rules_of(desk)
    if values["deadline"]:
        try:
            rules = replace(rules, deadline=deadline(values["deadline"]))
        except TimeError as wrong:
            raise Fault(f"--deadline: {wrong}") from wrong
    if values["received"]:
        reading = read_received(values["received"], rules.zone)
        surroundings.report(reading.defects)
        if reading.data is None:
            raise Fault(f"--received {values['received']} has errors.", INPUT_ERRORS)
        rules = replace(rules, received=reading.data)
    return replace(rules, latest=True) if values["latest"] else rules
