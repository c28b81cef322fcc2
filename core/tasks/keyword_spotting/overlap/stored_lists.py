"""Lists of the queries as a desk stores them: scores, candidates and errors, for any threshold."""

from __future__ import annotations

import json

import numpy as np

from jurydesk.core.model.evaluation import FloatArray, IntArray
from jurydesk.core.model.evidence_columns import EvidenceColumn
from jurydesk.core.model.json_codec import to_json
from jurydesk.core.tasks.keyword_spotting.overlap.error_costs import kind_counts
from jurydesk.core.tasks.keyword_spotting.overlap.spot_lists import SpottingMatch
from jurydesk.core.tasks.keyword_spotting.overlap.unit_curves import unit_curves


def error_columns(matching: SpottingMatch, units: IntArray) -> dict[str, FloatArray]:
    """Return the counts of errors (units,) by kind; none without boxes, or for a long list."""
    if matching.rules.places != "boxes" or matching.is_large:
        return {}
    return kind_counts(matching, units)


def stored_columns(matching: SpottingMatch, units: IntArray) -> dict[str, EvidenceColumn]:
    """Return the columns of the lists of some units, in ascending order."""
    points = _curve_points(matching, units) if matching.rules.scored == "blocks" else {}
    if matching.rules.places != "boxes":
        return points
    rows, owners = matching.by_unit
    lengths = np.searchsorted(owners, units, "right") - np.searchsorted(owners, units)
    shown = rows[np.isin(owners, units)]
    kinds = {}
    if not matching.is_large:
        kinds = {"kinds": EvidenceColumn(matching.kinds.kind[shown], lengths)}
    rules = json.dumps(to_json(matching.rules))
    return {
        **points,
        **kinds,
        "rules": EvidenceColumn.texts([rules] * len(units)),
        "scores": EvidenceColumn(matching.scores[shown], lengths),
        **_pairs(matching, units, lengths),
    }


def _pairs(
    matching: SpottingMatch, units: IntArray, lengths: IntArray
) -> dict[str, EvidenceColumn]:
    """Return the candidates of some units by rank, as `CandidateList` has them."""
    lists, pairs = matching.lists, matching.candidates
    rows, owners = matching.by_unit
    place = np.empty(len(rows), np.int64)
    place[rows] = np.arange(len(rows))
    starts = np.searchsorted(owners, units)
    same = lists.relevant.query[pairs.relevant] == lists.listed.query[pairs.listed]
    same &= np.isin(owners, units)[place[pairs.listed]]
    at = place[pairs.listed[same]]
    order = np.argsort(at, kind="stable")
    at = at[order]
    target = _within_units(lists.unit_of_query[lists.relevant.query])[pairs.relevant[same][order]]
    counts = np.searchsorted(at, starts + lengths) - np.searchsorted(at, starts)
    return {
        "pair_rank": EvidenceColumn(at - np.repeat(starts, counts) + 1, counts),
        "pair_target": EvidenceColumn(target, counts),
        "pair_overlap": EvidenceColumn(pairs.overlap[same][order], counts),
    }


def _within_units(units: IntArray) -> IntArray:
    """Return the place (n,) of each relevant box among those of its unit."""
    order = np.argsort(units, kind="stable")
    ordered = units[order]
    found = np.empty(len(units), np.int64)
    found[order] = np.arange(len(units)) - np.searchsorted(ordered, ordered)
    return found


def _curve_points(matching: SpottingMatch, units: IntArray) -> dict[str, EvidenceColumn]:
    """Return recall and precision of some units at each score with a hit, not interpolated."""
    curves = unit_curves(matching, interpolate=False)
    starts, ends = curves.starts[units], curves.starts[units + 1]
    lengths = ends - starts
    at = np.arange(int(lengths.sum())) + np.repeat(starts - (np.cumsum(lengths) - lengths), lengths)
    owner = np.repeat(np.arange(len(units)), lengths)
    recall, precision = curves.recall[at], curves.precision[at]
    is_new = np.ones(len(at), np.bool_)
    is_new[1:] = (recall[1:] > recall[:-1]) | (owner[1:] != owner[:-1])
    is_new &= (recall > 0) & (curves.relevant[units][owner] > 0)
    counts = np.bincount(owner[is_new], minlength=len(units))
    return {
        "recalls": EvidenceColumn(recall[is_new], counts),
        "precisions": EvidenceColumn(precision[is_new], counts),
    }
