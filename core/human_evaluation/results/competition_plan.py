"""Plans of a competition as sentences, tables, JSON and CSV."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from jurydesk.core.analysis.significance.item_planning import ItemPlan, assess_pilot, plan_items
from jurydesk.core.export.export_settings import ExportOrigin, desk_origin
from jurydesk.core.export.results_json import SCHEMA, encode_json
from jurydesk.core.human_evaluation.results.rating_planning import (
    CURVE_RATERS,
    TYPICAL,
    RatingPlan,
    pilot_components,
    plan_ratings_for,
)
from jurydesk.core.language import Message, counted, fill, translatable
from jurydesk.core.model.evaluation import Curve, Json
from jurydesk.core.statistics.power import POWER
from jurydesk.core.tables.columns import Column, NumberColumn
from jurydesk.core.tables.numbers import UNDEFINED
from jurydesk.core.tables.table_file import table_file

if TYPE_CHECKING:
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.desk import Desk
    from jurydesk.core.execution.run import Run
    from jurydesk.core.statistics.inference import Inference

PlanFormat = Literal["plan json", "plan csv"]
PLAN_FORMATS: tuple[PlanFormat, ...] = get_args(PlanFormat)


@dataclass(frozen=True, slots=True)
class PlanWish:
    """What a plan is for: systems (0: as many as in the pilot), differences, and their power.

    `points` are differences of ratings; `group_size` items in a group replace the pilot's.
    """

    profile: str
    systems: int = 0
    differences: tuple[float, ...] = ()
    points: tuple[float, ...] = ()
    power: float = POWER
    group_size: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """Plan of items, if the pilot has scores to estimate their variation, and of ratings."""

    items: ItemPlan | None
    ratings: RatingPlan


def plan_from_pilot(
    desk: Desk,
    task: AnyTask,
    request: PlanWish,
    run: Run,
    inference: Inference | None = None,
) -> Plan:
    """Return the plan of a competition like that of a pilot desk. Raises Cancelled."""
    pilot = assess_pilot(desk, task, request.profile, run, inference)
    items = None
    if pilot is not None:
        items = plan_items(
            pilot,
            request.systems,
            request.differences,
            power=request.power,
            group_size=request.group_size,
        )
    question, components = pilot_components(desk) or ("", TYPICAL)
    systems = request.systems or (pilot.systems if pilot else 2)
    ratings = plan_ratings_for(
        components, systems, request.points, question=question, power=request.power
    )
    return Plan(items, ratings)


def item_plan_sentences(plan: ItemPlan) -> Iterator[str]:
    """Yield what the numbers of groups are for, and what the pilot was."""
    pilot = plan.pilot
    yield fill(
        "{nouns:capital} that {systems} need to find a difference of {metric} in {percent:.0f} % "
        "of boards:",
        Message(pilot.noun[1]),
        *(counted(plan.systems, "system"), Message(pilot.metric.title), 100 * plan.power),
    )


def pilot_sentences(plan: ItemPlan) -> Iterator[str]:
    """Yield how large the pilot was, and what the columns mean."""
    pilot = plan.pilot
    yield fill(
        "The pilot has {systems} and {groups}; a difference deviates by {deviation:.3f} between "
        "{nouns}.",
        *(counted(pilot.systems, "system"), counted(pilot.groups, *pilot.noun)),
        *(pilot.deviation, Message(pilot.noun[1])),
    )
    yield translatable(
        "From and to: the range that the pilot's uncertainty gives, with 80 % probability."
    )
    if plan.systems > 2:
        yield translatable("Bonferroni: an upper bound, whatever the systems have in common.")


def rating_plan_sentences(plan: RatingPlan) -> Iterator[str]:
    """Yield what the designs of ratings are for, and where the variances come from."""
    yield fill(
        "Items that raters need, who rate all of them, to find a difference of ratings in "
        "{percent:.0f} % of studies of {systems}:",
        *(100 * plan.power, counted(plan.systems, "system")),
    )


def component_sentences(plan: RatingPlan) -> Iterator[str]:
    """Yield the components of variance, and where they come from."""
    found = plan.components
    if any(one.items is None for one in plan.designs):
        yield translatable("A dash: no number of items is enough for so few raters.")
    yield fill(
        "Variances of a difference: raters {raters:.2f}, items {items:.2f}, single ratings "
        "{rest:.2f}.",
        *(found.raters, found.stories, found.rest),
    )
    if plan.question:
        yield fill("They are those of the pilot's ratings: {question}.", Message(plan.question))
    else:
        yield translatable(
            "They are assumed for a scale from 1 to 5; complete ratings in the desk replace them."
        )


def item_plan_table(plan: ItemPlan) -> list[Column]:
    """Return a row per difference with the groups that it needs."""
    number = _numbers(plan.sizes)
    columns = [
        NumberColumn(
            "difference",
            translatable("Difference"),
            np.array([one.difference for one in plan.sizes]),
            show=lambda row: f"{plan.sizes[row].difference:g}",
        ),
        number("groups", fill("{noun:capital}", Message(plan.pilot.noun[1]))),
        number("low", translatable("From")),
        number("high", translatable("To")),
        number("least_precise", translatable("Least precise pair")),
    ]
    if plan.systems > 2:
        columns.append(number("bound", translatable("Bonferroni")))
    return list(columns)


def rating_plan_table(plan: RatingPlan) -> list[Column]:
    """Return a row per difference and number of raters, with the items that they need."""
    number = _numbers(plan.designs)
    return [
        NumberColumn(
            "difference",
            translatable("Difference"),
            np.array([one.difference for one in plan.designs]),
            show=lambda row: f"{plan.designs[row].difference:g}",
        ),
        number("raters", translatable("Raters")),
        number("items", translatable("Items")),
        number("ratings", translatable("Ratings in all")),
    ]


def _numbers(rows: Sequence[object]) -> Callable[[str, str], NumberColumn]:
    """Return a function that makes the column of a field, whose None is out of reach."""

    def column(name: str, title: str) -> NumberColumn:
        found = [getattr(one, name) for one in rows]

        def show(row: int) -> str:
            return UNDEFINED if found[row] is None else f"{found[row]:,}"

        values = np.array([math.nan if one is None else one for one in found], np.float64)
        return NumberColumn(name, title, values, show=show, file_cells=found)

    return column


def plan_file(kind: PlanFormat, plan: Plan, origin: ExportOrigin) -> bytes:
    """Return the plan as JSON, or its numbers as one CSV table."""
    if kind == "plan json":
        return encode_json({**plan_json(plan), **origin.members()})
    sizes = () if plan.items is None else plan.items.sizes
    designs = plan.ratings.designs
    lacking = [None] * len(sizes)
    return table_file(
        "csv",
        [
            ("of", ["scores"] * len(sizes) + ["ratings"] * len(designs)),
            (
                "difference",
                [*(one.difference for one in sizes), *(one.difference for one in designs)],
            ),
            ("raters", [*lacking, *(one.raters for one in designs)]),
            ("needed", [*(one.groups for one in sizes), *(one.items for one in designs)]),
            *(
                (name, [*(getattr(one, name) for one in sizes), *([None] * len(designs))])
                for name in ("low", "high", "least_precise", "bound")
            ),
            ("ratings", [*lacking, *(one.ratings for one in designs)]),
        ],
        origin.cells(),
    )


def plan_origin(
    kind: PlanFormat, desk: Desk, task: AnyTask, request: PlanWish, inference: Inference
) -> ExportOrigin:
    """Return the origin of a plan: all results of the pilot desk, and the request."""
    values: dict[str, Json] = {
        "profile": request.profile,
        "planned systems": request.systems,
        "differences": [*request.differences],
        "points": [*request.points],
        "power": request.power,
        "group size": request.group_size,
    }
    return desk_origin(kind, desk, task, desk.evaluations(), inference, **values)


def plan_json(plan: Plan) -> dict[str, Json]:
    """Return what was asked for, the pilot's variation, the numbers, and the curve."""
    ratings = plan.ratings
    return {
        "schema": SCHEMA,
        "power": ratings.power,
        "systems": ratings.systems,
        "items": None if plan.items is None else _item_plan_json(plan.items),
        "ratings": {
            "question": ratings.question or None,
            "components": asdict(ratings.components),
            "designs": [asdict(one) for one in ratings.designs],
            "curve": _rating_curve_json(ratings.curve),
        },
    }


def _rating_curve_json(curve: Curve) -> list[dict[str, Json]]:
    lines = zip(CURVE_RATERS, (curve.low, curve.mean, curve.high), strict=True)
    return [
        {"raters": raters, "items": int(items), "difference": difference}
        for raters, line in lines
        if line is not None
        for items, difference in zip(curve.x.tolist(), line.tolist(), strict=True)
    ]


def _item_plan_json(plan: ItemPlan) -> dict[str, Json]:
    pilot, curve = plan.pilot, plan.curve
    band = zip(
        *(one.tolist() for one in (curve.x, curve.mean, curve.low, curve.high) if one is not None),
        strict=True,
    )
    return {
        "metric": pilot.metric.name,
        "profile": pilot.profile,
        "unit": pilot.noun[1],
        "group_size": plan.group_size or None,
        "pilot": {
            "systems": pilot.systems,
            "groups": pilot.groups,
            "items": pilot.items,
            "deviation": pilot.deviation,
            "largest_deviation": pilot.largest,
            "degrees": pilot.degrees,
            "variance_between": pilot.between,
            "variance_within": pilot.within,
        },
        "sizes": [asdict(one) for one in plan.sizes],
        "curve": [
            {"groups": int(groups), "difference": mean, "low": low, "high": high}
            for groups, mean, low, high in band
        ],
    }
