"""What separates a system from its neighbour on the board, in words."""

from __future__ import annotations

import math
from dataclasses import dataclass

from app import format
from core.board import Board, Row
from core.model import MetricInfo
from core.separation import PairTest, Separation


@dataclass(frozen=True, slots=True)
class Against:
    """A system and its neighbour, and what the board's test says of them."""

    first: str
    second: str
    sentence: str
    metric: MetricInfo


def against(board: Board, row: Row) -> Against | None:
    """The system and its neighbour; None where they were not tested."""
    separation, names = board.separations.get(row.summary.profile), neighbours(board, row)
    if separation is None or names is None:
        return None
    test = next((one for one in separation.pairs if {one.first, one.second} == {*names}), None)
    if test is None or not math.isfinite(test.p):
        return None
    sentence = _sentence(separation, test, turned=test.first != names[0])
    return Against(*names, sentence, separation.metric)


def neighbours(board: Board, row: Row) -> tuple[str, str] | None:
    """The system above and this one; the first two for the first. None for a system alone."""
    alike = [one for one in board.rows if one.summary.profile == row.summary.profile]
    if len(alike) < 2:
        return None
    place = max(alike.index(row), 1)
    return alike[place - 1].summary.system, alike[place].summary.system


def _sentence(separation: Separation, test: PairTest, *, turned: bool) -> str:
    decimals, sign = separation.metric.decimals, -1 if turned else 1
    parts = [f"difference {format.signed(sign * test.difference, decimals)}"]
    limits = test.interval
    if limits is not None:
        ends = sorted((sign * limits.low, sign * limits.high))
        low, high = (format.signed(end, decimals) for end in ends)
        parts.append(f"{format.percent(limits.level)} interval {low} to {high}")
    p = "p < 0.001" if test.corrected < 0.001 else f"p = {test.corrected:.3f}"
    tests = len(separation.pairs)
    corrected = f", corrected for {format.count(tests)} tests" if tests > 1 else ""
    parts.append(f"{p} ({separation.method}{corrected})")
    apart = test.corrected < 1 - separation.level
    verdict = "They can be told apart" if apart else "They cannot be told apart"
    return f"{verdict}: {' · '.join(parts)}"
