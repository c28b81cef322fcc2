"""Recomputation of intervals with other settings, without scoring again."""

from __future__ import annotations

from dataclasses import replace
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


def change_statistics(
    desk: Desk,
    task: AnyTask,
    groups: GroupChoice,
    interval: Method,
    correction: Correction,
    run: Run,
    notify: object = None,
) -> None:
    """Recompute all intervals of the desk, and store the settings for its board.

    `groups` are those in use (`kept`), or those of a file; UsageError if that cannot be read.
    Raises Cancelled, and then changes nothing.
    """
    from jurydesk.core.desk.inference_settings import load_inference, store_inference
    from jurydesk.core.execution.groups_file import inference_from_values

    inference = load_inference(desk)
    if groups == "declared":
        inference = replace(inference, grouped=True, labels={}, source=None)
    given = None if groups in ("declared", "kept") else groups
    values = {"groups": given, "interval": interval, "correction": correction}
    inference = inference_from_values(values, inference)
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
