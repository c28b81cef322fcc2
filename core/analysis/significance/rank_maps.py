"""Maps of a ranking: ranks in other samples, corrected p values of all pairs, pairs of metrics.

Source: Wiesenfarth et al., Methods and Open-Source Toolkit for Analyzing and Visualizing Challenge
Results (2021), for the first two.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.analysis.leaderboard import find_score
from jurydesk.core.analysis.robustness.robustness import Robustness
from jurydesk.core.language import Message, fill, translatable
from jurydesk.core.model.evaluation import Axis, FloatArray, Heatmap, Scatter
from jurydesk.core.tables.columns import Column, DataColumn, NumberColumn, TextColumn

if TYPE_CHECKING:
    from jurydesk.core.desk import Summary

P_DECIMALS = 3
MOST_SYSTEMS = 20
"""Maps of more systems are not legible."""
CAPTIONS = {
    "rank_plot": translatable("Another sample gives other ranks by score; equal scores share one."),
    "significance_map": translatable("Below 0.05 the board tells two systems apart."),
}
"""Explanations of the maps, by their names."""


def rank_maps(found: Robustness) -> list[Heatmap]:
    """Return both maps, as far as there are resamples and tests; none of too many systems."""
    count = len(found.systems)
    if count > MOST_SYSTEMS:
        return []
    names = Axis(translatable("System"), ticks=tuple(range(count)), labels=found.systems)
    maps = []
    if found.sampling is not None and found.sampling.places:
        ranks = tuple(str(place) for place in range(1, count + 1))
        maps.append(
            Heatmap(
                "rank_plot",
                fill("Ranks by score in other samples of {size}, in %", found.sampling.size),
                Axis(translatable("Rank"), ticks=tuple(range(count)), labels=ranks),
                names,
                100 * np.array(found.sampling.places),
            )
        )
    if found.corrected:
        maps.append(
            Heatmap(
                "significance_map",
                fill("p values: {family}", Message(found.family)),
                names,
                names,
                np.array(found.corrected),
                decimals=P_DECIMALS,
            )
        )
    return maps


def without_maps(found: Robustness) -> list[str]:
    """Return why there is no map, if there are too many systems."""
    if len(found.systems) <= MOST_SYSTEMS:
        return []
    return [fill("A rank plot and a map of pairs are for at most {most} systems.", MOST_SYSTEMS)]


def rank_map_table(heatmap: Heatmap) -> list[Column]:
    """Return a map as a table: a row for each system, and a column for each rank or system."""
    is_p = heatmap.name != "rank_plot"
    return [
        TextColumn("system", heatmap.y_axis.title, heatmap.y_axis.labels),
        *(
            NumberColumn(
                name,
                name,
                heatmap.values[:, column],
                decimals=P_DECIMALS if is_p else 0,
                is_p=is_p,
            )
            for column, name in enumerate(heatmap.x_axis.labels)
        ),
    ]


@dataclass(frozen=True, slots=True, eq=False)
class MetricPair:
    """Scores (systems,) of `systems` by two metrics, against each other."""

    figure: Scatter
    systems: tuple[str, ...]
    x: FloatArray
    y: FloatArray

    def table(self) -> list[DataColumn]:
        """Return a row for each system."""
        axes = ((self.figure.x_axis, self.x), (self.figure.y_axis, self.y))
        columns: list[DataColumn] = [("system", list(self.systems))]
        return [*columns, *((axis.title, values.tolist()) for axis, values in axes)]


def metric_pairs(figures: Sequence[Scatter], summaries: Sequence[Summary]) -> Iterator[MetricPair]:
    """Yield the figures of two metrics, if two systems or more have scores by both."""
    for figure in figures:
        pairs = {
            one.system: [_value(one, name) for name in (figure.x, figure.y)] for one in summaries
        }
        known = {name: pair for name, pair in pairs.items() if all(map(math.isfinite, pair))}
        if len(known) > 1:
            x, y = np.array(list(known.values()), np.float64).T
            yield MetricPair(figure, tuple(known), x, y)


def _value(summary: Summary, metric: str) -> float:
    found = find_score(summary, metric)
    return math.nan if found is None else found.value
