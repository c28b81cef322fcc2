"""Evaluation of lists by blocks of equal scores, as at ICDAR 2017: global and mean measures."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.metrics.spotting.claims import FALSE_POSITIVE, HIT, REPETITION
from jurydesk.core.model.evaluation import (
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
from jurydesk.core.tasks.keyword_spotting.overlap.spotting_figures import (
    hit_curve,
    other_figures,
    recall_figures,
)
from jurydesk.core.tasks.keyword_spotting.overlap.stored_lists import (
    error_columns,
    stored_columns,
)
from jurydesk.core.tasks.keyword_spotting.overlap.unit_curves import unit_curves, whole_curve

if TYPE_CHECKING:
    from jurydesk.core.tasks.keyword_spotting.keyword_spotting_options import KeywordSpottingOptions


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
        **error_columns(matching, units),
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
            *hit_curve(matching),
            *other_figures(matching),
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
                **stored_columns(matching, units),
            }
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
        "num_rel": relevant,
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
