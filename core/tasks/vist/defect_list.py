"""What is wrong with one file: the first defects one by one, the others counted."""

from __future__ import annotations

from collections.abc import Iterable

from core.defects import Defect, Severity

TOLD = 10_000
"""So many are told one by one: several times the sequences of the challenge."""

_WEIGHT = {Severity.NOTE: 0, Severity.WARNING: 1, Severity.ERROR: 2}


class DefectList:
    """Collects the defects of a file; memory does not grow with their number."""

    def __init__(self, defects: Iterable[Defect] = ()) -> None:
        self._told: list[Defect] = []
        self._worst: Defect | None = None
        self._more = 0
        self.extend(defects)

    def append(self, defect: Defect) -> None:
        """Keep one defect, or count it after the first `TOLD`."""
        if len(self._told) < TOLD:
            self._told.append(defect)
            return
        self._more += defect.count  # it may stand for others itself
        if self._worst is None or _WEIGHT[defect.severity] > _WEIGHT[self._worst.severity]:
            self._worst = defect

    def extend(self, defects: Iterable[Defect]) -> None:
        """Keep defects, each as soon as it is found."""
        for defect in defects:
            self.append(defect)

    def told(self) -> tuple[Defect, ...]:
        """All that were kept, and one that stands for those that were only counted.

        It is as severe as the worst of them and has that one's place.
        """
        if self._worst is None:
            return tuple(self._told)
        found = f"{self._more:,} more defects were found."
        hint = "Mend the first ones and check again."
        more = Defect(self._worst.severity, self._worst.place, found, "", hint, self._more)
        return (*self._told, more)
