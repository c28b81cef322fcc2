"""Scoring of one submission for drop-in replacements of older programs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from jurydesk.core.cli.command import CommandContext
from jurydesk.core.cli.exit_codes import INPUT_ERRORS, NOTHING_SCORED, CommandError
from jurydesk.core.cli.running import open_run
from jurydesk.core.competition.task import Inputs
from jurydesk.core.competition.task_registry import find_competition
from jurydesk.core.intake.role_check import explain_reference_roles, explain_submission_role
from jurydesk.core.model.defects import has_errors
from jurydesk.core.model.evaluation import Evaluation


def evaluate_one(
    context: CommandContext,
    inputs: Inputs,
    task_id: str = "keyword-spotting",
    **option_values: Any,
) -> Evaluation:
    """Score one submission, without intervals and stamp.

    Defects are printed on standard error; errors raise CommandError.
    """
    task = find_competition(task_id)
    if task is None:
        raise KeyError(task_id)
    options = task.scoring.options(**option_values)
    submission = inputs[task.submission_input().role][0]
    with open_run(context) as run:
        references = task.readers.read_references(inputs, options, run)
        context.report(explain_reference_roles(task, inputs, references.defects))
        if references.data is None or has_errors(references.defects):
            raise CommandError(NOTHING_SCORED, INPUT_ERRORS)
        reading = task.readers.read_submission(submission, references.data, options, run)
        context.report(explain_submission_role(task, submission, reading.defects))
        if reading.data is None or has_errors(reading.defects):
            raise CommandError(NOTHING_SCORED, INPUT_ERRORS)
        evaluation = task.scoring.evaluate(references.data, reading.data, options, run)
        context.report(evaluation.defects)
        return replace(evaluation, about=evaluation.about or reading.about)
