"""Comparison of two profiles of a system, item by item, with the reason of each difference."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.analysis.comparison.item_differences import ItemDifference, item_differences
from jurydesk.core.analysis.leaderboard import find_score
from jurydesk.core.analysis.stamped_inputs import require_stamp, stamped_inputs
from jurydesk.core.competition.stamped_options import options_of_stamp
from jurydesk.core.competition.task import AnyTask, RuleStep
from jurydesk.core.desk.errors import DeskError
from jurydesk.core.desk.inference_settings import load_inference
from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.language import Message, fill, translatable
from jurydesk.core.model.evaluation import Evaluation, Json, MetricInfo, Score, UsageError
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.tables.columns import Column, NumberColumn, TextColumn

if TYPE_CHECKING:
    from jurydesk.core.desk import Desk, Summary
    from jurydesk.core.execution.run import Run


@dataclass(frozen=True, slots=True)
class ProfileComparison:
    """One metric of a system in two profiles; `items` are those that differ, of `n`.

    `steps` are the rules in which the profiles differ, if the competition knows them; else
    `not_stepped` may say why they are unknown.
    """

    system: str
    metric: MetricInfo
    profiles: tuple[str, str]
    scores: tuple[Score, Score]
    items: tuple[ItemDifference, ...]
    n: int
    stamps: tuple[Json, Json]
    """Stamps of both results."""
    steps: tuple[RuleStep, ...] = ()
    not_stepped: str = ""


def profile_pair(task: AnyTask, profiles: Sequence[str] = ()) -> tuple[str, str]:
    """Return the two named profiles, else the first two of the task.

    Raises UsageError if the task lacks the profile or has only one.
    """
    unknown = [name for name in profiles if name not in task.scoring.profiles]
    if unknown:
        known = ", ".join(task.scoring.profiles)
        raise UsageError(
            fill('There is no profile "{unknown}". Available: {known}.', unknown[0], known)
        )
    first, second, *_ = (*(profiles or task.scoring.profiles), "", "")
    if not second or first == second:
        raise UsageError("Two different profiles are needed for a comparison.")
    return first, second


def load_in_profile(desk: Desk, task: AnyTask, system: str, profile: str, run: Run) -> Evaluation:
    """Load the system's evaluation in a profile, or score it from the same files.

    Raises DeskError if a file needed for scoring is gone, UsageError if it cannot be scored in this
    profile, and Cancelled.
    """
    known = [one for one in desk.evaluations() if one.system == system]
    for one in known:
        if one.profile == profile and not one.stale:
            return desk.load(one.id, task.readers.load_evidence)
    if not known:
        raise UsageError(fill('The desk has no system "{system}".', system))
    return score_in_profile(desk, task, known[0], profile, run)


def score_in_profile(
    desk: Desk, task: AnyTask, summary: Summary, profile: str, run: Run
) -> Evaluation:
    """Score the system in another profile, with the options of its stamp."""
    stamp = require_stamp(desk, summary)
    options = replace(options_of_stamp(task, stamp), profile=profile)
    files = files_by_role(stamped_inputs(desk, task, stamp))
    result = score_submissions(task, files, options, run, inference=load_inference(desk))
    for evaluation in result.evaluations:
        return replace(evaluation, system=summary.system)
    raise UsageError(
        fill("{system} cannot be scored with the profile {profile}.", summary.system, profile)
    )


def compare_profiles(
    task: AnyTask, first: Evaluation, second: Evaluation, metric: MetricInfo, run: Run
) -> ProfileComparison:
    """Compare a metric in two profiles; UsageError if one lacks it. Raises Cancelled."""
    scores = [require_score(one, metric.name) for one in (first, second)]
    items = item_differences(task, first, second, metric.name, run.check)
    return ProfileComparison(
        first.system,
        metric,
        (first.profile, second.profile),
        (scores[0], scores[1]),
        tuple(items),
        len({*first.items.ids, *second.items.ids}),
        (first.stamp, second.stamp),
    )


def with_rule_steps(
    found: ProfileComparison, desk: Desk, task: AnyTask, run: Run
) -> ProfileComparison:
    """Return a comparison with the rules that make the difference, from the files of the system.

    Raises Cancelled.
    """
    make_steps = task.presentation.rule_steps
    if make_steps is None:
        return found
    first, second = found.profiles
    summary = next(one for one in desk.evaluations() if one.system == found.system)
    try:
        stamp = require_stamp(desk, summary)
        inputs = stamped_inputs(desk, task, stamp)
        options = replace(options_of_stamp(task, stamp), profile=first)
        steps = make_steps(inputs, options, second, found.metric.name, run)
    except (DeskError, UsageError) as error:
        return replace(found, not_stepped=str(error))
    return replace(found, steps=tuple(steps))


def rule_table(found: ProfileComparison) -> list[Column]:
    """Return the rules in which two profiles differ, each with the score after it, and its cost."""
    decimals, steps = found.metric.decimals, found.steps
    changes = [math.nan if one.change is None else one.change for one in steps]
    return [
        TextColumn("rule", translatable("Rule"), [one.rule for one in steps], is_prose=True),
        NumberColumn(
            "score", found.metric.title, np.array([one.value for one in steps]), decimals=decimals
        ),
        NumberColumn(
            "change",
            translatable("Change"),
            np.array(changes),
            decimals=decimals,
            is_signed=True,
            tooltip=translatable("The rules change one after the other, in this order."),
        ),
    ]


def require_score(evaluation: Evaluation, metric: str) -> Score:
    """Return the score of a metric; raise UsageError if the profile lacks it."""
    for one in evaluation.scores:
        if one.metric == metric:
            return one
    raise UsageError(
        fill(
            "{system} has no {metric} in the profile {profile}.",
            evaluation.system,
            Message(metric),
            evaluation.profile,
        )
    )


def select_metric(task: AnyTask, summary: Summary, name: str = "") -> MetricInfo:
    """Return the named metric, else the headline, else the system's first metric."""
    names = [one.metric for one in summary.scores]
    if name and find_score(summary, name) is None:
        raise UsageError(
            fill(
                '{system} has no metric "{name}". Available: {join}.',
                summary.system,
                name,
                ", ".join(names),
            )
        )
    headlines = (info.name for info in task.headlines if info.name in names)
    return task.metric(name or next(headlines, names[0]))
