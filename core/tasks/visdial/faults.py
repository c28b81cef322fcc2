"""Many faults of one kind, told without an end: a file of another kind is wrong everywhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from core.defects import Defect, Place, counted, error

TOLD = 200
"""So many faults are told one by one; the rest are counted."""


class Faults:
    """The errors of a file as they are found: the first are kept, of the others their number."""

    def __init__(self, place: Place, noun: str, plural: str = "") -> None:
        self._place, self._noun, self._plural = place, noun, plural
        self._told: list[Defect] = []
        self._others = 0

    def add(self, place: Place, found: str, expected: str) -> None:
        """One more error."""
        if len(self._told) < TOLD:
            self._told.append(error(place, found, expected))
        else:
            self._others += 1

    def defects(self) -> list[Defect]:
        """The first errors, and one that counts the others."""
        return [*self._told, *_others(self._others, self._place, self._noun, self._plural)]


def first_of(
    faults: Iterable[Defect], place: Place, noun: str, plural: str = ""
) -> Iterator[Defect]:
    """The first faults, then an error at `place` that counts the others: `9 more rounds ...`."""
    others = 0
    for number, fault in enumerate(faults):
        if number < TOLD:
            yield fault
        else:
            others += 1
    yield from _others(others, place, noun, plural)


def _others(number: int, place: Place, noun: str, plural: str) -> Iterator[Defect]:
    if number:
        more = counted(number, f"more {noun}", plural and f"more {plural}")
        yield error(place, f"{more} like these.")
