"""The example dense-captioning competition, scored once, as read from a desk."""

from __future__ import annotations

from functools import cache

from jurydesk.core.competition.examples import example_inputs
from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.model.evaluation import Evaluation
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.tasks.densecap.densecap_task import TASK
from support.examples import folder_of

FOLDER = folder_of(TASK)


@cache
def evaluations() -> dict[str, Evaluation]:
    """Return every system of the example by its name."""
    result = score_submissions(
        TASK,
        files_by_role(example_inputs(TASK, FOLDER)),
        TASK.scoring.options(),
        Run(),
        resamples=10,
    )
    return {one.system: one for one in result.evaluations}
