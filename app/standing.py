"""What a desk holds at a moment, read at once by whichever thread has the time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.desk import Desk, DeskInput, Summary


@dataclass(frozen=True, slots=True)
class Standing:
    """The results of a desk, and the files that they were made of."""

    systems: tuple[Summary, ...] = ()
    inputs: tuple[DeskInput, ...] = ()


def standing(desk: Desk) -> Standing:
    """How the desk stands now; a file with a doubtful time stamp is hashed."""
    return Standing(desk.evaluations(), desk.inputs())
