"""How a measure of ranked lists is declared: one entry is its name, its words and its function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any

import numpy as np

from jurydesk.core.metrics.ranking.ranked import RankingStatistics
from jurydesk.core.model.evaluation import Aggregate, Better, FloatArray, IntArray, MetricInfo

TREC_EVAL = "trec_eval 9.0.8"
CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
RANK_PATTERN = r"([1-9]\d{0,17})"
UNIT = (0.0, 1.0)
COUNT = (0.0, float("inf"))


@dataclass(frozen=True, slots=True, eq=False)
class Measure:
    """A measure: its declaration, and its value for every query of some ranked lists."""

    info: MetricInfo
    values: Callable[[RankingStatistics], FloatArray]
    family: Family | None = None
    parameter: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """Measures that differ in one parameter, a rank or a recall level, which ends their name.

    `{}` in the title and the summary stands for the parameter. `values` gets a column (n, 1) of
    parameters and returns the values of each for every query (n, queries). `defaults` are listed
    where nobody asks for others.
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
        """The measure for one rank or level, given as it stands in the name."""
        value = self.parse(parameter)
        info = MetricInfo(
            name=self.stem + parameter,
            title=self.title.replace("{}", parameter),
            summary=self.summary.replace("{}", parameter),
            range=UNIT,
            better="higher",
            source=self.source,
        )
        one = np.array([[value]])
        return Measure(info, lambda ranked: self.values(ranked, one)[0], self, value)


def measure_table(
    measures: Sequence[Measure], ranked: RankingStatistics, check: Callable[[], None]
) -> FloatArray:
    """A row for each measure, with the value of every query; neighbours of a family at once.

    `check` is called before each of them, and may raise to stop.
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
    """A family of measures that differ in the rank at which they look."""
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
    """One measure that has no parameter."""
    info = MetricInfo(
        name, title, summary, range, better, source, aggregate, **{"decimals": 4, **more}
    )
    return Measure(info, values)


def counting_measure(
    name: str, title: str, summary: str, values: Callable[[RankingStatistics], FloatArray]
) -> Measure:
    """A measure that counts, is summed over queries, and ranks nobody."""
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
    return float(np.exp(np.mean(logarithms)))


def geometric_mean_measure(
    name: str, title: str, summary: str, values: Callable[[RankingStatistics], FloatArray]
) -> Measure:
    """A measure whose score is the geometric mean; its column holds logarithms."""
    return query_measure(
        name,
        title,
        summary,
        values,
        aggregate="own",
        statistics=(name,),
        combine=_geometric_mean,
    )
