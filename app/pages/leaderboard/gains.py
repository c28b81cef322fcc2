"""Differences between two systems by item: wins, losses, ties and a curve."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jurydesk.core.analysis.pairwise import PairedItems

POINTS = 400
"""Maximum number of points of a curve; it is not painted wider."""


@dataclass(frozen=True, slots=True)
class GainCurve:
    """Counts, and a sample of the first system's gains over the second, largest first."""

    wins: int
    losses: int
    ties: int
    curve: tuple[float, ...]
    unit: str = ""
    """What was compared (`images`), if not the items."""


def gains_of(items: PairedItems) -> GainCurve:
    """Return the counts and a sampled curve of the gains."""
    ordered = np.sort(items.gains)[::-1]
    picked = np.linspace(0, len(ordered) - 1, min(len(ordered), POINTS)).round().astype(np.int64)
    curve = tuple(ordered[picked].tolist())
    return GainCurve(items.wins, items.losses, items.ties, curve, items.unit)
