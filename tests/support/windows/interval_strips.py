"""Scores with intervals, as the board's strips show them."""

from __future__ import annotations

from jurydesk.core.model.evaluation import Interval, Score


def score(value: float, low: float | None = None, high: float | None = None) -> Score:
    interval = None if low is None or high is None else Interval(low, high)
    return Score("m", value, 10, 0.1, interval)


CLOSE = [score(0.3142, 0.3109, 0.3176), score(0.3131, 0.3098, 0.3163), score(0.2987, 0.2953, 0.302)]
