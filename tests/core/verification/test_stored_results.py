"""Scores of a desk follow from its rows, in every competition and profile."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jurydesk.core.competition.examples import example_folder, example_inputs, example_options
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.desk import Desk
from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.verification.stored_results import contradictions


@pytest.mark.parametrize("task_id", sorted(registry().tasks))
def test_no_honest_result_contradicts_its_rows(tmp_path, task_id):
    task = registry().tasks[task_id]
    folder = example_folder(task)
    with Desk.create(tmp_path / "honest.jurydesk") as desk:
        desk.set_competition(task.id, task.title, {})
        for profile in task.scoring.profiles:
            options = replace(example_options(task, folder), profile=profile)
            result = score_submissions(task, example_inputs(task, folder), options, Run())
            for evaluation in result.evaluations:
                desk.add(evaluation)
        assert list(contradictions(desk, task, desk.evaluations())) == []
