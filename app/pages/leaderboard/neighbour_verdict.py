"""Sentences about the difference between a system and its neighbour on the board."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from jurydesk.core.analysis.leaderboard import Leaderboard
from jurydesk.core.analysis.leaderboard_rows import LeaderboardRow
from jurydesk.core.analysis.significance.board_verdict import corrected_family
from jurydesk.core.analysis.significance.pairwise_significance import PairTest, PairwiseSignificance
from jurydesk.core.language import translatable, translate, translate_text
from jurydesk.core.model.evaluation import Aggregate, MetricInfo
from jurydesk.core.tables import numbers

NOT_OF_ITEMS: dict[Aggregate, str] = {
    "mean": translatable(
        "These two were not tested: {metric} in this desk is not the mean of its {nouns}."
    ),
    "sum": translatable(
        "These two were not tested: {metric} is a sum that cannot be resampled over {nouns}."
    ),
    "own": translatable("These two were not tested: {metric} cannot be resampled over {nouns}."),
}
"""Reason why a metric has no pairwise test, by its aggregate."""


@dataclass(frozen=True, slots=True)
class NeighbourComparison:
    """Test between a system and its neighbour, as a sentence.

    `comparable` is true if both systems have a value of the metric.
    """

    first: str
    second: str
    sentence: str
    metric: MetricInfo
    comparable: bool = True


def compare_with_neighbour(
    board: Leaderboard, row: LeaderboardRow, nouns: str = "items", waiting: str = ""
) -> NeighbourComparison | None:
    """Return the test between a system and its neighbour; None for a single system.

    Args:
        board: Board with its tests.
        row: System to compare.
        nouns: Plural of what the scores are made of.
        waiting: Sentence to show while the tests are still running.
    """
    names, significance = neighbours(board, row), board.significance_tests.get(row.summary.profile)
    metric = board.headline if significance is None else significance.metric
    if names is None or metric is None:
        return None
    title, nouns = translate_text(metric.title), translate(nouns)
    without = [name for name in names if not _has_number(board, row, name, metric)]
    if without:
        return NeighbourComparison(
            *names, _missing_metric_text(without, title), metric, comparable=False
        )
    if significance is None:
        reason = translate(NOT_OF_ITEMS[metric.aggregate], metric=title, nouns=nouns)
        return NeighbourComparison(*names, waiting or reason, metric)
    test = next((one for one in significance.pairs if {one.first, one.second} == {*names}), None)
    if test is None or not math.isfinite(test.p):
        sentence = translate(
            "These two were not tested: too few {nouns} are scored for both systems.", nouns=nouns
        )
        return NeighbourComparison(*names, sentence, metric)
    doubt = next((info.doubt for info in board.metrics if info.name == metric.name), "")
    sentence = translate_text(doubt) or _sentence(significance, test, turned=test.first != names[0])
    return NeighbourComparison(*names, sentence, metric)


def _has_number(board: Leaderboard, row: LeaderboardRow, name: str, metric: MetricInfo) -> bool:
    return any(
        score.metric == metric.name and math.isfinite(score.value)
        for one in board.rows
        if (one.summary.system, one.summary.profile) == (name, row.summary.profile)
        for score in one.summary.scores
    )


def _missing_metric_text(names: Sequence[str], metric: str) -> str:
    if len(names) == 1:
        return translate(
            "These two were not tested: {system} has no {metric}.", system=names[0], metric=metric
        )
    first, second = names
    return translate(
        "These two were not tested: {first} and {second} have no {metric}.",
        first=first,
        second=second,
        metric=metric,
    )


def neighbours(board: Leaderboard, row: LeaderboardRow) -> tuple[str, str] | None:
    """Return the system above and this one; for the first, it and the second; None if alone."""
    alike = [one for one in board.rows if one.summary.profile == row.summary.profile]
    if len(alike) < 2:
        return None
    place = max(alike.index(row), 1)
    return alike[place - 1].summary.system, alike[place].summary.system


def _sentence(significance: PairwiseSignificance, test: PairTest, *, turned: bool) -> str:
    decimals, sign = significance.metric.decimals, -1 if turned else 1
    difference = numbers.signed(sign * test.difference, decimals)
    parts = [translate("difference {difference}", difference=difference)]
    limits = test.corrected_interval if significance.tested > 1 else test.interval
    if limits is not None:
        ends = sorted((sign * limits.low, sign * limits.high))
        low, high = (numbers.signed(end, decimals) for end in ends)
        level = numbers.percent(limits.level)
        interval = translate("{level} interval {low} to {high}", level=level, low=low, high=high)
        parts.append(f"{interval}{numbers.FEW if significance.has_few_groups else ''}")
    p = numbers.p_equation(test.corrected)
    method = translate_text(significance.method_of(test))
    family = translate_text(corrected_family(significance))
    if significance.tested > 1:
        parts.append(
            translate(
                "{p}, {method}, corrected over the {family}", p=p, method=method, family=family
            )
        )
    else:
        parts.append(translate("{p} ({method}, {family})", p=p, method=method, family=family))
    verdict = translate(
        "They differ significantly"
        if significance.tells_apart(test)
        else "The data cannot say which of them is better"
    )
    if significance.is_underpowered and significance.group_noun:
        few = numbers.quantity(significance.groups, *significance.group_noun)
        verdict = translate("{groups} are too few for any significant difference", groups=few)
    return f"{verdict}: {' · '.join(parts)}"
