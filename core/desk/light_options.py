"""Results that follow an option at once, since their kept numbers are enough."""

from __future__ import annotations

from typing import Any

from jurydesk.core.competition.task import Task
from jurydesk.core.desk.desk import Desk
from jurydesk.core.model.evaluation import Evaluation, Json
from jurydesk.core.model.options import options_json


def apply_light_options(desk: Desk, task: Task[Any, Any, Any], options: Any) -> bool:
    """Compute again what depends on the task's light options alone; whether anything did.

    Results of other options, and those without a stamp, stay as they are.
    """
    if task.scoring.rescore is None:
        return False
    now = options_json(options)
    changed = {}
    for summary in desk.evaluations():
        kept = desk.load(summary.id, task.readers.load_evidence)
        if _differs_lightly(kept, now, task.scoring.light_options):
            changed[summary.id] = task.scoring.rescore(kept, options)
    if changed:
        desk.rewrite(changed)
    return bool(changed)


def _differs_lightly(evaluation: Evaluation, now: dict[str, Json], light: tuple[str, ...]) -> bool:
    """Whether light options, and at most the profile besides them, are others now."""
    if not evaluation.stamp:
        return False
    then = evaluation.stamp["options"]
    other = {name for name in {*then, *now} - {"profile"} if then.get(name) != now.get(name)}
    return bool(other) and other <= set(light)
