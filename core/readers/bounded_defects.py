"""The defects of a file that may be wrong everywhere: the first are kept, the others counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from jurydesk.core.model.defects import Defect, Place, Severity, counted, error

MOST = 10_000
"""So many are told one by one: several times the items of a competition."""
MOST_OF_A_KIND = 200
MEND = "Mend the first ones and check again."

_WEIGHT = {Severity.NOTE: 0, Severity.WARNING: 1, Severity.ERROR: 2}


def remainder_defect(worst: Defect, count: int) -> Defect:
    """Return the defect that stands for `count` others, as severe as the worst and at its place."""
    found = f"{count:,} more defects were found."
    return Defect(worst.severity, worst.place, found, "", MEND, count)


class BoundedDefects:
    """Collects the defects of a file; memory does not grow with their number.

    The first `most` are kept. `others` makes the defect that stands for the rest, of the first
    among the most severe of them and of how often things were found.
    """

    def __init__(
        self,
        defects: Iterable[Defect] = (),
        most: int = MOST,
        others: Callable[[Defect, int], Defect] = remainder_defect,
    ) -> None:
        self._most, self._others = most, others
        self._kept: list[Defect] = []
        self._worst: Defect | None = None
        self._more = 0
        self.extend(defects)

    def __bool__(self) -> bool:
        return bool(self._kept)

    def append(self, defect: Defect) -> None:
        """Keep one defect, or count it after the first `most`."""
        if len(self._kept) < self._most:
            self._kept.append(defect)
            return
        self._more += defect.count  # it may stand for others itself
        if self._worst is None or _WEIGHT[defect.severity] > _WEIGHT[self._worst.severity]:
            self._worst = defect

    def extend(self, defects: Iterable[Defect]) -> None:
        """Keep defects, each as soon as it is found."""
        for defect in defects:
            self.append(defect)

    def told(self) -> tuple[Defect, ...]:
        """Return all that were kept, and one that stands for those that were only counted."""
        if self._worst is None:
            return tuple(self._kept)
        return (*self._kept, self._others(self._worst, self._more))


def defects_of_a_kind(
    defects: Iterable[Defect], place: Place, noun: str, plural: str = ""
) -> BoundedDefects:
    """Return the first defects of one kind, then an error at `place` that counts the others."""

    def others(worst: Defect, count: int) -> Defect:
        return error(
            place, f"{counted(count, f'more {noun}', plural and f'more {plural}')} like these."
        )

    return BoundedDefects(defects, MOST_OF_A_KIND, others)
