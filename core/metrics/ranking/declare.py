"""Declarations of measures of ranked lists, and of families with one parameter."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any

import numpy as np

from jurydesk.core.language import round_number, translatable
from jurydesk.core.metrics.ranking.ranking_statistics import RankingStatistics
from jurydesk.core.model.evaluation import Aggregate, Better, FloatArray, IntArray, MetricInfo

TREC_EVAL = "trec_eval 9.0.8"
CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
RANK_PATTERN = r"([1-9]\d{0,17})"
UNIT = (0.0, 1.0)
COUNT = (0.0, float("inf"))


@dataclass(frozen=True, slots=True, eq=False)
class Measure:
    """Measure of ranked lists: its declaration, and the function for the value of every query."""

    info: MetricInfo
    values: Callable[[RankingStatistics], FloatArray]
    family: Family | None = None
    parameter: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """Family of measures with one parameter, such as a rank or recall level, in their names.

    `{k}` in the title and the summary is replaced by the parameter. `values` gets a column (n, 1)
    of parameters and returns the values (n, queries). `defaults` are the default parameters.
    """

    stem: str
    pattern: str
    parse: Callable[[str], int]
    title: str
    summary: str
    values: Callable[[RankingStatistics, IntArray], FloatArray]
    defaults: tuple[str, ...]
    source: str = TREC_EVAL

    def member(self, parameter: str) -> Measure:
        """Return the measure for one parameter, as it is written in the name."""
        value = self.parse(parameter)
        k = round_number(float(parameter), len(parameter.partition(".")[2]))
        info = MetricInfo(
            name=self.stem + parameter,
            title=translatable(self.title).format(k=k),
            summary=translatable(self.summary).format(k=k),
            range=UNIT,
            better="higher",
            source=self.source,
        )
        column = np.array([[value]])
        return Measure(info, lambda ranked: self.values(ranked, column)[0], self, value)


def measure_table(
    measures: Sequence[Measure], ranked: RankingStatistics, check: Callable[[], None]
) -> FloatArray:
    """Return the values (measures, queries); neighbours of one family are computed together.

    `check` is called before each of them and may raise to stop.
    """
    rows: list[FloatArray] = []
    for family, group in groupby(measures, attrgetter("family")):
        check()
        if family is None:
            rows.append(np.array([one.values(ranked) for one in group]))
        else:
            parameters = np.array([one.parameter for one in group])
            rows.append(family.values(ranked, parameters[:, np.newaxis]))
    return np.concatenate(rows)


def at_ranks(
    stem: str,
    title: str,
    summary: str,
    values: Callable[[RankingStatistics, IntArray], FloatArray],
    defaults: tuple[int, ...] = CUTOFFS,
    source: str = TREC_EVAL,
) -> Family:
    """Return a family of measures with a rank as parameter."""
    names = tuple(map(str, defaults))
    return Family(stem, RANK_PATTERN, int, title, summary, values, names, source)


def query_measure(
    name: str,
    title: str,
    summary: str,
    values: Callable[[RankingStatistics], FloatArray],
    *,
    source: str = TREC_EVAL,
    range: tuple[float, float] = UNIT,
    better: Better = "higher",
    aggregate: Aggregate = "mean",
    **more: Any,
) -> Measure:
    """Return a measure without a parameter."""
    info = MetricInfo(
        name, title, summary, range, better, source, aggregate, **{"decimals": 4, **more}
    )
    return Measure(info, values)


def counting_measure(
    name: str, title: str, summary: str, values: Callable[[RankingStatistics], FloatArray]
) -> Measure:
    """Return a count, which is summed over queries and ranks no system."""
    return query_measure(
        name,
        title,
        summary,
        values,
        range=COUNT,
        better="neither",
        aggregate="sum",
        decimals=0,
    )


def _geometric_mean(logarithms: FloatArray) -> float:
    # As in C: NumPy's own differs in the last digit between processors.
    return math.exp(float(np.mean(logarithms)))


def geometric_mean_measure(
    name: str, title: str, summary: str, values: Callable[[RankingStatistics], FloatArray]
) -> Measure:
    """Return a measure whose score is the geometric mean; its column holds logarithms."""
    return query_measure(
        name,
        title,
        summary,
        values,
        aggregate="own",
        statistics=(name,),
        combine=_geometric_mean,
        fewest_groups=5,
    )
