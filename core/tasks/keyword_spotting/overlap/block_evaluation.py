"""Evaluation of lists by blocks of equal scores, as at ICDAR 2017: global and mean measures."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.language import translatable
from jurydesk.core.metrics.ranking.curves import PRECISION, RECALL
from jurydesk.core.metrics.spotting.block_curves import BlockCurves, block_curves
from jurydesk.core.metrics.spotting.claims import FALSE_POSITIVE, HIT, REPETITION
from jurydesk.core.model.evaluation import (
    Axis,
    Curve,
    Evaluation,
    FloatArray,
    IntArray,
    ItemTable,
    Score,
)
from jurydesk.core.model.evidence_columns import ColumnEvidence, EvidenceColumn, EvidenceColumns
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_evidence import RankedList, list_columns
from jurydesk.core.tasks.keyword_spotting.overlap.spot_lists import SpottingLists, SpottingMatch

if TYPE_CHECKING:
    from jurydesk.core.tasks.keyword_spotting.keyword_spotting_options import KeywordSpottingOptions

OVERLAPS = np.arange(1, 10) / 10
"""Least overlaps of the curve of mean AP."""
MOST_BOXES = 100_000
"""Listed boxes up to which that curve is computed: it costs nine times the claims."""


def evaluate_blocks(lists: SpottingLists, options: KeywordSpottingOptions) -> Evaluation:
    """Return gAP, mAP, gNDCG, mNDCG and counts; a row per query or group that is averaged."""
    matching = lists.matching(options.profile)
    units = matching.used_units()
    curves = unit_curves(matching)
    whole = whole_curve(matching)
    trapezoid = matching.rules.trapezoid
    precisions = curves.average_precisions(trapezoid=trapezoid)[units]
    gains = curves.ndcg()[units]
    columns = {
        **dict.fromkeys(("mAP", "AP", "ap"), precisions),
        **dict.fromkeys(("mNDCG", "NDCG"), gains),
        **_counts(matching, units),
    }
    count = len(units)
    verdict = matching.claims.verdict
    missed = int(matching.relevant_counts.sum() - (verdict == HIT).sum())
    scores = (
        Score("gAP", float(whole.average_precisions(trapezoid=trapezoid)[0]), count),
        _mean("mAP", precisions),
        _mean("ap", precisions),
        Score("gNDCG", float(whole.ndcg()[0]), count),
        _mean("mNDCG", gains),
        Score("num_matches", float((verdict == HIT).sum()), count),
        Score("num_false_positives", float((verdict == FALSE_POSITIVE).sum()), count),
        Score("num_false_negatives", float(missed), count),
        Score("num_repeated", float((verdict == REPETITION).sum()), count),
    )
    return Evaluation(
        task="keyword-spotting",
        system="",
        profile=options.profile,
        scores=scores,
        items=ItemTable(
            ids=tuple(lists.units[unit] for unit in units.tolist()),
            columns=columns,
            evidence=ColumnEvidence(
                partial(unit_evidence, matching, units, {"ap": precisions}), RankedList.from_row
            ),
            noun="query",
        ),
        figures=(
            *recall_figures(whole, curves, units, options.curve_points, trapezoid=trapezoid),
            *overlap_curve(matching),
        ),
        defects=lists.defects(options.profile),
    )


def unit_evidence(
    matching: SpottingMatch, units: IntArray, values: dict[str, FloatArray]
) -> tuple[EvidenceColumns]:
    """Return the evidence columns of some units: their lists, and shown values by name."""
    rows, owners = matching.by_unit
    del rows
    listed = np.bincount(owners, minlength=len(matching.lists.units))[units]
    return (
        EvidenceColumns(
            {
                "query": EvidenceColumn.texts(matching.lists.units[one] for one in units.tolist()),
                "listed": EvidenceColumn(listed),
                "relevant": EvidenceColumn(matching.relevant_counts[units]),
                **list_columns(matching.ranked_items(units), matching.missed_items(units)),
                **{name: EvidenceColumn(column) for name, column in values.items()},
            }
        ),
    )


def unit_curves(matching: SpottingMatch) -> BlockCurves:
    """Return the curve of each unit."""
    rows, owners = matching.by_unit
    kept = matching.counted(rows)
    rows, owners = rows[kept], owners[kept]
    is_hit = matching.claims.verdict[rows] == HIT
    return block_curves(
        owners, matching.scores[rows], is_hit, matching.relevant_counts, matching.rules
    )


def whole_curve(matching: SpottingMatch) -> BlockCurves:
    """Return the curve of all lists as one."""
    rows = matching.as_one_list[matching.counted(matching.as_one_list)]
    is_hit = matching.claims.verdict[rows] == HIT
    total = np.array([matching.relevant_counts.sum()])
    owner = np.zeros(len(rows), np.int64)
    return block_curves(owner, matching.scores[rows], is_hit, total, matching.rules)


def recall_figures(
    whole: BlockCurves, curves: BlockCurves, units: IntArray, points: int, *, trapezoid: bool
) -> tuple[Curve, Curve]:
    """Return the precision at equally spaced recalls of all lists as one, and averaged."""
    recalls = np.arange(points) / (points - 1)
    members = curves.precision_at(recalls, trapezoid=trapezoid)[units]
    mean = members.mean(axis=0) if len(units) else np.zeros(points)
    first = Curve(
        "recall_precision_global",
        translatable("Precision and recall, all queries as one list"),
        RECALL,
        PRECISION,
        recalls,
        whole.precision_at(recalls, trapezoid=trapezoid)[0],
    )
    second = replace(
        first,
        name="recall_precision_mean",
        title=translatable("Precision and recall, mean over queries"),
        mean=mean,
        members=members,
        value="ap",
    )
    return first, second


def overlap_curve(matching: SpottingMatch) -> tuple[Curve, ...]:
    """Return the mean AP by the least overlap of a hit; only the claims are made again.

    There is none for segments, and none above `MOST_BOXES` listed boxes.
    """
    if matching.rules.places != "boxes" or len(matching.lists.listed) > MOST_BOXES:
        return ()
    values = []
    for threshold in OVERLAPS.tolist():
        other = replace(matching, rules=replace(matching.rules, threshold=threshold))
        values.append(mean_and_global(other)[0])
    return (
        Curve(
            "map_by_overlap",
            translatable("Mean AP by least overlap"),
            Axis(translatable("Least overlap"), limits=(0.1, 0.9)),
            Axis(translatable("Mean AP"), limits=(0.0, 1.0)),
            OVERLAPS,
            np.array(values),
        ),
    )


def curve_text(curve: Curve) -> str:
    """Return the points of a curve as kws-eval writes them."""
    pairs = zip(curve.x.tolist(), curve.mean.tolist(), strict=True)
    return "".join(f"{recall:e} {precision:e}\n" for recall, precision in pairs)


def _counts(matching: SpottingMatch, units: IntArray) -> dict[str, FloatArray]:
    """Return how many places of each kind every unit has."""
    rows, owners = matching.by_unit
    verdict = matching.claims.verdict[rows]
    count = len(matching.lists.units)

    def of(kind: int) -> FloatArray:
        return np.bincount(owners[verdict == kind], minlength=count)[units].astype(np.float64)

    relevant = matching.relevant_counts[units].astype(np.float64)
    hits = of(HIT)
    return {
        "num_matches": hits,
        "num_false_positives": of(FALSE_POSITIVE),
        "num_false_negatives": relevant - hits,
        "num_repeated": of(REPETITION),
    }


def _mean(name: str, values: FloatArray) -> Score:
    """Return a mean over the units, 0 without any as in kws-eval."""
    if not len(values):
        return Score(name, 0.0, 0)
    return Score(name, float(values.mean()), len(values), float(values.std()))


def mean_and_global(matching: SpottingMatch) -> tuple[float, float]:
    """Return mAP and gAP."""
    trapezoid = matching.rules.trapezoid
    values = unit_curves(matching).average_precisions(trapezoid=trapezoid)[matching.used_units()]
    whole = whole_curve(matching).average_precisions(trapezoid=trapezoid)
    return float(values.mean()) if len(values) else 0.0, float(whole[0])
