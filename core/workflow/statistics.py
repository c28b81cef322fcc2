"""Other choices of statistics for results that a desk holds: nothing is scored again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.desk import Desk
    from jurydesk.core.execution.run import Run
    from jurydesk.core.model.evaluation import Evaluation
    from jurydesk.core.statistics.group_intervals import Method
    from jurydesk.core.statistics.inference import Correction, Inference


def change_statistics(
    desk: Desk,
    task: AnyTask,
    groups: Literal["declared", "none", "kept"] | Path,
    interval: Method,
    correction: Correction,
    run: Run,
    tell: object = None,
) -> None:
    """Make all intervals of the desk anew, and keep the choices for its board.

    `groups` are those in use (`kept`), or of a file. UsageError where that
    cannot be read. Raises Cancelled, and then changes nothing.
    """
    from jurydesk.core.desk.inference_settings import load_inference, store_inference
    from jurydesk.core.execution.groups_file import inference_from_values

    chosen = load_inference(desk)
    if groups == "declared":
        chosen = replace(chosen, grouped=True, labels={}, source=None)
    given = None if groups in ("declared", "kept") else groups
    values = {"groups": given, "interval": interval, "correction": correction}
    chosen = inference_from_values(values, chosen)
    changed = {}
    summaries = desk.evaluations()
    for number, summary in enumerate(summaries):
        run.report(number, len(summaries), f"intervals of {summary.system}")
        kept = desk.load(summary.id, task.readers.load_evidence)
        changed[summary.id] = recompute_intervals(task, kept, chosen, run)
    run.check()
    desk.rewrite(changed)
    store_inference(desk, chosen)


def recompute_intervals(task: AnyTask, kept: Evaluation, chosen: Inference, run: Run) -> Evaluation:
    """Return the evaluation with the intervals that scoring with these choices gives."""
    from jurydesk.core.execution.intervals import add_intervals
    from jurydesk.core.provenance.stamp import Stamp
    from jurydesk.core.statistics.bootstrap import RESAMPLES, SEED

    stamp = Stamp.from_json(kept.stamp) if kept.stamp else None
    seeds = {"resamples": RESAMPLES, "bootstrap": SEED} if stamp is None else stamp.seeds
    plain = replace(kept, scores=tuple(replace(one, interval=None) for one in kept.scores))
    made = add_intervals(task, plain, run, seeds["resamples"], seeds["bootstrap"], chosen)
    if stamp is None:
        return made
    policies = {k: v for k, v in stamp.policies.items() if k not in chosen.POLICIES}
    again = replace(
        stamp,
        policies={**policies, **chosen.policies},
        groups=chosen.source,
        scores=made.scores,
    )
    return replace(made, stamp=again.to_json())
