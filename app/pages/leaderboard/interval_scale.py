"""Common scale for the intervals of several scores."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from jurydesk.core.model.evaluation import Score

MARGIN = 0.08
"""Share of the scale left free at both ends."""

OUTLIER_SPANS = 3.0
"""A score this many typical widths away from the middle is painted beside the scale."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Lower and upper end of the scale."""

    low: float
    high: float

    def ticks(self, most: int = 4) -> list[float]:
        """Return at most `most` round numbers between the ends."""
        span = self.high - self.low
        rough = span / (most + 1)
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(step for n in (1, 2, 2.5, 5, 10) if (step := n * power) >= rough)
        first = math.ceil(self.low / step)
        return [n * step for n in range(first, math.floor(self.high / step) + 1)]

    def share(self, value: float) -> float:
        """Return the position of a number on the scale, from 0 to 1."""
        return (value - self.low) / (self.high - self.low)


def common_scale(scores: Iterable[Score | None]) -> Scale | None:
    """Return a scale for all intervals but far outliers; None without defined scores."""
    ends = [ends_of(score) for score in scores if score is not None]
    known = [end for end in ends if end is not None]
    if not known:
        return None
    centres = sorted((low + high) / 2 for low, high in known)
    middle = centres[len(centres) // 2]
    near = _intervals_near(known, middle)
    low, high = min(end[0] for end in near), max(end[1] for end in near)
    room = (high - low) * MARGIN or abs(high) * MARGIN or MARGIN
    return Scale(low - room, high + room)


def ends_of(score: Score) -> tuple[float, float] | None:
    """Return the interval, or the value twice if there is none; None if it is undefined."""
    if not math.isfinite(score.value):
        return None
    interval = score.interval
    if interval is None or not (math.isfinite(interval.low) and math.isfinite(interval.high)):
        return score.value, score.value
    return interval.low, interval.high


def _intervals_near(ends: list[tuple[float, float]], middle: float) -> list[tuple[float, float]]:
    widths = sorted(high - low for low, high in ends)
    distances = sorted(abs((low + high) / 2 - middle) for low, high in ends)
    span = max(widths[len(widths) // 2], distances[len(distances) // 2]) * 2
    reach = OUTLIER_SPANS * span if span else math.inf
    return [end for end in ends if abs((end[0] + end[1]) / 2 - middle) <= reach]
