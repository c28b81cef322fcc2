"""How two systems differ item by item: on how many each is better, and a curve of by how much."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jurydesk.core.analysis.pairwise import PairedItems

POINTS = 400
"""A curve on the board is not wider than that."""


@dataclass(frozen=True, slots=True)
class GainCurve:
    """`curve` has gains of the first system over the second, the largest first, evenly picked."""

    wins: int
    losses: int
    ties: int
    curve: tuple[float, ...]
    unit: str = ""
    """What was compared (`images`), where that is not the items."""


def gains_of(items: PairedItems) -> GainCurve:
    """The gains of all items, and as many of them as a curve can show."""
    ordered = np.sort(items.gains)[::-1]
    picked = np.linspace(0, len(ordered) - 1, min(len(ordered), POINTS)).round().astype(np.int64)
    curve = tuple(ordered[picked].tolist())
    return GainCurve(items.wins, items.losses, items.ties, curve, items.unit)
