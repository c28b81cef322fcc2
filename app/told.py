"""What is wrong with the files, kept apart by who found it, so that each can be found anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.defects import Defect
    from core.desk import Desk


@dataclass(frozen=True, slots=True)
class Told:
    """The defects: of what was not `taken` in, of submissions as they are `settled`, and `read`."""

    taken: tuple[Defect, ...] = ()
    settled: tuple[Defect, ...] = ()
    read: tuple[Defect, ...] = ()

    @property
    def all(self) -> tuple[Defect, ...]:
        """Every defect once."""
        return tuple(dict.fromkeys((*self.taken, *self.settled, *self.read)))

    def after(self, given: Sequence[Path], defects: Sequence[Defect]) -> Told:
        """With what was told of these folders and archives, which may have come before."""
        kept = [one for one in self.taken if not _within(one, given)]
        return replace(self, taken=tuple(dict.fromkeys((*kept, *defects))))


def _within(defect: Defect, given: Sequence[Path]) -> bool:
    return any(Path(defect.place.path).is_relative_to(path) for path in given)


def told_by(desk: Desk) -> Told:
    """The defects that a desk keeps."""
    from core.intake.ledger import not_taken, standing
    from core.intake.settling import told

    kept, taken = desk.defects(), not_taken(desk)
    settled = frozenset(told(standing(desk)))
    known = settled | frozenset(taken)
    return Told(
        taken,
        tuple(one for one in kept if one in settled),
        tuple(one for one in kept if one not in known),
    )
