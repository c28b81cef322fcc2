"""Tables of dense captioning at thresholds: curve, costs of errors, systems, difference."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.language import translatable
from jurydesk.core.metrics.detection.average_precision import DetectionRecords
from jurydesk.core.metrics.detection.detection_rules import Profile
from jurydesk.core.metrics.detection.error_analysis import (
    KINDS,
    Kind,
    ap_lost,
    error_counts,
    mean_ap_lost,
)
from jurydesk.core.metrics.detection.threshold_what_if import (
    Claims,
    Thresholds,
    average_precision_at,
    claims_of,
    precision_recall_curve,
)
from jurydesk.core.model.evaluation import Evaluation, FloatArray, Heatmap, IntArray, Json
from jurydesk.core.tasks.densecap.densecap_evaluator import score_figures
from jurydesk.core.tasks.densecap.densecap_items import UNCLAIMED, profile_named, to_records
from jurydesk.core.tasks.densecap.missing_meteor import complete_columns

if TYPE_CHECKING:
    from jurydesk.core.competition.task import TableMaker
    from jurydesk.core.execution.run import Run
    from jurydesk.core.tables.columns import DataColumn

CURVE, COSTS, SYSTEMS, DIFFERENCE = (
    "precision and recall",
    "costs of errors",
    "systems at thresholds",
    "difference by threshold",
)
"""Names of the tables."""
COMPLETED = "completed"
"""Choice of the costs: whether METEOR of all detections is known."""


@dataclass(frozen=True, eq=False)
class RankedItems:
    """Evaluation of dense captions, with METEOR computed after scoring."""

    evaluation: Evaluation
    meteor: FloatArray | None = None

    @property
    def profile(self) -> Profile:
        """Profile as the metric names it."""
        return profile_named(self.evaluation.profile)

    @cached_property
    def columns(self) -> dict[str, FloatArray]:
        """Columns of the items, including METEOR computed after scoring."""
        columns = dict(self.evaluation.items.columns)
        return columns if self.meteor is None else columns | {"meteor": self.meteor}

    @cached_property
    def detection_rows(self) -> IntArray:
        """Rows of the detections; the other items are missed objects."""
        return np.flatnonzero(self.columns["detection"] != UNCLAIMED)

    @cached_property
    def records(self) -> DetectionRecords:
        """Records of the detections."""
        return to_records(self.columns, self.profile)

    @cached_property
    def rank_order(self) -> IntArray:
        """Records by rank, as scoring determined it; a foreign desk may lack some ranks."""
        return np.argsort(self.columns["rank"][self.detection_rows], kind="stable")

    @property
    def ranked_rows(self) -> IntArray:
        """Rows of the detections, by rank."""
        return self.detection_rows[self.rank_order]

    @cached_property
    def claims(self) -> Claims:
        """Claims of the detections, by rank."""
        return claims_of(self.records, self.profile, self.rank_order)

    @property
    def is_complete(self) -> bool:
        """True if METEOR is known wherever a kind of error depends on it."""
        return not np.isnan(self.claims.meteor).any()


@dataclass(frozen=True, slots=True)
class ThresholdScores:
    """Scores of a system at the chosen thresholds."""

    system: str
    ap: float
    precision: float
    recall: float
    true: int


def scores_at_thresholds(system: str, claims: Claims, thresholds: Thresholds) -> ThresholdScores:
    """Return a system's scores at these thresholds."""
    true, kept = len(claims.hits(thresholds)), claims.count_above_score(thresholds)[0]
    ap = average_precision_at(claims, thresholds)
    return ThresholdScores(system, ap, true / max(kept, 1), true / max(claims.objects, 1), true)


def threshold_choices(thresholds: Thresholds) -> dict[str, Json]:
    """Return thresholds as the settings of a table."""
    score = None if math.isinf(thresholds.score) else thresholds.score
    return {"IoU": thresholds.overlap, "METEOR": thresholds.meteor, "score": score}


def _thresholds(choices: Mapping[str, Json]) -> Thresholds:
    """Return the thresholds of the settings of a table; raises as `float`."""
    meteor, score = choices["METEOR"], choices["score"]
    return Thresholds(
        float(choices["IoU"]),
        None if meteor is None else float(meteor),
        -math.inf if score is None else float(score),
    )


def curve_table(items: RankedItems, thresholds: Thresholds) -> Sequence[DataColumn]:
    """Return every point of the precision-recall curve with its detection."""
    recall, precision = precision_recall_curve(items.claims, thresholds)
    rows = items.ranked_rows[items.claims.hits(thresholds)].tolist()
    ids = items.evaluation.items.ids
    return [
        ("item", [ids[row] for row in rows]),
        ("recall", recall.tolist()),
        ("precision", precision.tolist()),
    ]


def cost_table(
    items: RankedItems, thresholds: Thresholds, costs: Mapping[Kind, float] | None
) -> Sequence[DataColumn]:
    """Return counts and losses by kind of error, the most expensive first.

    `costs` are the losses over all cells, None if METEOR of some detections is unknown.
    """
    known = items.is_complete or thresholds.meteor is None
    counts = error_counts(items.claims, thresholds) if known else {}
    lost = ap_lost(items.claims, thresholds) if known else {}
    kinds = list(KINDS) if costs is None else sorted(KINDS, key=lambda kind: -costs[kind])
    return [
        ("error kind", [str(kind) for kind in kinds]),
        ("n", [counts.get(kind) for kind in kinds]),
        ("AP lost", [lost.get(kind) for kind in kinds]),
        ("mAP lost", [None if costs is None else costs[kind] for kind in kinds]),
    ]


def system_table(systems: Mapping[str, Claims], thresholds: Thresholds) -> Sequence[DataColumn]:
    """Return the thresholds and every system's scores, best first."""
    scores = (scores_at_thresholds(name, one, thresholds) for name, one in systems.items())
    shown = sorted(scores, key=lambda one: -one.ap)
    choices = threshold_choices(thresholds)
    return [
        ("system", [one.system for one in shown]),
        *((name, [value] * len(shown)) for name, value in choices.items()),
        ("AP", [one.ap for one in shown]),
        ("precision", [one.precision for one in shown]),
        ("recall", [one.recall for one in shown]),
        ("true", [one.true for one in shown]),
    ]


def heatmap_of(evaluation: Evaluation) -> Heatmap:
    """Return the average precision of every pair of thresholds, from 0 to 1."""
    return next(figure for figure in score_figures(evaluation) if isinstance(figure, Heatmap))


def heatmap_difference(one: Heatmap, other: Heatmap) -> Heatmap:
    """Return the cells of one heat map minus those of another with the same axes."""
    return replace(
        one,
        name="difference",
        title=translatable("Difference by threshold"),
        values=one.values - other.values,
        lead=None if one.lead is None or other.lead is None else one.lead - other.lead,
    )


def _make_curve(
    found: Sequence[Evaluation], choices: Mapping[str, Json], run: Run
) -> Sequence[DataColumn]:
    (evaluation,) = found
    return curve_table(RankedItems(evaluation), _thresholds(choices))


def _make_costs(
    found: Sequence[Evaluation], choices: Mapping[str, Json], run: Run
) -> Sequence[DataColumn]:
    (evaluation,) = found
    items, costs = RankedItems(evaluation), None
    if choices[COMPLETED]:
        items = replace(items, meteor=complete_columns(evaluation.items, run)["meteor"])
        costs = run.call(partial(mean_ap_lost, items.claims))
    return cost_table(items, _thresholds(choices), costs)


def _make_systems(
    found: Sequence[Evaluation], choices: Mapping[str, Json], run: Run
) -> Sequence[DataColumn]:
    claims = {one.system: RankedItems(one).claims for one in found}
    return system_table(claims, _thresholds(choices))


def _make_difference(found: Sequence[Evaluation], choices: Mapping[str, Json], run: Run) -> Heatmap:
    one, other = found
    return heatmap_difference(heatmap_of(one), heatmap_of(other))


TABLES: Mapping[str, TableMaker] = {
    CURVE: _make_curve,
    COSTS: _make_costs,
    SYSTEMS: _make_systems,
    DIFFERENCE: _make_difference,
}
"""Functions that make a table from results and choices, by name."""
