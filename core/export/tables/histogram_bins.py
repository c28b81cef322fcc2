"""Counts of histograms, of which several share the same bins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jurydesk.core.model.evaluation import FloatArray, IntArray

BINS = 20


@dataclass(frozen=True, slots=True, eq=False)
class Histogram:
    """Counts (bins,) of values between neighbouring `edges` (bins + 1,)."""

    edges: FloatArray
    counts: IntArray


def histogram(values: FloatArray, limits: tuple[float, float] | None) -> Histogram:
    """Return the histogram of the defined values, over the metric's range if that is finite."""
    return histograms((values,), limits)[0]


def histograms(
    columns: Sequence[FloatArray], limits: tuple[float, float] | None
) -> tuple[Histogram, ...]:
    """Return the histograms of several columns over the same bins, which cover all values."""
    defined = [values[np.isfinite(values)] for values in columns]
    known = [limit for limit in limits or () if np.isfinite(limit)]
    for values in defined:
        known += [float(values.min()), float(values.max())] if len(values) else []
    low, high = (min(known), max(known)) if known else (0.0, 1.0)
    edges = np.linspace(low, high if high > low else low + 1.0, BINS + 1)
    return tuple(
        Histogram(edges, np.histogram(values, edges)[0].astype(np.int64)) for values in defined
    )
