"""Finding of a leaderboard: sentences that its numbers, intervals and tests support."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from jurydesk.core.language import (
    Message,
    counted,
    fill,
    join_messages,
    round_number,
    translatable,
)
from jurydesk.core.model.evaluation import MetricInfo, Score
from jurydesk.core.statistics.groups import FEWEST_EFFECTIVE, FEWEST_GROUPS

if TYPE_CHECKING:
    from jurydesk.core.analysis.leaderboard_rows import LeaderboardRow
    from jurydesk.core.analysis.significance.pairwise_significance import PairwiseSignificance
    from jurydesk.core.desk.summary import Summary

NOTABLE = 1.2
"""Least ratio of the largest detectable difference to the median one that is reported."""


def leaderboard_finding(
    rows: Sequence[LeaderboardRow],
    headline: MetricInfo | None,
    significance_tests: Mapping[str, PairwiseSignificance] = MappingProxyType({}),
    noun: tuple[str, str] = ("item", "items"),
    *,
    has_zero: bool = False,
) -> str:
    """Summarize the leaderboard in sentences that the numbers and their tests support.

    With `has_zero`, the competition can count missing items as 0.
    """
    if not rows:
        return "No system has been scored yet."
    if headline is None:
        return "No metric of this board ranks the systems."
    first = rows[0].summary.profile
    placed = [row for row in rows if row.summary.profile == first and _has_score(row, headline)]
    if not placed:
        return fill("{metric} is undefined for every system.", Message(headline.title))
    if headline.doubt:
        lead = _describe_doubt(placed, headline)
    elif (
        first in significance_tests
        and significance_tests[first].pairs
        and all(row.rank for row in placed)
    ):
        lead = lead_sentence(placed, headline, significance_tests[first], noun)
    elif len(placed) == 1:
        lead = _describe_alone(placed[0], headline)
    elif all(row.place is None for row in placed):
        lead = _describe_different_items(placed, headline, noun)
    else:
        lead = _describe_scores(placed, headline)
    remedy = ""
    if has_zero and not headline.doubt and _are_apart(placed, significance_tests.get(first)):
        remedy = fill(
            "Score with --missing zero to count unanswered {items} as 0.", Message(noun[1])
        )
    return join_messages(filter(None, [lead, remedy, *_caveats(rows, first)]))


def _are_apart(placed: Sequence[LeaderboardRow], significance: PairwiseSignificance | None) -> bool:
    """Return whether systems answered items so different that scores give no order of them."""
    if significance is not None and significance.incomparable:
        return True
    return len(placed) > 1 and any(row.is_contradicted or row.place is None for row in placed)


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
    """Describe who leads or how many share the lead, and the detectable difference.

    The systems are `placed` by their scores, the best first; their ranks are those of the tests.
    """
    if significance.is_underpowered:
        return _describe_too_few(significance, noun)
    leaders = [row for row in placed if row.place == 1]
    sentences: list[str] = []
    if placed[0] not in leaders:
        sentences += _describe_contradiction(placed, headline, significance, noun)
    if len(leaders) == 1:
        sentences.append(_describe_leader(leaders[0], headline, significance))
    elif not leaders:
        sentences.append(
            fill(
                "No system has rank 1: on common {items}, each is worse than another.",
                Message(noun[1]),
            )
        )
    else:
        # Without ranks nothing is claimed of a set of systems, either.
        sentence = (
            "The best system is one of these {count:,}; the data cannot say which."
            if significance.claims_ranks
            else "The data cannot say which of these {count:,} systems is the best."
        )
        sentences.append(fill(sentence, len(leaders)))
    return join_messages([*sentences, *_limits(significance, noun)])


def _describe_leader(
    leader: LeaderboardRow, headline: MetricInfo, significance: PairwiseSignificance
) -> str:
    system, metric = leader.summary.system, Message(headline.title)
    score = round_number(_headline_score(leader, headline).value, headline.decimals)
    worst = len(significance.systems) if leader.rank is None else leader.rank.worst
    if worst == 1:
        percent = f"{100 * significance.level:g} %"
        return fill(
            "{system} leads with {metric} {score}, ahead of all others at {percent}.",
            *(system, metric, score, percent),
        )
    return fill(
        "{system} leads with {metric} {score}, but is not shown to be ahead of {others}.",
        *(system, metric, score, counted(worst - 1, "other")),
    )


def _describe_contradiction(
    placed: Sequence[LeaderboardRow],
    headline: MetricInfo,
    significance: PairwiseSignificance,
    noun: tuple[str, str],
) -> Iterator[str]:
    """Yield what two systems answered, and which of them the tests find better despite its score.

    The first is that with the best score.
    """
    top = placed[0].summary.system
    better = {one for one, worse in significance.differing if worse == top}
    row = min(
        (row for row in placed if row.summary.system in better),
        key=lambda row: row.place or len(placed),
    )
    first, second = (_headline_score(one, headline).n for one in (placed[0], row))
    yield fill(
        "Score and test disagree: {first} answered {some} of {all}, {second} {others:,}.",
        *(top, f"{first:,}", counted(significance.items, *noun), row.summary.system, second),
    )
    yield fill("On common {items}, {system} is better.", Message(noun[1]), row.summary.system)


def _describe_too_few(significance: PairwiseSignificance, noun: tuple[str, str]) -> str:
    groups = counted(significance.groups, *_nouns(significance, noun))
    return fill(
        "{groups} cannot show a difference: at least {needed:,} are needed.",
        groups,
        significance.groups_needed,
    )


def _limits(significance: PairwiseSignificance, noun: tuple[str, str]) -> Iterator[str]:
    """Yield what this number of groups can and cannot show."""
    percent, nouns = f"{100 * significance.level:g} %", _nouns(significance, noun)
    groups, plural = counted(significance.groups, *nouns), nouns[1]
    if significance.incomparable:
        yield fill(
            "In {pairs} the systems share fewer than two {items}: they are not compared.",
            *(counted(significance.incomparable, "pair"), Message(plural)),
        )
    if math.isfinite(significance.detectable):
        yield fill(
            "Differences below about {detectable} cannot be seen reliably with {groups} (found 4 "
            "times in 5).",
            two_digits(significance.detectable),
            groups,
        )
        if significance.largest_detectable > NOTABLE * significance.detectable:
            yield fill(
                "For the least precise pair it is {detectable}.",
                two_digits(significance.largest_detectable),
            )
    if significance.inequality:
        yield fill(
            "{groups} count as fewer: {effectively}.", groups, Message(significance.inequality)
        )
    if significance.overruled:
        yield fill(
            "In {pairs} the differences are lopsided (a few large failures): the studentized "
            "bootstrap decides in place of the test.",
            counted(significance.overruled, "pair"),
        )
    if lacks_intervals(significance):
        yield no_intervals(significance, noun)
    if significance.groups >= FEWEST_GROUPS and not significance.claims_ranks:
        yield no_ranks(significance, noun)
    elif not lacks_intervals(significance) and significance.has_few_groups:
        yield fill(
            "The {percent} intervals are based on few {plural}: interpret them with caution.",
            percent,
            Message(plural),
        )


def _nouns(significance: PairwiseSignificance, noun: tuple[str, str]) -> tuple[str, str]:
    """Return the nouns of what was resampled."""
    if significance.unit:
        return significance.unit.removesuffix("s"), significance.unit
    return significance.group_noun or noun


def lacks_intervals(significance: PairwiseSignificance) -> bool:
    """Return whether there are too few groups, or effectively too few, for any interval."""
    return significance.groups < FEWEST_GROUPS or significance.effective < FEWEST_EFFECTIVE


def no_intervals(significance: PairwiseSignificance, noun: tuple[str, str]) -> str:
    """Say how many groups an interval needs."""
    plural = significance.unit or (significance.group_noun or noun)[1]
    percent = f"{100 * significance.level:g} %"
    if significance.groups >= FEWEST_GROUPS:
        return fill(
            "There are no {percent} intervals: they need effectively {fewest} {plural} or more.",
            *(percent, FEWEST_EFFECTIVE, Message(plural)),
        )
    return fill(
        "There are no {percent} intervals: they need {fewest_groups} {plural} or more.",
        *(percent, FEWEST_GROUPS, Message(plural)),
    )


def no_ranks(significance: PairwiseSignificance, noun: tuple[str, str]) -> str:
    """Say how many groups ranks need."""
    if significance.groups < FEWEST_GROUPS:
        return _describe_too_few(significance, noun)
    return fill(
        "No ranks are claimed: they need effectively {fewest} {plural} or more.",
        *(FEWEST_GROUPS, Message(_nouns(significance, noun)[1])),
    )


def two_digits(value: float) -> str:
    """Return a positive number with two significant digits, or as an integer."""
    return round_number(value, max(0, 1 - math.floor(math.log10(value))))


def _describe_alone(row: LeaderboardRow, headline: MetricInfo) -> str:
    """Say the score of the only system that has one, which ranks nothing."""
    score = round_number(_headline_score(row, headline).value, headline.decimals)
    return fill(
        "{system} has {metric} {score}.", row.summary.system, Message(headline.title), score
    )


def _describe_scores(placed: Sequence[LeaderboardRow], headline: MetricInfo) -> str:
    """Describe who has the best score, without tests."""
    leaders = [row for row in placed if row.place == 1]
    metric = Message(headline.title)
    score = round_number(_headline_score(leaders[0], headline).value, headline.decimals)
    system = leaders[0].summary.system
    if len(leaders) > 1:
        systems, last = ", ".join(one.summary.system for one in leaders[:-1]), leaders[-1].summary
        return fill(
            "{systems} and {system} have the best {metric}, {score}; no difference was tested.",
            *(systems, last.system, metric, score),
        )
    return fill(
        "{system} has the best {metric}, {score}; no difference was tested.",
        *(system, metric, score),
    )


def _describe_different_items(
    placed: Sequence[LeaderboardRow], headline: MetricInfo, noun: tuple[str, str]
) -> str:
    """Name no leader by scores of different items."""
    counts = [_headline_score(row, headline).n for row in placed]
    return fill(
        "No system leads by score: they answered {fewest:,} to {most}, and scores of different "
        "{items} give no order.",
        *(min(counts), counted(max(counts), *noun), Message(noun[1])),
    )


def _caveats(rows: Sequence[LeaderboardRow], profile: str) -> Iterator[str]:
    if any(row.summary.profile != profile for row in rows):
        yield fill("This is the profile {profile}.", profile)
    yield describe_stale([row.summary for row in rows])


def describe_stale(summaries: Sequence[Summary]) -> str:
    """Describe how many results are of other files or options; empty if none are."""
    stale = sum(one.stale for one in summaries)
    if stale == 1:
        return translatable("One result is out of date: an input or option has changed since.")
    if not stale:
        return ""
    return fill("{stale} results are out of date: an input or option has changed since.", stale)


def _has_score(row: LeaderboardRow, headline: MetricInfo) -> bool:
    scores = (score for score in row.summary.scores if score.metric == headline.name)
    return any(math.isfinite(score.value) for score in scores)


def _headline_score(row: LeaderboardRow, headline: MetricInfo) -> Score:
    return next(score for score in row.summary.scores if score.metric == headline.name)
