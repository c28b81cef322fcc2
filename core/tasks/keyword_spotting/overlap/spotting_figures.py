"""Figures of lists by overlap: precision and recall, other overlaps, other rules, errors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from jurydesk.core.language import fill, translatable
from jurydesk.core.metrics.ranking.curves import (
    BAND,
    MAX_MEMBERS,
    PRECISION,
    RECALL,
    column_quantiles,
)
from jurydesk.core.metrics.spotting.block_curves import BlockCurves
from jurydesk.core.metrics.spotting.protocols import PROTOCOLS
from jurydesk.core.model.defects import Defect, Place, note
from jurydesk.core.model.evaluation import Axis, Curve, CurveMark, FloatArray, IntArray
from jurydesk.core.tasks.keyword_spotting.overlap.error_costs import cost_bars
from jurydesk.core.tasks.keyword_spotting.overlap.protocol_choice import Protocol
from jurydesk.core.tasks.keyword_spotting.overlap.spot_lists import (
    MOST_BOXES,
    SpottingLists,
    SpottingMatch,
    SpottingReferences,
)
from jurydesk.core.tasks.keyword_spotting.overlap.unit_curves import (
    mean_and_global,
    mean_of_units,
    unit_curves,
    whole_curve,
)

OVERLAPS = np.arange(1, 10) / 10
"""Least overlaps of the curve of mean AP."""
MOST_POINTS = 2000
"""Points that are drawn of a curve with a point for each hit."""
MEAN_AP = Axis(translatable("Mean AP"), limits=(0.0, 1.0))


def recall_figures(
    whole: BlockCurves, curves: BlockCurves, units: IntArray, points: int, *, trapezoid: bool
) -> tuple[Curve, Curve]:
    """Return the precision at equally spaced recalls of all lists as one, and averaged."""
    recalls = np.arange(points) / (points - 1)
    members = curves.precision_at(recalls, trapezoid=trapezoid)[units]
    mean, low, high = np.zeros((3, points))
    if len(units):
        mean = members.mean(axis=0)
        low, high = column_quantiles(members, BAND)
    first = Curve(
        "recall_precision_global",
        translatable("Precision at recall levels, all queries as one list"),
        RECALL,
        PRECISION,
        recalls,
        whole.precision_at(recalls, trapezoid=trapezoid)[0],
        form="line" if trapezoid else "steps",
    )
    lowest, highest = (round(100 * share) for share in BAND)
    second = replace(
        first,
        name="recall_precision_mean",
        title=translatable("Precision at recall levels, mean over queries"),
        mean=mean,
        low=low,
        high=high,
        band=fill("{lowest}% to {highest}% of the queries", lowest, highest),
        members=members if len(members) <= MAX_MEMBERS else None,
        value="ap",
    )
    return first, second


def marked_curve(recall: FloatArray, precision: FloatArray, name: str, title: str) -> Curve:
    """Return a curve with the points where recall is nearest to precision, and F1 largest."""
    total = recall + precision
    f1 = np.divide(2 * recall * precision, total, out=np.zeros(len(total)), where=total > 0)
    marks: tuple[CurveMark, ...] = ()
    if len(recall):
        at = [(translatable("R = P"), int(np.argmin(np.abs(recall - precision))))]
        at.append((translatable("largest F1"), int(np.argmax(f1))))
        marks = tuple(CurveMark(text, float(recall[i]), float(precision[i])) for text, i in at)
    kept = np.flatnonzero(np.diff(recall, prepend=-1.0) > 0)
    if len(kept) > MOST_POINTS:
        kept = kept[np.unique(np.linspace(0, len(kept) - 1, MOST_POINTS).astype(np.int64))]
    return Curve(
        name,
        title,
        RECALL,
        PRECISION,
        recall[kept],
        precision[kept],
        marks=marks,
        diagonal=translatable("R = P"),
    )


def hit_curve(matching: SpottingMatch) -> tuple[Curve, ...]:
    """Return precision and recall at each hit of all lists as one; none without scores."""
    if not matching.lists.file.has_scores:
        return ()
    whole = whole_curve(matching, interpolate=False)
    title = translatable("Precision at each hit, all queries as one list")
    return (marked_curve(whole.recall, whole.precision, "precision_recall_hits", title),)


def other_figures(matching: SpottingMatch) -> tuple[Curve, ...]:
    """Return what other overlaps, other rules and no errors would give; none for large files."""
    if matching.rules.places != "boxes" or matching.is_large:
        return ()
    return (overlap_curve(matching), *rule_bars(matching), cost_bars(matching))


def size_note(matching: SpottingMatch) -> Iterator[Defect]:
    """Yield the note that a list is too long for the other figures."""
    if matching.rules.places == "boxes" and matching.is_large:
        found = fill(
            "The list is long: mean AP by overlap, by other rules and by kind of error is left "
            "out, as above {limit:,} boxes.",
            MOST_BOXES,
        )
        hint = "--overlap and --protocol give the same numbers one by one."
        yield note(Place(matching.lists.path), found, hint)


def overlap_curve(matching: SpottingMatch) -> Curve:
    """Return the mean AP by the least overlap of a hit; only the claims are made again."""
    values = []
    for threshold in OVERLAPS.tolist():
        other = replace(matching, rules=replace(matching.rules, threshold=threshold))
        values.append(mean_of_units(unit_curves(other), other.used_units(), other.rules))
    return Curve(
        "map_by_overlap",
        translatable("Mean AP by least overlap"),
        Axis(translatable("Least overlap"), limits=(0.1, 0.9)),
        MEAN_AP,
        OVERLAPS,
        np.array(values),
    )


def rule_bars(matching: SpottingMatch) -> tuple[Curve, ...]:
    """Return the mean AP of the same list under each protocol for boxes, and as it was scored."""
    lists = matching.lists
    own = lists.references.protocol
    values = {own.label: mean_and_global(matching)[0]}
    for name, rules in PROTOCOLS.items():
        if rules.places == "boxes" and (lists.file.has_scores or rules.scored == "ranks"):
            if own.rules != rules:
                values[name] = _mean_under(lists, Protocol(replace(rules, order=own.rules.order)))
            else:
                values.setdefault(name, values[own.label])
    places = np.arange(len(values), dtype=np.float64)
    return (
        Curve(
            "other_rules",
            translatable("This list under the other rules"),
            Axis("", ticks=tuple(places.tolist()), labels=tuple(values)),
            MEAN_AP,
            places,
            np.array(list(values.values())),
            form="bars",
        ),
    )


def _mean_under(lists: SpottingLists, protocol: Protocol) -> float:
    references = SpottingReferences.of(lists.references.source, protocol, lists.references.choice)
    other = SpottingLists(references, lists.source, lists.run).matching("published")
    return mean_and_global(other)[0]
