"""Brackets around neighbouring rows of a board without a significant difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jurydesk.core.analysis.significance.pairwise_significance import PairwiseSignificance


@dataclass(frozen=True, slots=True)
class Bracket:
    """Rows from `first` to `last` (two or more), none of which differ significantly."""

    first: int
    last: int
    lane: int

    def part(self, row: int) -> str:
        """Return the row's part of the bracket: `top`, `middle`, `bottom`, or empty."""
        if not self.first <= row <= self.last:
            return ""
        return "top" if row == self.first else "bottom" if row == self.last else "middle"


def brackets(
    systems: Sequence[str], significance: PairwiseSignificance | None
) -> tuple[Bracket, ...]:
    """Return the longest runs of systems, in this order, without a significant difference.

    Overlapping brackets get different lanes, starting at 0.
    """
    if significance is None or not significance.pairs:
        return ()
    alpha = 1 - significance.level
    different = {frozenset((p.first, p.second)) for p in significance.pairs if p.corrected < alpha}
    tested = set(significance.systems)
    found: list[Bracket] = []
    lanes: list[int] = []
    """Last row of each lane's last bracket."""
    end = -1
    for first, system in enumerate(systems):
        last = first
        while last + 1 < len(systems) and {system, systems[last + 1]} <= tested:
            run = systems[first : last + 1]
            if any(frozenset((one, systems[last + 1])) in different for one in run):
                break
            last += 1
        if last > max(first, end):
            lane = next((n for n, end_row in enumerate(lanes) if end_row < first), len(lanes))
            lanes[lane : lane + 1] = [last]
            found.append(Bracket(first, last, lane))
            end = last
    return tuple(found)
