"""Ranks as intervals: which places a system may truly have, by what separates it from others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jurydesk.core.model.evaluation import FloatArray
from jurydesk.core.statistics.paired_tests import Pair


@dataclass(frozen=True, slots=True)
class RankInterval:
    """A system has as many above it as are surely better, and as many below as surely worse."""

    best: int
    worst: int


def ranks(
    systems: int, pairs: Sequence[Pair], differences: FloatArray, p: FloatArray, alpha: float
) -> list[RankInterval]:
    """Return the rank of each system; `differences` (pairs,) are above 0 where the first is better.

    A pair is separate where its p value (corrected for all pairs) is below `alpha`; systems that
    nothing separates share their best rank.
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
