"""Leaderboard: systems by metrics, the best first, with a sentence about the result."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from jurydesk.core.analysis.equal_rules import other_rules_sentence, under_equal_rules
from jurydesk.core.analysis.leaderboard_finding import leaderboard_finding
from jurydesk.core.analysis.leaderboard_rows import AverageRanks, LeaderboardCell, LeaderboardRow
from jurydesk.core.analysis.reliability import RANDOM_WEIGHTS, random_metrics
from jurydesk.core.competition.task import Task
from jurydesk.core.language import join_messages
from jurydesk.core.model.evaluation import MetricInfo, Score
from jurydesk.core.model.options import stored_fields

if TYPE_CHECKING:
    from jurydesk.core.analysis.significance.pairwise_significance import PairwiseSignificance
    from jurydesk.core.desk.summary import Summary
    from jurydesk.core.statistics.rank_intervals import RankInterval


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """Rows in the order of the headline metric; a row has one cell per metric.

    The `doubt` of a metric says why its numbers are not reliable.
    """

    task: str
    title: str
    metrics: tuple[MetricInfo, ...]
    headline: MetricInfo | None
    rows: tuple[LeaderboardRow, ...]
    finding: str
    item_noun: tuple[str, str] | None = None
    """Noun of an item; without it no interval of few groups is marked."""
    significance_tests: Mapping[str, PairwiseSignificance] = field(default_factory=dict)
    """Significance tests by the headline metric, for every profile that was compared."""
    average_ranks: AverageRanks | None = None
    remarks: Mapping[str, str] = field(default_factory=dict)
    """Remarks on submissions (late, a copy), by system."""
    received: str = ""
    """How many of the submissions are scored, and why others are not."""
    is_noted: bool = True
    """Whether exports say what limits the metrics; earlier ones did not."""
    has_units: bool = False
    """Whether scores that are not means of items are resampled by units, such as images."""


def make_leaderboard(
    task: Task[Any, Any, Any],
    summaries: Sequence[Summary],
    significance_tests: Mapping[str, PairwiseSignificance] = MappingProxyType({}),
    rank_by: str = "",
) -> Leaderboard:
    """Build the leaderboard of these evaluations, ranked by a metric (default: the task's).

    Profiles are not compared with each other: each has its own places and best scores, and the rows
    of the task's first profile come first. With `significance_tests` (by profile), a place is the
    best rank of a system: systems without a significant difference share it.
    """
    summaries, others = under_equal_rules(task, summaries)
    metrics = _metrics(task, summaries)
    headline = _headline(task, metrics, summaries, rank_by)
    best = _best(metrics, summaries)
    rows: list[LeaderboardRow] = []
    for profile in _profiles(task, summaries):
        significance = significance_tests.get(profile)
        ranked = _rank_systems([one for one in summaries if one.profile == profile], headline)
        if not _gives_order(ranked, headline, significance):
            ranked, significance = [(None, one) for _, one in ranked], None
        contradicted = _contradicted(ranked, significance)
        for place, one in ranked:
            rank = _rank(one, headline, significance)
            scores = {score.metric: score for score in one.scores}
            cells = tuple(
                _cell(scores.get(info.name), best.get((profile, info.name))) for info in metrics
            )
            row = LeaderboardRow(rank.best if rank else place, one, cells, rank)
            rows.append(replace(row, is_contradicted=one.system in contradicted))
    finding = leaderboard_finding(
        rows, headline, significance_tests, task.item_noun, has_zero=_has_zero(task)
    )
    if others:
        finding = join_messages([finding, other_rules_sentence(others)])
    return Leaderboard(
        *(task.id, task.title, metrics, headline, tuple(rows), finding, task.item_noun),
        dict(significance_tests),
        has_units=task.scoring.units is not None,
    )


def _has_zero(task: Task[Any, Any, Any]) -> bool:
    """Return whether an option of the competition counts missing items as 0."""
    missing = (one for one in stored_fields(task.scoring.options) if one.name == "missing")
    return any("zero" in one.metadata["choices"] for one in missing)


def headline_metric(
    task: Task[Any, Any, Any], summaries: Sequence[Summary], rank_by: str = ""
) -> MetricInfo | None:
    """Return the metric that orders the leaderboard of these evaluations.

    It is that of the name `rank_by` if any system has it, else the task's.
    """
    return _headline(task, _metrics(task, summaries), summaries, rank_by)


def _rank(
    summary: Summary, headline: MetricInfo | None, significance: PairwiseSignificance | None
) -> RankInterval | None:
    if significance is None or headline is None or significance.metric.name != headline.name:
        return None
    return significance.rank(summary.system)


def find_score(summary: Summary, metric: str) -> Score | None:
    """Return the score of a metric, or None."""
    return next((score for score in summary.scores if score.metric == metric), None)


def _metrics(task: Task[Any, Any, Any], summaries: Sequence[Summary]) -> tuple[MetricInfo, ...]:
    """Return the metrics of any system: declared ones in their order, then the others.

    Scores by metrics that the task does not know, of another version or a stranger, have none.
    """
    present = dict.fromkeys(score.metric for one in summaries for score in one.scores)
    declared = [info for info in task.scoring.metrics if info.name in present]
    known = {info.name for info in declared}
    others = (task.scoring.metric_named(name) for name in present if name not in known)
    metrics = (*declared, *(info for info in others if info is not None))
    random = random_metrics(task, summaries)
    return tuple(
        replace(info, doubt=RANDOM_WEIGHTS) if info.name in random else info for info in metrics
    )


def _headline(
    task: Task[Any, Any, Any],
    metrics: Sequence[MetricInfo],
    summaries: Sequence[Summary],
    rank_by: str,
) -> MetricInfo | None:
    """Return the chosen metric, the task's or another, whichever is first defined for a system.

    Other headline metrics come before the rest.
    """
    wanted = [rank_by, task.scoring.rank_by]
    ranking = sorted(
        _ranking(metrics),
        key=lambda info: (
            wanted.index(info.name) if info.name in wanted else len(wanted) + (not info.headline)
        ),
    )
    first = [info for info in ranking if info.headline or info.name in wanted]
    known = [info for info in first if any(_is_known(one, info) for one in summaries)]
    return next(iter((*known, *first, *ranking)), None)


def _is_known(summary: Summary, info: MetricInfo) -> bool:
    score = find_score(summary, info.name)
    return score is not None and math.isfinite(score.value)


def _profiles(task: Task[Any, Any, Any], summaries: Iterable[Summary]) -> list[str]:
    present = dict.fromkeys(one.profile for one in summaries)
    declared = [profile for profile in task.scoring.profiles if profile in present]
    return [*declared, *(profile for profile in present if profile not in declared)]


def _best(
    metrics: Sequence[MetricInfo], summaries: Sequence[Summary]
) -> dict[tuple[str, str], float]:
    """Return the best value per (profile, metric), for metrics that rank two systems or more."""
    known: dict[tuple[str, str], list[float]] = {}
    for one in summaries:
        for score in one.scores:
            if math.isfinite(score.value):
                known.setdefault((one.profile, score.metric), []).append(score.value)
    choose = {info.name: max if info.better == "higher" else min for info in _ranking(metrics)}
    return {
        (profile, name): choose[name](values)
        for (profile, name), values in known.items()
        if name in choose and len(values) > 1
    }


def _ranking(metrics: Sequence[MetricInfo]) -> list[MetricInfo]:
    return [info for info in metrics if info.better != "neither"]


def _cell(score: Score | None, best: float | None) -> LeaderboardCell:
    return LeaderboardCell(score, score is not None and score.value == best)


def _rank_systems(
    summaries: Sequence[Summary], headline: MetricInfo | None
) -> list[tuple[int | None, Summary]]:
    """Return the systems of a profile with their places; undefined scores last, then by name."""

    def key(summary: Summary) -> tuple[float, str]:
        return _cost(summary, headline), summary.system

    ordered = sorted(summaries, key=key)
    costs = [_cost(one, headline) for one in ordered]
    places = [costs.index(cost) + 1 if math.isfinite(cost) else None for cost in costs]
    return list(zip(places, ordered, strict=True))


def _gives_order(
    ranked: Sequence[tuple[int | None, Summary]],
    headline: MetricInfo | None,
    significance: PairwiseSignificance | None,
) -> bool:
    """Return whether systems can be ranked: two or more, by reliable scores of the same items."""
    if headline is None or headline.doubt or sum(place is not None for place, _ in ranked) < 2:
        return False
    return significance is not None or not _are_of_different_items(ranked, headline)


def _are_of_different_items(
    ranked: Sequence[tuple[int | None, Summary]], headline: MetricInfo
) -> bool:
    """Return whether scores are means of different numbers of items, and so give no order."""
    if headline.aggregate != "mean":
        return False
    scores = (find_score(one, headline.name) for place, one in ranked if place is not None)
    return len({score.n for score in scores if score is not None}) > 1


def _contradicted(
    ranked: Sequence[tuple[int | None, Summary]], significance: PairwiseSignificance | None
) -> frozenset[str]:
    """Return the systems that tests find worse than a system with a worse score."""
    if significance is None:
        return frozenset()
    places = {one.system: place for place, one in ranked if place is not None}
    return frozenset(
        worse
        for better, worse in significance.differing
        if places.get(worse, math.inf) < places.get(better, math.inf)
    )


def _cost(summary: Summary, headline: MetricInfo | None) -> float:
    """Return the headline score with its sign such that less is better; infinite if undefined."""
    score = None if headline is None else find_score(summary, headline.name)
    if headline is None or score is None or not math.isfinite(score.value):
        return math.inf
    return -score.value if headline.better == "higher" else score.value
