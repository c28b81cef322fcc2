"""Two profiles of one system side by side, item by item, with the reason of each difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from jurydesk.core.analysis.item_differences import ItemDifference, item_differences
from jurydesk.core.analysis.leaderboard import find_score
from jurydesk.core.analysis.stamped_inputs import require_stamp, stamped_inputs
from jurydesk.core.analysis.verify import options_of_stamp
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.desk.inference_settings import load_inference
from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.model.evaluation import Evaluation, MetricInfo, Score, UsageError

if TYPE_CHECKING:
    from jurydesk.core.desk import Desk, Summary
    from jurydesk.core.execution.run import Run


@dataclass(frozen=True, slots=True)
class ProfileComparison:
    """One metric of one system in two profiles; `items` are those that differ, of `n` in all."""

    system: str
    metric: MetricInfo
    profiles: tuple[str, str]
    scores: tuple[Score, Score]
    items: tuple[ItemDifference, ...]
    n: int


def profile_pair(task: AnyTask, profiles: Sequence[str] = ()) -> tuple[str, str]:
    """The profiles to compare: those two that are named, else the first two of the task.

    UsageError where the task has no such profile, or only one.
    """
    unknown = [name for name in profiles if name not in task.scoring.profiles]
    if unknown:
        known = ", ".join(task.scoring.profiles)
        raise UsageError(f'There is no profile "{unknown[0]}". There are: {known}.')
    first, second, *_ = (*(profiles or task.scoring.profiles), "", "")
    if not second or first == second:
        raise UsageError("Two profiles are needed to set one beside the other.")
    return first, second


def load_in_profile(desk: Desk, task: AnyTask, system: str, profile: str, run: Run) -> Evaluation:
    """The system in that profile: as the desk keeps it, else scored now from the same files.

    DeskError where it has to be scored and a file is gone; UsageError where it cannot be scored
    in this profile. Raises Cancelled.
    """
    known = [one for one in desk.evaluations() if one.system == system]
    for one in known:
        if one.profile == profile and not one.stale:
            return desk.load(one.id, task.readers.load_evidence)
    if not known:
        raise UsageError(f'The desk has no system "{system}".')
    return score_in_profile(desk, task, known[0], profile, run)


def score_in_profile(
    desk: Desk, task: AnyTask, summary: Summary, profile: str, run: Run
) -> Evaluation:
    """The system scored in another profile, with the options of its stamp."""
    stamp = require_stamp(desk, summary)
    options = replace(options_of_stamp(task, stamp), profile=profile)
    result = score_submissions(
        task, stamped_inputs(desk, task, stamp), options, run, inference=load_inference(desk)
    )
    for evaluation in result.evaluations:
        return replace(evaluation, system=summary.system)
    raise UsageError(f"{summary.system} cannot be scored with the profile {profile}.")


def compare_profiles(
    task: AnyTask, first: Evaluation, second: Evaluation, metric: MetricInfo, run: Run
) -> ProfileComparison:
    """One metric in both profiles. UsageError where one of them lacks it. Raises Cancelled."""
    scores = [require_score(one, metric.name) for one in (first, second)]
    items = item_differences(task, first, second, metric.name, run.check)
    return ProfileComparison(
        first.system,
        metric,
        (first.profile, second.profile),
        (scores[0], scores[1]),
        tuple(items),
        len({*first.items.ids, *second.items.ids}),
    )


def require_score(evaluation: Evaluation, metric: str) -> Score:
    """The score of that name; UsageError where the profile has none."""
    for score_ in evaluation.scores:
        if score_.metric == metric:
            return score_
    raise UsageError(f"{evaluation.system} has no {metric} in the profile {evaluation.profile}.")


def select_metric(task: AnyTask, summary: Summary, name: str = "") -> MetricInfo:
    """The metric of that name, else the headline, else the first that the system has."""
    names = [score_.metric for score_ in summary.scores]
    if name and find_score(summary, name) is None:
        raise UsageError(f'{summary.system} has no metric "{name}". There are: {", ".join(names)}.')
    headline = next((info.name for info in task.scoring.metrics if info.headline), "")
    return task.metric(name or (headline if headline in names else names[0]))
