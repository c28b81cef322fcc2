"""Verdicts: which listed boxes are hits, repetitions or false positives at a threshold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from jurydesk.core.metrics.spotting.overlaps import Candidates
from jurydesk.core.metrics.spotting.protocols import SpottingRules
from jurydesk.core.metrics.spotting.spots import Spots
from jurydesk.core.model.evaluation import FloatArray, IntArray

FALSE_POSITIVE, HIT, REPETITION = 0, 1, 2
NONE = -1


@dataclass(frozen=True, slots=True, eq=False)
class Verdicts:
    """Verdict on each listed box (n,), in the order of the file.

    `relevant` is the row of the box that a hit claims, else of that which it overlaps most, or
    `NONE`; `overlap` is the overlap with it. `is_found` (m,) tells which relevant boxes are found.
    """

    verdict: npt.NDArray[np.int8]
    relevant: IntArray
    overlap: FloatArray
    is_found: npt.NDArray[np.bool_]


def claim(
    candidates: Candidates, listed: Spots, relevant: Spots, ranked: IntArray, rules: SpottingRules
) -> Verdicts:
    """Return the verdicts at the threshold of the rules, given the rows from best to worst."""
    place = np.empty(len(listed), np.int64)
    place[ranked] = np.arange(len(ranked))
    nearest = np.full(len(listed), NONE)
    overlap = np.zeros(len(listed))
    first = np.ones(len(candidates.listed), np.bool_)
    first[1:] = candidates.listed[1:] != candidates.listed[:-1]
    nearest[candidates.listed[first]] = candidates.relevant[first]
    overlap[candidates.listed[first]] = candidates.overlap[first]
    passing = rules.passes(candidates.overlap)
    if rules.claim == "nearest":
        passing &= relevant.query[candidates.relevant] == listed.query[candidates.listed]
    own, its = candidates.listed[passing], candidates.relevant[passing]
    verdict, hits = verdicts_of_pairs(own, its, place, len(relevant))
    nearest[own[hits]] = its[hits]
    overlap[own[hits]] = candidates.overlap[passing][hits]
    is_found = np.zeros(len(relevant), np.bool_)
    is_found[its[hits]] = True
    return Verdicts(verdict, nearest, overlap, is_found)


def verdicts_of_pairs(
    own: IntArray, its: IntArray, place: IntArray, size: int
) -> tuple[npt.NDArray[np.int8], IntArray]:
    """Return the verdict (n,) on each box, and the pairs that are hits.

    The pairs (p,) are those that pass: `own` the boxes, each with its first choice first, `its` the
    choices, of which there are `size`; `place` (n,) are the boxes' places from the best.
    """
    verdict = np.zeros(len(place), np.int8)
    verdict[own] = REPETITION
    hits = _matched(own, its, place, size)
    verdict[own[hits]] = HIT
    return verdict, hits


def _matched(own: IntArray, its: IntArray, place: IntArray, size: int) -> IntArray:
    """Return the pairs in which boxes, from the best to the worst, take their first free choice.

    `own` (p,) are the boxes, with their choices together and the first choice first, `its` (p,)
    the choices. Boxes propose at the same time and a choice keeps the best: as all choices prefer
    the same order, this gives what taking turns gives (Gale and Shapley 1962), without turns.
    """
    nobody = np.iinfo(np.int64).max
    holder = np.full(size, nobody)  # the place of the box that holds a choice
    held = np.zeros(size, np.int64)  # the pair by which it does
    starts = np.ones(len(own), np.bool_)
    starts[1:] = own[1:] != own[:-1]
    active = np.flatnonzero(starts)
    while len(active):
        wanted = its[active]
        before = holder[wanted]
        old = held[wanted]
        np.minimum.at(holder, wanted, place[own[active]])
        won = holder[wanted] == place[own[active]]
        held[wanted[won]] = active[won]
        displaced = old[won & (before != nobody)]
        losers = np.concatenate([active[~won], displaced])
        following = losers + 1
        inside = following < len(own)
        losers, following = losers[inside], following[inside]
        active = following[own[following] == own[losers]]
    found: IntArray = held[holder != nobody]
    return found
