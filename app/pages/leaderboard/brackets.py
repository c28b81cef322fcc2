"""Which neighbouring rows of a board cannot be told apart, as brackets in lanes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jurydesk.core.analysis.significance import PairwiseSignificance


@dataclass(frozen=True, slots=True)
class Bracket:
    """Rows from `first` to `last` (two or more), no two of which can be told apart."""

    first: int
    last: int
    lane: int

    def part(self, row: int) -> str:
        """What a row shows of it: `top`, `middle`, `bottom`, or nothing."""
        if not self.first <= row <= self.last:
            return ""
        return "top" if row == self.first else "bottom" if row == self.last else "middle"


def brackets(
    systems: Sequence[str], separation: PairwiseSignificance | None
) -> tuple[Bracket, ...]:
    """Return the longest runs of systems, in this order, that no test tells apart.

    Brackets that share rows lie in different lanes, the first at 0.
    """
    if separation is None or not separation.pairs:
        return ()
    alpha = 1 - separation.level
    apart = {frozenset((p.first, p.second)) for p in separation.pairs if p.corrected < alpha}
    tested = set(separation.systems)
    found: list[Bracket] = []
    lanes: list[int] = []
    """The last row of each lane's last bracket."""
    end = -1
    for first, system in enumerate(systems):
        last = first
        while last + 1 < len(systems) and {system, systems[last + 1]} <= tested:
            run = systems[first : last + 1]
            if any(frozenset((one, systems[last + 1])) in apart for one in run):
                break
            last += 1
        if last > max(first, end):
            lane = next((n for n, taken in enumerate(lanes) if taken < first), len(lanes))
            lanes[lane : lane + 1] = [last]
            found.append(Bracket(first, last, lane))
            end = last
    return tuple(found)
