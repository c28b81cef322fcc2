"""Planning of ratings: how many raters and items are needed to tell systems apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.human_evaluation.design.study_store import RatingStore
from jurydesk.core.human_evaluation.results.crossed_ratings import complete_table
from jurydesk.core.human_evaluation.results.ranking import story_means
from jurydesk.core.human_evaluation.results.ratings import load_ratings
from jurydesk.core.language import fill, translatable
from jurydesk.core.model.evaluation import Axis, Curve
from jurydesk.core.statistics.bootstrap import LEVEL
from jurydesk.core.statistics.paired_tests import all_pairs
from jurydesk.core.statistics.power import POWER
from jurydesk.core.statistics.raters.agreement import FEWEST_RATERS
from jurydesk.core.statistics.raters.two_way import VarianceComponents

if TYPE_CHECKING:
    from jurydesk.core.desk import Desk

TYPICAL = VarianceComponents(0.045, 0.18, 1.28)
"""Components on a scale from 1 to 5, where tastes for a system deviate by 0.15 points between
raters and 0.3 between items, and a single rating by 0.8; a difference of two systems has twice
their variances."""
RATERS = (3, 5, 8, 12, 20, 40)
MOST_ITEMS = 100_000
CURVE_RATERS = (12, 5, 3)
"""Raters of the curve's lower end, its line, and its upper end."""
CURVE_ITEMS = (5, 7, 10, 15, 20, 30, 50, 80, 120, 200)
PRECISION, LEAST = 0.01, 1e-9
"""Relative precision of the differences of the curve, and the least one."""


@dataclass(frozen=True, slots=True)
class PlannedRatings:
    """So many raters who each rate every item, and the power to find a difference.

    `items` is None if no number of items is enough for these raters.
    """

    difference: float
    raters: int
    items: int | None
    ratings: int | None
    power: float


@dataclass(frozen=True, slots=True)
class RatingPlan:
    """Designs that find differences of so many systems; without a pilot `question` is empty."""

    components: VarianceComponents
    question: str
    systems: int
    power: float
    designs: tuple[PlannedRatings, ...]
    curve: Curve
    """Difference that is found, over the number of items, by 5 raters, and by 12 and 3."""


def pilot_components(desk: Desk) -> tuple[str, VarianceComponents] | None:
    """Return the first question, or that of all statements, whose raters rated every item.

    None without such a question: the components cannot be estimated from other plans.
    """
    store = RatingStore(desk)
    if store.study() is None:
        return None
    ratings = load_ratings(store)
    questions = list(story_means(ratings))
    overall = ratings.study.words.overall
    for question in sorted(questions, key=lambda one: one != overall):
        table = complete_table(ratings, question)
        if table is None or len(table) < FEWEST_RATERS:
            continue
        pairs = all_pairs(table.shape[2])
        if pairs:
            apart = [table[:, :, one] - table[:, :, other] for one, other in pairs]
            return question, VarianceComponents.of_tables(apart)
    return None


def plan_ratings_for(
    components: VarianceComponents,
    systems: int,
    differences: Sequence[float] = (),
    *,
    question: str = "",
    power: float = POWER,
) -> RatingPlan:
    """Return the designs for each difference, by Holm's first step over all pairs of systems.

    Without `differences` the power of usual designs to find 0.3 and 0.5 points is given.
    """
    alpha = (1 - LEVEL) / (systems * (systems - 1) / 2)
    designs = _designs(components, systems, differences, alpha, power)
    curve = _curve(components, alpha, power)
    return RatingPlan(components, question, systems, power, tuple(designs), curve)


def _designs(
    components: VarianceComponents,
    systems: int,
    differences: Sequence[float],
    alpha: float,
    power: float,
) -> Iterator[PlannedRatings]:
    for difference in differences or (0.3, 0.5):
        for raters in RATERS:
            items = items_needed(components, difference, raters, alpha, power)
            reached = components.power(difference, raters, items or MOST_ITEMS, alpha)
            total = None if items is None else raters * items * systems
            yield PlannedRatings(difference, raters, items, total, reached)


def items_needed(
    components: VarianceComponents, difference: float, raters: int, alpha: float, power: float
) -> int | None:
    """Return the fewest items; None if the raters' tastes alone are too different."""
    low, high = 1, 2
    while components.power(difference, raters, high, alpha) < power:
        low, high = high, 2 * high
        if high > MOST_ITEMS:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        enough = components.power(difference, raters, middle, alpha) >= power
        low, high = (low, middle) if enough else (middle, high)
    return high


def _curve(components: VarianceComponents, alpha: float, power: float) -> Curve:
    low, mean, high = (
        np.array(
            [difference_found(components, raters, items, alpha, power) for items in CURVE_ITEMS]
        )
        for raters in CURVE_RATERS
    )
    few, usual, many = sorted(CURVE_RATERS)
    return Curve(
        "planning ratings",
        fill(
            "Difference found in {percent:.0f} % of studies by {raters} raters", 100 * power, usual
        ),
        Axis(translatable("Items"), limits=(0.0, float(CURVE_ITEMS[-1]))),
        Axis(translatable("Difference"), limits=(0.0, float(high.max()) or 1.0)),
        np.array(CURVE_ITEMS, dtype=np.float64),
        mean,
        low,
        high,
        band=fill("by {many} to {few} raters", many, few),
    )


def difference_found(
    components: VarianceComponents, raters: int, items: int, alpha: float, power: float
) -> float:
    """Return the difference that a design finds with this power, to a hundredth of itself."""
    low, high = 0.0, 1.0
    while components.power(high, raters, items, alpha) < power:
        low, high = high, 2 * high
    while high - low > max(PRECISION * high, LEAST):
        middle = (low + high) / 2
        enough = components.power(middle, raters, items, alpha) >= power
        low, high = (low, middle) if enough else (middle, high)
    return high
