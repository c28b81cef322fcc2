"""Recomputation of results after a change of light options, without scoring."""

from __future__ import annotations

from typing import Any

from jurydesk.core.competition.task import Task
from jurydesk.core.desk.desk import Desk
from jurydesk.core.model.evaluation import Evaluation, Json
from jurydesk.core.model.options import options_json


def apply_light_options(desk: Desk, task: Task[Any, Any, Any], options: Any) -> bool:
    """Recompute results that differ only in the task's light options; return whether any did.

    Results with other differences, and those without a stamp, stay.
    """
    if task.scoring.rescore is None:
        return False
    current = options_json(options)
    changed = {}
    for summary in desk.evaluations():
        stored = desk.load(summary.id, task.readers.load_evidence)
        if _has_light_difference(stored, current, task.scoring.light_options):
            changed[summary.id] = task.scoring.rescore(stored, options)
    if changed:
        desk.rewrite(changed)
    return bool(changed)


def _has_light_difference(
    evaluation: Evaluation, now: dict[str, Json], light: tuple[str, ...]
) -> bool:
    """Return whether only light options, and at most the profile besides, differ."""
    if not evaluation.stamp:
        return False
    then = evaluation.stamp["options"]
    other = {name for name in {*then, *now} - {"profile"} if then.get(name) != now.get(name)}
    return bool(other) and other <= set(light)
