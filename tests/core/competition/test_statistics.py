"""Names of the items' columns."""

from __future__ import annotations

import pytest

from jurydesk.core.competition.task_registry import find_competition
from support.examples import TASKS_WITH_EXAMPLE, score_example


@pytest.mark.parametrize("id", TASKS_WITH_EXAMPLE)
def test_every_item_column_is_a_metric_or_has_a_description(id):
    task = find_competition(id)
    assert task is not None
    found = score_example(task).evaluations
    names = {name for one in found for name in one.items.columns}
    metrics = {info.name for info in task.scoring.metrics}
    metrics |= {info.name for one in found for info in one.metrics}
    others = [name for name in names - metrics if task.scoring.metric_named(name) is None]
    assert sorted(set(others) - set(task.presentation.statistics)) == []
    for reported in task.presentation.statistics.values():
        assert "_" not in reported.title
        assert reported.summary.endswith(".")
