"""The errors of a file with many lines: the first are told one by one, the others are counted."""

from __future__ import annotations

from collections.abc import Iterable

from core.defects import Defect, Place, Severity, error

TOLD = 1000
"""So many defects of a file are told one by one; the others are counted."""


class Wrong:
    """Collects the errors of a piece of a file; memory does not grow with their number."""

    def __init__(self) -> None:
        self._errors: list[Defect] = []
        self._more = 0

    def add(self, place: Place, found: str, expected: str = "", hint: str = "") -> None:
        """Tell one error, or count it with those after the first `TOLD`."""
        if len(self._errors) <= TOLD:
            self._errors.append(error(place, found, expected, hint))
        else:
            self._more += 1

    def told(self) -> tuple[Defect, ...]:
        """Every error, the last one standing for all that were only counted."""
        if not self._more:
            return tuple(self._errors)
        *first, last = self._errors
        return (*first, _more(last.place, 1 + self._more))


def bounded(defects: Iterable[Defect], path: str) -> tuple[Defect, ...]:
    """At most `TOLD` defects one by one, and how many more there are."""
    every = tuple(defects)
    if len(every) <= TOLD:
        return every
    first, others = every[:TOLD], every[TOLD:]
    count = sum(one.count if one.severity is Severity.ERROR else 1 for one in others)
    return (*first, _more(Place(path, others[0].place.line), count))


def _more(place: Place, count: int) -> Defect:
    found = f"{count:,} more defects follow from here."
    hint = "Mend the first ones and check again."
    return Defect(Severity.ERROR, place, found, "", hint, count)
