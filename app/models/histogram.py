"""How many values fall where: the numbers of a histogram."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.model import FloatArray, IntArray

BINS = 20


@dataclass(frozen=True, slots=True, eq=False)
class Histogram:
    """How many values (bins,) fall between neighbouring `edges` (bins + 1,)."""

    edges: FloatArray
    counts: IntArray


def histogram(values: FloatArray, limits: tuple[float, float] | None) -> Histogram:
    """The histogram of the defined values, over the metric's range where that is finite."""
    defined = values[np.isfinite(values)]
    known = [*defined.tolist(), *(limit for limit in limits or () if np.isfinite(limit))]
    low, high = (min(known), max(known)) if known else (0.0, 1.0)
    counts, edges = np.histogram(defined, BINS, (low, high if high > low else low + 1.0))
    return Histogram(edges, counts.astype(np.int64))
