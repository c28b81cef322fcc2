"""Many faults of one kind, told without an end: a file of another kind is wrong everywhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from core.defects import Defect, Place, counted, error

TOLD = 200
"""So many faults are told one by one; the rest are counted."""


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
    if others:
        yield error(
            place, f"{counted(others, f'more {noun}', plural and f'more {plural}')} like these."
        )
