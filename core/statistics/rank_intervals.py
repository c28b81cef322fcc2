"""Rank intervals: the ranks a system may have, given its significant differences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from jurydesk.core.model.evaluation import FloatArray
from jurydesk.core.statistics.paired_tests import Pair


class RankInterval(NamedTuple):
    """Range of ranks: below all significantly better and above all significantly worse systems."""

    best: int
    worst: int


def ranks(
    systems: int, pairs: Sequence[Pair], differences: FloatArray, p: FloatArray, alpha: float
) -> list[RankInterval]:
    """Return the rank interval of each system.

    `differences` (pairs,) are positive if the first system is better; `p` (pairs,) are corrected
    for all pairs and significant below `alpha`. Systems without significant differences share
    their best rank.
    """
    above, below = [0] * systems, [0] * systems
    for (one, other), difference, value in zip(
        pairs, differences.tolist(), p.tolist(), strict=True
    ):
        if value < alpha and difference != 0:
            better, worse = (one, other) if difference > 0 else (other, one)
            above[worse] += 1
            below[better] += 1
    return [RankInterval(1 + above[i], systems - below[i]) for i in range(systems)]
