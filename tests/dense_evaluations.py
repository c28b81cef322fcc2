"""The example dense-captioning competition, scored once, as a desk gives it back."""

from __future__ import annotations

from functools import cache

from core.model import Evaluation
from core.run.engine import score
from core.run.run import Run
from core.tasks.densecap.task import TASK
from core.tasks.example import example_folder, example_inputs

FOLDER = example_folder(TASK)
assert FOLDER is not None


@cache
def evaluations() -> dict[str, Evaluation]:
    """Every system of the example by its name."""
    result = score(TASK, example_inputs(TASK, FOLDER), TASK.scoring.options(), Run(), resamples=10)
    return {one.system: one for one in result.evaluations}
