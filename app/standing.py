"""What a desk holds at a moment, read at once by whichever thread has the time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.desk import Desk, DeskInput, Summary


@dataclass(frozen=True, slots=True)
class Standing:
    """The results of a desk, and the files that they were made of.

    `hidden` is the time since which the scores are hidden, empty where they are open; `marks` say
    what is odd of the submissions behind the systems.
    """

    systems: tuple[Summary, ...] = ()
    inputs: tuple[DeskInput, ...] = ()
    hidden: str = ""
    marks: Mapping[str, str] = field(default_factory=dict)


def standing(desk: Desk) -> Standing:
    """How the desk stands now; a file with a doubtful time stamp is hashed."""
    from core.desk.curtain import hidden_since
    from core.intake.ledger import marks

    return Standing(desk.evaluations(), desk.inputs(), hidden_since(desk), marks(desk))
