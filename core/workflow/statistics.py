"""Recomputation of intervals with other settings, without scoring again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from jurydesk.core.language import translatable

if TYPE_CHECKING:
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.desk import Desk
    from jurydesk.core.execution.run import Run
    from jurydesk.core.model.evaluation import Evaluation
    from jurydesk.core.statistics.group_intervals import Method
    from jurydesk.core.statistics.inference import Correction, Inference

GroupChoice = Literal["declared", "none", "kept"] | Path
"""Groups of items: as the competition declares, none, those in use, or those of a file."""


@dataclass(frozen=True, slots=True)
class StatisticsChange:
    """Settings of a desk before and after a change."""

    before: Inference
    after: Inference
    warning: str = ""
    """How many items have no group, if some have none."""


def chosen_statistics(
    groups: GroupChoice, interval: Method, correction: Correction, inference: Inference
) -> Inference:
    """Return the settings with other groups (those of a file, if a path), interval, correction.

    Raises UsageError if the file cannot be read.
    """
    from jurydesk.core.execution.groups_file import inference_from_values

    if groups == "declared":
        inference = replace(inference, grouped=True, labels={}, source=None)
    given = None if groups in ("declared", "kept") else groups
    values = {"groups": given, "interval": interval, "correction": correction}
    return inference_from_values(values, inference)


def change_statistics(
    desk: Desk,
    task: AnyTask,
    choose: Callable[[Inference], Inference],
    run: Run,
    notify: object = None,
) -> StatisticsChange:
    """Recompute all intervals of the desk, and store the settings for its board.

    `choose` returns the settings for the present ones; what it raises changes nothing, and neither
    does Cancelled.
    """
    from jurydesk.core.desk.inference_settings import load_inference, store_inference
    from jurydesk.core.desk.item_queries import scored_items
    from jurydesk.core.execution.groups_file import describe_missing_groups, require_groups

    before = load_inference(desk)
    inference = choose(before)
    ids = scored_items(desk)
    require_groups(inference, ids)
    changed = {}
    summaries = desk.evaluations()
    for number, summary in enumerate(summaries):
        text = translatable("intervals of {system}").format(system=summary.system)
        run.report(number, len(summaries), text)
        stored = desk.load(summary.id, task.readers.load_evidence)
        changed[summary.id] = recompute_intervals(task, stored, inference, run)
    run.check()
    desk.rewrite(changed)
    store_inference(desk, inference)
    lacking = describe_missing_groups(inference, ids, task.item_noun)
    return StatisticsChange(before, inference, lacking)


def recompute_intervals(
    task: AnyTask, stored: Evaluation, inference: Inference, run: Run
) -> Evaluation:
    """Return the evaluation with the intervals that scoring with these settings gives."""
    from jurydesk.core.execution.intervals import add_intervals
    from jurydesk.core.model.stamp import Stamp
    from jurydesk.core.statistics.bootstrap import RESAMPLES, SEED

    stamp = Stamp.from_json(stored.stamp) if stored.stamp else None
    seeds = {"resamples": RESAMPLES, "bootstrap": SEED} if stamp is None else stamp.seeds
    bare = replace(stored, scores=tuple(replace(one, interval=None) for one in stored.scores))
    result = add_intervals(task, bare, run, seeds["resamples"], seeds["bootstrap"], inference)
    if stamp is None:
        return result
    policies = {k: v for k, v in stamp.policies.items() if k not in inference.POLICIES}
    updated = replace(
        stamp,
        policies={**policies, **inference.policies},
        groups=inference.source,
        scores=result.scores,
    )
    return replace(result, stamp=updated.to_json())
