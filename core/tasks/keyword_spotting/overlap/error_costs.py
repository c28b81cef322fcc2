"""Errors of a system by kind, and the mean AP that it would gain without those of a kind."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from jurydesk.core.language import translatable
from jurydesk.core.metrics.spotting.claims import HIT
from jurydesk.core.metrics.spotting.error_kinds import (
    KINDS,
    MERGED,
    MISLOCATED,
    SPLIT,
)
from jurydesk.core.model.evaluation import Axis, BoolArray, Curve, FloatArray, IntArray
from jurydesk.core.tasks.keyword_spotting.overlap.spot_lists import SpottingMatch
from jurydesk.core.tasks.keyword_spotting.overlap.unit_curves import curves_of, mean_of_units

REPAIRABLE = (MISLOCATED, SPLIT, MERGED)
"""Kinds whose boxes would be hits at the right place; the others are left out."""
TOLERANCE = 1e-12
"""Gains below this are rounding."""
PREFIX = "num_"
"""Beginning of the names of the columns of counts."""


@dataclass(frozen=True, slots=True, eq=False)
class _Repair:
    """Verdicts (n,) after a repair, which boxes count, and the relevant number (units,) left."""

    verdict: npt.NDArray[np.int8]
    counted: BoolArray
    relevant: IntArray


def kind_counts(matching: SpottingMatch, units: IntArray) -> dict[str, FloatArray]:
    """Return the number of errors (units,) of each kind of a listed box, by name of a column."""
    rows, owners = matching.by_unit
    kinds = matching.kinds.kind[rows]
    count = len(matching.lists.units)
    return {
        f"{PREFIX}{name}": np.bincount(owners[kinds == number], minlength=count)[units].astype(
            np.float64
        )
        for number, name in enumerate(KINDS)
        if name not in ("missed", "repetition")
    }


def cost_bars(matching: SpottingMatch) -> Curve:
    """Return the gain in mean AP if there were no errors of a kind, for each kind."""
    before = _mean_after(matching, _nothing_repaired(matching))
    gains = [
        _mean_after(matching, _repaired(matching, kind)) - before for kind in range(len(KINDS))
    ]
    places = np.arange(len(KINDS), dtype=np.float64)
    return Curve(
        "error_costs",
        translatable("What each kind of error costs"),
        Axis("", ticks=tuple(places.tolist()), labels=tuple(KINDS.values())),
        Axis(translatable("Mean AP gained without these errors")),
        places,
        np.where(np.abs(gains) < TOLERANCE, 0.0, gains),
        form="bars",
    )


def _nothing_repaired(matching: SpottingMatch) -> _Repair:
    verdict = matching.claims.verdict
    counted = matching.counted(np.arange(len(verdict)))
    return _Repair(verdict, counted, matching.relevant_counts)


def _repaired(matching: SpottingMatch, kind: int) -> _Repair:
    """Return the verdicts without errors of a kind.

    A box at the wrong place hits its word if no other has, the best of several first; else it is
    left out, as boxes of other kinds are. Without missed words only those that are found count.
    """
    whole = _nothing_repaired(matching)
    if kind == list(KINDS).index("missed"):
        return _Repair(whole.verdict, whole.counted, _found_counts(matching))
    found = matching.kinds
    wrong = np.flatnonzero(found.kind == kind)
    verdict, counted = whole.verdict.copy(), whole.counted.copy()
    counted[wrong] = False
    if kind in REPAIRABLE:
        wrong = wrong[_is_free(matching, found.word[wrong])]
        place = np.empty(len(verdict), np.int64)
        place[matching.ranked] = np.arange(len(verdict))
        wrong = wrong[np.argsort(place[wrong], kind="stable")]
        _, first = np.unique(found.word[wrong], return_index=True)
        verdict[wrong[first]], counted[wrong[first]] = HIT, True
    return _Repair(verdict, counted, whole.relevant)


def _is_free(matching: SpottingMatch, words: IntArray) -> BoolArray:
    """Return which words of the pages (n,) no listed box has hit."""
    lists = matching.lists
    if lists.references.words is lists.relevant:
        return ~matching.claims.is_found[words]
    kept = np.flatnonzero(lists.references.unit_of_query[lists.references.words.query] >= 0)
    found = np.zeros(len(lists.references.words), np.bool_)
    found[kept] = matching.claims.is_found
    return ~found[words]


def _found_counts(matching: SpottingMatch) -> IntArray:
    lists = matching.lists
    units = lists.unit_of_query[lists.relevant.query[matching.claims.is_found]]
    found: IntArray = np.bincount(units[units >= 0], minlength=len(lists.units))
    return np.minimum(found, matching.relevant_counts)


def _mean_after(matching: SpottingMatch, repair: _Repair) -> float:
    curves = curves_of(matching, repair.verdict, repair.counted, repair.relevant)
    used = matching.used_units()
    is_left = (repair.relevant > 0) | (matching.relevant_counts == 0)
    return mean_of_units(curves, used[is_left[used]], matching.rules)
