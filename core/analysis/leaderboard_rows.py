"""Rows of a leaderboard, and average ranks over several of its metrics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jurydesk.core.model.evaluation import Interval, MetricInfo, Score

if TYPE_CHECKING:
    from jurydesk.core.desk.summary import Summary
    from jurydesk.core.statistics.rank_intervals import RankInterval


@dataclass(frozen=True, slots=True)
class LeaderboardCell:
    """Score of one system and metric; `best` marks the best of its metric within a profile.

    `score` is None if the system lacks the metric.
    """

    score: Score | None
    best: bool


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    """System with its place and its cells.

    Equal scores share a place. It is None without a score, and for all systems of a profile that
    cannot be ranked: one alone, scores that are not reliable, and without tests means of different
    items. `is_contradicted` says that tests find a system with a worse score better.
    """

    place: int | None
    summary: Summary
    cells: tuple[LeaderboardCell, ...]
    rank: RankInterval | None = None
    """Confidence interval of the rank, if systems were compared."""
    is_contradicted: bool = False

    @property
    def places(self) -> str:
        """Rank interval such as `1–3`, else the place; empty without a score."""
        if self.rank is None or self.rank.best == self.rank.worst:
            return "" if self.place is None else str(self.place)
        return f"{self.rank.best}–{self.rank.worst}"


@dataclass(frozen=True, slots=True)
class AverageRanks:
    """Average ranks over `metrics`, by profile and system.

    A value is the mean of a system's ranks by score, where equal scores share their mean rank. An
    interval averages the ends of the simultaneous rank intervals of the metrics, each at 1 less
    0.05 / metrics, so that all of them hold together; None if a metric has no tests.
    """

    metrics: tuple[MetricInfo, ...]
    values: Mapping[tuple[str, str], float]
    intervals: Mapping[tuple[str, str], Interval | None]
