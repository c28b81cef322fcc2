"""Leaderboard: systems by metrics, the best first, with a sentence about the result."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from jurydesk.core.analysis.reliability import RANDOM_WEIGHTS, random_metrics
from jurydesk.core.competition.task import Task
from jurydesk.core.language import Message, counted, fill, join_messages, round_number, translatable
from jurydesk.core.model.evaluation import MetricInfo, Score
from jurydesk.core.statistics.groups import FEWEST_GROUPS

if TYPE_CHECKING:
    from jurydesk.core.analysis.significance.pairwise_significance import PairwiseSignificance
    from jurydesk.core.desk.summary import Summary
    from jurydesk.core.statistics.rank_intervals import RankInterval

NUMERALS = MappingProxyType(
    dict(
        enumerate(
            (
                translatable("Two"),
                translatable("Three"),
                translatable("Four"),
                translatable("Five"),
                translatable("Six"),
                translatable("Seven"),
                translatable("Eight"),
                translatable("Nine"),
                translatable("Ten"),
            ),
            start=2,
        )
    )
)


@dataclass(frozen=True, slots=True)
class LeaderboardCell:
    """Score of one system and metric; `best` marks the best of its metric within a profile.

    `score` is None if the system lacks the metric.
    """

    score: Score | None
    best: bool


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    """System with its place (equal scores share one; None without a score) and its cells."""

    place: int | None
    summary: Summary
    cells: tuple[LeaderboardCell, ...]
    rank: RankInterval | None = None
    """Confidence interval of the rank, if systems were compared."""

    @property
    def places(self) -> str:
        """Rank interval such as `1–3`, else the place; empty without a score."""
        if self.rank is None or self.rank.best == self.rank.worst:
            return "" if self.place is None else str(self.place)
        return f"{self.rank.best}–{self.rank.worst}"


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


def make_leaderboard(
    task: Task[Any, Any, Any],
    summaries: Sequence[Summary],
    significance_tests: Mapping[str, PairwiseSignificance] = MappingProxyType({}),
) -> Leaderboard:
    """Build the leaderboard of these evaluations.

    Profiles are not compared with each other: each has its own places and best scores, and the rows
    of the task's first profile come first. With `significance_tests` (by profile), a place is the
    best rank of a system: systems without a significant difference share it.
    """
    summaries = [_replace_interval(one, significance_tests.get(one.profile)) for one in summaries]
    metrics = _metrics(task, summaries)
    headline = _headline(metrics, summaries)
    best = _best(metrics, summaries)
    rows: list[LeaderboardRow] = []
    for profile in _profiles(task, summaries):
        ranked = _rank_systems([one for one in summaries if one.profile == profile], headline)
        for place, one in ranked:
            rank = _rank(one, headline, significance_tests.get(profile))
            scores = {score.metric: score for score in one.scores}
            cells = tuple(
                _cell(scores.get(info.name), best.get((profile, info.name))) for info in metrics
            )
            rows.append(LeaderboardRow(rank.best if rank else place, one, cells, rank))
    finding = leaderboard_finding(rows, headline, significance_tests, task.item_noun)
    return Leaderboard(
        *(task.id, task.title, metrics, headline, tuple(rows), finding, task.item_noun),
        dict(significance_tests),
    )


def headline_metric(task: Task[Any, Any, Any], summaries: Sequence[Summary]) -> MetricInfo | None:
    """Return the metric that orders the leaderboard of these evaluations."""
    return _headline(_metrics(task, summaries), summaries)


def _rank(
    summary: Summary, headline: MetricInfo | None, significance: PairwiseSignificance | None
) -> RankInterval | None:
    if significance is None or headline is None or significance.metric.name != headline.name:
        return None
    return significance.rank(summary.system)


def _replace_interval(summary: Summary, significance: PairwiseSignificance | None) -> Summary:
    """Replace the interval of a score by that of the comparison, if the methods differ."""
    found = None if significance is None else significance.interval(summary.system)
    if significance is None or found is None:
        return summary
    name = significance.metric.name
    scores = (
        replace(score, interval=found)
        if score.metric == name
        and (score.interval is None or score.interval.method != found.method)
        else score
        for score in summary.scores
    )
    return replace(summary, scores=tuple(scores))


def find_score(summary: Summary, metric: str) -> Score | None:
    """Return the score of a metric, or None."""
    return next((score for score in summary.scores if score.metric == metric), None)


def _metrics(task: Task[Any, Any, Any], summaries: Sequence[Summary]) -> tuple[MetricInfo, ...]:
    """Return the metrics of any system: declared ones in their order, then the others."""
    present = dict.fromkeys(score.metric for one in summaries for score in one.scores)
    declared = [info for info in task.scoring.metrics if info.name in present]
    known = {info.name for info in declared}
    metrics = (*declared, *(task.metric(name) for name in present if name not in known))
    random = random_metrics(task, summaries)
    return tuple(
        replace(info, doubt=RANDOM_WEIGHTS) if info.name in random else info for info in metrics
    )


def _headline(metrics: Sequence[MetricInfo], summaries: Sequence[Summary]) -> MetricInfo | None:
    """Return the first headline metric that is defined for a system, else the first headline."""
    ranking = _ranking(metrics)
    headlines = [info for info in ranking if info.headline]
    known = [info for info in headlines if any(_is_known(one, info) for one in summaries)]
    return next(iter((*known, *headlines, *ranking)), None)


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


def _cost(summary: Summary, headline: MetricInfo | None) -> float:
    """Return the headline score with its sign such that less is better; infinite if undefined."""
    score = None if headline is None else find_score(summary, headline.name)
    if headline is None or score is None or not math.isfinite(score.value):
        return math.inf
    return -score.value if headline.better == "higher" else score.value


def leaderboard_finding(
    rows: Sequence[LeaderboardRow],
    headline: MetricInfo | None,
    significance_tests: Mapping[str, PairwiseSignificance] = MappingProxyType({}),
    noun: tuple[str, str] = ("item", "items"),
) -> str:
    """Summarize the leaderboard in a sentence that the numbers and their intervals support."""
    if not rows:
        return "No system has been scored yet."
    if headline is None:
        return "No metric of this board ranks the systems."
    first = rows[0].summary.profile
    placed = [row for row in rows if row.place is not None and row.summary.profile == first]
    if not placed:
        metric = headline.title
        return fill("{metric} is undefined for every system.", Message(metric))
    if headline.doubt:
        lead = _describe_doubt(placed, headline)
    elif (
        first in significance_tests
        and significance_tests[first].pairs
        and all(row.rank for row in placed)
    ):
        lead = lead_sentence(placed, headline, significance_tests[first], noun)
    else:
        leaders = [row for row in placed if row.place == 1]
        others = [row for row in placed if row.place != 1]
        lead = _describe_lead(leaders, others, headline, alone=len(rows) == 1)
    return join_messages([lead, *_caveats(rows, first)])


def _describe_doubt(placed: Sequence[LeaderboardRow], headline: MetricInfo) -> str:
    """Name no leader by numbers that are not reliable, and say why they are not."""
    metric, decimals = headline.title, headline.decimals
    system, score = placed[0].summary.system, _headline_score(placed[0], headline).value
    if len(placed) == 1:
        sentence = fill(
            "{system} has {metric} ({score}).",
            system,
            Message(metric),
            round_number(score, decimals),
        )
    else:
        sentence = fill("No leader can be named by {metric}.", Message(metric))
    return join_messages([sentence, headline.doubt])


def lead_sentence(
    placed: Sequence[LeaderboardRow],
    headline: MetricInfo,
    significance: PairwiseSignificance,
    noun: tuple[str, str],
) -> str:
    """Describe who leads or how many share the lead, and the detectable difference."""
    percent = f"{100 * significance.level:g} %"
    leaders = sum(row.place == 1 for row in placed)
    if leaders == 1:
        system, metric = placed[0].summary.system, headline.title
        score, decimals = _headline_score(placed[0], headline).value, headline.decimals
        lead = fill(
            "{system} leads with {metric} {score}, ahead of all others at {percent}.",
            system,
            Message(metric),
            round_number(score, decimals),
            percent,
        )
    elif leaders == len(placed) and leaders == 2:
        lead = fill(
            "The two systems do not differ significantly at {percent}: they share rank 1.", percent
        )
    else:
        numeral = NUMERALS.get(leaders, "")
        lead = (
            fill(
                "{numeral} systems do not differ significantly at {percent}: they share rank 1.",
                Message(numeral),
                percent,
            )
            if numeral
            else fill(
                "{leaders:,} systems do not differ significantly at {percent}: they share rank 1.",
                leaders,
                percent,
            )
        )
    return join_messages([lead, *_limits(headline, significance, noun)])


def _limits(
    headline: MetricInfo, significance: PairwiseSignificance, noun: tuple[str, str]
) -> Iterator[str]:
    """Yield what this number of groups can and cannot show."""
    size, percent = significance.size(noun), f"{100 * significance.level:g} %"
    plural = significance.unit or (significance.group_noun or noun)[1]
    if significance.is_underpowered:
        comparisons, lowest = counted(len(significance.pairs), "comparison"), significance.lowest
        if significance.groups == 1:
            yield (
                fill(
                    "{size} is too few for any significant difference: with {comparisons} no "
                    "p value can be below {lowest:.2g}, however large the difference.",
                    size,
                    comparisons,
                    lowest,
                )
            )
        else:
            yield (
                fill(
                    "{size} are too few for any significant difference: with {comparisons} "
                    "no p value can be below {lowest:.2g}, however large the difference.",
                    size,
                    comparisons,
                    lowest,
                )
            )
    elif math.isfinite(significance.detectable):
        decimals = headline.decimals
        yield (
            fill(
                "Minimum detectable difference with {size}: {detectable}.",
                size,
                round_number(significance.detectable, decimals),
            )
        )
    if significance.unknown_groups is not None:
        entries, items = significance.unknown_groups[1], noun[1]
        yield fill(
            "The {entries} are unknown: single {items} are resampled.",
            Message(entries),
            Message(items),
        )
        yield "Score again if an older version made the results, or give a file of groups."
    if significance.groups < FEWEST_GROUPS:
        yield fill(
            "There are no {percent} intervals: they need {fewest_groups} {plural} or more.",
            percent,
            FEWEST_GROUPS,
            Message(plural),
        )
    elif significance.has_few_groups:
        yield fill(
            "The {percent} intervals are based on few {plural}: interpret them with caution.",
            percent,
            Message(plural),
        )


def _describe_lead(
    leaders: Sequence[LeaderboardRow],
    others: Sequence[LeaderboardRow],
    headline: MetricInfo,
    *,
    alone: bool,
) -> str:
    """Describe who leads, and how many other systems' intervals overlap with the leader's."""
    lead, metric, decimals = (
        _headline_score(leaders[0], headline),
        headline.title,
        headline.decimals,
    )
    system, score, interval = leaders[0].summary.system, lead.value, lead.interval
    if alone:
        return fill(
            "{system} has {metric} {score}.", system, Message(metric), round_number(score, decimals)
        )
    if len(leaders) > 1:
        systems, last = ", ".join(one.summary.system for one in leaders[:-1]), leaders[-1].summary
        return fill(
            "{systems} and {system} share the lead with {metric} {score}.",
            systems,
            last.system,
            Message(metric),
            round_number(score, decimals),
        )
    intervals = [_headline_score(row, headline).interval for row in others]
    if interval is None or not intervals or None in intervals:
        return fill(
            "{system} leads with {metric} {score}.",
            system,
            Message(metric),
            round_number(score, decimals),
        )
    count = sum(
        other is not None and other.low <= interval.high and interval.low <= other.high
        for other in intervals
    )
    percent = f"{100 * interval.level:g} %"
    if count == 0:
        return fill(
            "{system} leads with {metric} {score}; no other system's {percent} interval "
            "overlaps with its own.",
            system,
            Message(metric),
            round_number(score, decimals),
            percent,
        )
    if count == 1:
        return fill(
            "{system} leads with {metric} {score}; the {percent} interval of one other "
            "system overlaps with its own.",
            system,
            Message(metric),
            round_number(score, decimals),
            percent,
        )
    return fill(
        "{system} leads with {metric} {score}; the {percent} intervals of {count} other "
        "systems overlap with its own.",
        system,
        Message(metric),
        round_number(score, decimals),
        percent,
        count,
    )


def _caveats(rows: Sequence[LeaderboardRow], profile: str) -> Iterator[str]:
    if any(row.summary.profile != profile for row in rows):
        yield fill("This is the profile {profile}.", profile)
    stale = sum(row.summary.stale for row in rows)
    if stale == 1:
        yield "One result is out of date: an input or option has changed since."
    elif stale:
        yield fill("{stale} results are out of date: an input or option has changed since.", stale)


def _headline_score(row: LeaderboardRow, headline: MetricInfo) -> Score:
    score = find_score(row.summary, headline.name)
    if score is None:
        raise KeyError(headline.name)
    return score
