"""What separates a system from its neighbour on the board, in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from jurydesk.app.style import numbers
from jurydesk.core.analysis.leaderboard import Leaderboard, LeaderboardRow
from jurydesk.core.analysis.significance import PairTest, PairwiseSignificance
from jurydesk.core.model.evaluation import Aggregate, MetricInfo

UNTESTED = "There is no test of these two: "
NOT_OF_ITEMS: dict[Aggregate, str] = {
    "mean": "{metric} is not the plain mean of one number for each of the {nouns}.",
    "sum": "{metric} is a sum, and only numbers that are made of {nouns} can be tested.",
    "own": "{metric} is not made of {nouns} that could be drawn again and again.",
}
"""Why a metric separates nobody, by how it is made."""


@dataclass(frozen=True, slots=True)
class Against:
    """A system and its neighbour, and what the board's test says of them, or why there is none.

    `comparable` says whether both have a number that can be set against the other's.
    """

    first: str
    second: str
    sentence: str
    metric: MetricInfo
    comparable: bool = True


def against(
    board: Leaderboard, row: LeaderboardRow, nouns: str = "items", waiting: str = ""
) -> Against | None:
    """The system and its neighbour; None for a system alone.

    `nouns` is what the scores are made of. `waiting` says what goes on while nothing is known.
    """
    names, separation = neighbours(board, row), board.separations.get(row.summary.profile)
    metric = board.headline if separation is None else separation.metric
    if names is None or metric is None:
        return None
    without = [name for name in names if not _has_number(board, row, name, metric)]
    if without:
        sentence = f"{UNTESTED}{' and '.join(without)} {_have(without)} no {metric.title}."
        return Against(*names, sentence, metric, comparable=False)
    if separation is None:
        reason = NOT_OF_ITEMS[metric.aggregate].format(metric=metric.title, nouns=nouns)
        return Against(*names, waiting or f"{UNTESTED}{reason}", metric)
    test = next((one for one in separation.pairs if {one.first, one.second} == {*names}), None)
    if test is None or not math.isfinite(test.p):
        return Against(*names, f"{UNTESTED}too few {nouns} have a number of both.", metric)
    sentence = _sentence(separation, test, turned=test.first != names[0])
    return Against(*names, sentence, metric)


def _has_number(board: Leaderboard, row: LeaderboardRow, name: str, metric: MetricInfo) -> bool:
    """Whether the system of that name, in the profile of the row, has a number of the metric."""
    return any(
        score.metric == metric.name and math.isfinite(score.value)
        for one in board.rows
        if (one.summary.system, one.summary.profile) == (name, row.summary.profile)
        for score in one.summary.scores
    )


def _have(names: Sequence[str]) -> str:
    return "has" if len(names) == 1 else "have"


def neighbours(board: Leaderboard, row: LeaderboardRow) -> tuple[str, str] | None:
    """The system above and this one; the first two for the first. None for a system alone."""
    alike = [one for one in board.rows if one.summary.profile == row.summary.profile]
    if len(alike) < 2:
        return None
    place = max(alike.index(row), 1)
    return alike[place - 1].summary.system, alike[place].summary.system


def _sentence(separation: PairwiseSignificance, test: PairTest, *, turned: bool) -> str:
    decimals, sign = separation.metric.decimals, -1 if turned else 1
    parts = [f"difference {numbers.signed(sign * test.difference, decimals)}"]
    limits = test.interval
    if limits is not None:
        ends = sorted((sign * limits.low, sign * limits.high))
        low, high = (numbers.signed(end, decimals) for end in ends)
        parts.append(f"{numbers.percent(limits.level)} interval {low} to {high}")
    p = "p < 0.001" if test.corrected < 0.001 else f"p = {test.corrected:.3f}"
    tests = len(separation.pairs)
    corrected = f", corrected for {numbers.count(tests)} tests" if tests > 1 else ""
    parts.append(f"{p} ({separation.method}{corrected})")
    apart = test.corrected < 1 - separation.level
    verdict = "They can be told apart" if apart else "They cannot be told apart"
    if separation.is_underpowered and separation.group_noun:
        few = numbers.quantity(separation.groups, *separation.group_noun)
        verdict = f"{few} are too few to tell any two systems apart"
    return f"{verdict}: {' · '.join(parts)}"
