"""Example competitions of the tasks, with their results."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from jurydesk.core.competition.examples import example_folder, example_inputs
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.execution.engine import CompetitionResult, score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.model.input_file import files_by_role

BUILT_IN = sorted(
    path.stem for path in (Path(__file__).parents[2] / "docs" / "competitions").glob("*.md")
)
"""Competitions of this program, which the manual describes."""
TASKS_WITH_EXAMPLE = sorted(
    id for id, task in registry().tasks.items() if example_folder(task) is not None
)
"""Competitions with an example, by id; a competition needs none."""
TASKS_WITH_KIT = [
    id for id in TASKS_WITH_EXAMPLE if registry().tasks[id].submission_checks.redaction is not None
]
"""Competitions with an example and a checker for participants."""


def folder_of(task: AnyTask) -> Path:
    """Return the folder of a task's example."""
    found = example_folder(task)
    if found is None:
        pytest.fail(f"{task.id} has no example")
    return found


def score_example(task: AnyTask, **how: Any) -> CompetitionResult:
    """Return the scored systems of an example, with the task's own options."""
    return score_submissions(
        task,
        files_by_role(example_inputs(task, folder_of(task))),
        task.scoring.options(),
        Run(),
        **how,
    )


def value(result: CompetitionResult, system: str, metric: str) -> float:
    """Return one score of one system."""
    found = next(one for one in result.evaluations if one.system == system)
    return found.score(metric).value
