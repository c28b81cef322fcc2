"""Systems of a board, ranked under another choice."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.analysis.leaderboard import find_score
from jurydesk.core.analysis.robustness.robustness import Alternative
from jurydesk.core.language import Message, counted, fill, translatable
from jurydesk.core.model.evaluation import (
    FloatArray,
    IntArray,
    MetricInfo,
)
from jurydesk.core.statistics.inference import Inference

if TYPE_CHECKING:
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.desk import Desk, Summary
    from jurydesk.core.execution.run import Run


TIE_TOLERANCE = 1e-12
"""Scores with a smaller difference share a place."""


def known_value(summary: Summary, metric: str) -> float | None:
    """Return the score of a system; None if it has none that is finite."""
    found = find_score(summary, metric)
    return found.value if found is not None and math.isfinite(found.value) else None


def score_places(values: FloatArray, metric: MetricInfo) -> IntArray:
    """Return the places (cases, systems) of values (cases, systems); equal ones share the best."""
    cost = -values if metric.better == "higher" else values
    near = TIE_TOLERANCE * np.maximum(1.0, np.abs(cost))
    below = [
        (row[None, :] < limit[:, None]).sum(axis=1)
        for row, limit in zip(cost, cost - near, strict=True)
    ]
    return 1 + np.array(below, dtype=np.int64)


@dataclass(slots=True, eq=False)
class RankedSystems:
    """Systems of a board, ranked under one choice after the other.

    `base` has their places on the board by score, `left_out` the reasons for untried choices, and
    `different_items` is a sentence if scores are of different items.
    """

    desk: Desk
    task: AnyTask
    metric: MetricInfo
    profile: str
    systems: Sequence[Summary]
    base: IntArray
    inference: Inference
    run: Run
    left_out: list[str] = field(default_factory=list)
    different_items: str = ""

    @property
    def answered(self) -> tuple[int, ...]:
        """Number of items that each system's score is of."""
        found = (find_score(one, self.metric.name) for one in self.systems)
        return tuple(0 if one is None else one.n for one in found)

    def say_different_items(self) -> None:
        """Keep the sentence that scores are of different items."""
        counts, nouns = self.answered, self.task.item_noun
        fewest, most, items = min(counts), max(counts), Message(nouns[1])
        if fewest == most:
            self.different_items = fill(
                "Systems answered different {items}: places by score compare these, ranks common "
                "ones.",
                items,
            )
        else:
            self.different_items = fill(
                "Systems answered {fewest:,} to {most}: places by score compare different {items}, "
                "ranks common ones.",
                *(fewest, counted(most, *nouns), items),
            )

    def alternative(
        self,
        choice: str,
        value: str,
        cases: FloatArray,
        names: Sequence[str] = (),
        metric: MetricInfo | None = None,
    ) -> Iterator[Alternative]:
        """Yield the choice with these values (cases, systems), if they give an order."""
        if not np.isfinite(cases).all() or (cases == cases[:, :1]).all():
            return
        places = score_places(cases, metric or self.metric)
        systems = [one.system for one in self.systems]
        first = self.base == 1
        winners = tuple(
            (name, tuple(systems[at] for at in np.flatnonzero(row == 1)))
            for name, row in zip(names or [value], places, strict=True)
            if not np.array_equal(row == 1, first)
        )
        yield Alternative(
            choice,
            value,
            tuple(places.min(axis=0).tolist()),
            tuple(places.max(axis=0).tolist()),
            len(cases),
            int((places != self.base).any(axis=1).sum()),
            winners,
        )

    def metric_values(self, summaries: Sequence[Summary], metric: str) -> FloatArray | None:
        """Return the values (1, systems) of these summaries; None if one is missing."""
        known = {one.system: known_value(one, metric) for one in summaries}
        found = [known.get(one.system) for one in self.systems]
        return None if None in found else np.array([found], float)

    def profiles(self, summaries: Sequence[Summary]) -> Iterator[Alternative]:
        """Yield the other profiles in which the desk has all systems."""
        for profile in dict.fromkeys(one.profile for one in summaries):
            values = self.metric_values(
                [one for one in summaries if one.profile == profile], self.metric.name
            )
            if profile != self.profile and values is not None:
                yield from self.alternative(
                    translatable("profile"), fill("{name}", profile), values
                )

    def metrics(self) -> Iterator[Alternative]:
        """Yield the other headline metrics of the competition."""
        for info in self.task.headlines:
            values = self.metric_values(self.systems, info.name)
            if info.name != self.metric.name and values is not None:
                yield from self.alternative(translatable("metric"), info.title, values, metric=info)
