"""What-if of the overlap threshold: verdicts and average precision from stored candidates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt

from jurydesk.core.metrics.spotting.block_curves import block_curves
from jurydesk.core.metrics.spotting.claims import (
    FALSE_POSITIVE,
    HIT,
    NONE,
    REPETITION,
    verdicts_of_pairs,
)
from jurydesk.core.metrics.spotting.protocols import SpottingRules
from jurydesk.core.model.evaluation import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class CandidateList:
    """Ranked list of a query with its candidates, whatever the threshold.

    `scores` (n,) are those of all listed places by rank, `relevant` is the number of relevant
    places. Candidate `i` is the place of rank `rank[i]` with the relevant place `target[i]` (from
    0) and their `overlap[i]`; those of a rank are together, the likeliest first.
    """

    scores: FloatArray
    relevant: int
    rank: IntArray
    target: IntArray
    overlap: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class OverlapOutcome:
    """Outcome at a threshold: a verdict (n,) on each listed place, and the AP of each query.

    `target` (n,) is the relevant place that a hit claims, counted over all lists, else `NONE`.
    """

    verdict: npt.NDArray[np.int8]
    target: IntArray
    ap: FloatArray
    mean: float
    hits: int
    repetitions: int
    false_positives: int
    missed: int


class OverlapWhatIf:
    """Lists of a system under rules, whose claims are made again at any threshold."""

    def __init__(self, lists: Sequence[CandidateList], rules: SpottingRules) -> None:
        self.rules = rules
        sizes = [len(one.scores) for one in lists]
        self.starts = np.array([0, *accumulate(sizes)], np.int64)
        self._owner = np.repeat(np.arange(len(lists)), sizes)
        self._scores = _joined([one.scores for one in lists], np.float64)
        self._relevant = np.array([one.relevant for one in lists], np.int64)
        most = [int(one.target.max(initial=-1)) + 1 for one in lists]
        firsts = np.array([0, *accumulate(most)], np.int64)
        pairs = [len(one.rank) for one in lists]
        self._own = _joined([one.rank - 1 for one in lists], np.int64)
        self._own += np.repeat(self.starts[:-1], pairs)
        self._its = _joined([one.target for one in lists], np.int64)
        self._its += np.repeat(firsts[:-1], pairs)
        self._overlap = _joined([one.overlap for one in lists], np.float64)
        self._targets = int(firsts[-1])

    def at(self, threshold: float) -> OverlapOutcome:
        """Return the outcome at a threshold; only the claims are made again."""
        rules = replace(self.rules, threshold=threshold)
        passing = rules.passes(self._overlap)
        place = np.arange(len(self._scores))
        pairs = self._own[passing], self._its[passing]
        verdict, claims = verdicts_of_pairs(*pairs, place, self._targets)
        target = np.full(len(place), NONE)
        target[pairs[0][claims]] = pairs[1][claims]
        counted = verdict != REPETITION if rules.repeated == "ignore" else place >= 0
        owner = self._owner[counted]
        is_hit = verdict[counted] == HIT
        curves = block_curves(owner, self._scores[counted], is_hit, self._relevant, rules)
        values = curves.average_precisions(trapezoid=rules.trapezoid)
        used = self._relevant > 0
        if rules.means_over == "listed":
            used[owner] = True
        hits = int(is_hit.sum())
        return OverlapOutcome(
            verdict,
            target,
            values,
            float(values[used].mean()) if used.any() else 0.0,
            hits,
            int((verdict == REPETITION).sum()),
            int((verdict == FALSE_POSITIVE).sum()),
            int(self._relevant.sum()) - hits,
        )


def _joined(arrays: Sequence[npt.NDArray[Any]], kind: type) -> npt.NDArray[Any]:
    return np.concatenate([np.empty(0, kind), *arrays])
