"""Scoring one submission for a command that prints what an older program prints."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from jurydesk.core.cli.command import CommandContext
from jurydesk.core.cli.exit_codes import INPUT_ERRORS, CommandError
from jurydesk.core.cli.running import open_run
from jurydesk.core.competition.task import Inputs
from jurydesk.core.competition.task_registry import find_competition
from jurydesk.core.intake.role_check import explain_reference_roles, explain_submission_role
from jurydesk.core.model.defects import has_errors
from jurydesk.core.model.evaluation import Evaluation


def evaluate_one(
    surroundings: CommandContext,
    inputs: Inputs,
    task_id: str = "keyword-spotting",
    **chosen: Any,
) -> Evaluation:
    """The evaluation of the one submission, without intervals and stamp.

    Every defect is told on standard error; a Fault after errors.
    """
    task = find_competition(task_id)
    if task is None:
        raise KeyError(task_id)
    options = task.scoring.options(**chosen)
    submission = inputs[task.submission_input().role][0]
    with open_run(surroundings) as run:
        references = task.readers.read_references(inputs, options, run)
        surroundings.report(explain_reference_roles(task, inputs, references.defects))
        if references.data is None or has_errors(references.defects):
            raise refusal()
        reading = task.readers.read_submission(submission, references.data, options, run)
        surroundings.report(explain_submission_role(task, submission, reading.defects))
        if reading.data is None or has_errors(reading.defects):
            raise refusal()
        evaluation = task.scoring.evaluate(references.data, reading.data, options, run)
        surroundings.report(evaluation.defects)
        return replace(evaluation, about=evaluation.about or reading.about)


def refusal() -> CommandError:
    """What ends the command after errors in a file."""
    return CommandError("Nothing was scored: mend the errors above first.", INPUT_ERRORS)
