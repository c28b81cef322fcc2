"""Evaluations read from a desk; the last few stay in memory."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.desk import Desk
    from core.model import Evaluation
    from core.rating.findings import Findings

KEPT = 4
SOON = 20_000
"""So many items are read before anybody notices."""


@dataclass(frozen=True, slots=True)
class Stored:
    """An evaluation in a desk, which any thread may load by calling it."""

    desk: Desk
    key: int
    load_evidence: Callable[[Any], Any]

    def __call__(self) -> Evaluation:
        return self.desk.load(self.key, self.load_evidence)


def read(load: Callable[[], Evaluation], people: Findings | None) -> Evaluation:
    """An evaluation with what people said of it, for a job.

    Raises Cancelled where the desk has it no more: nobody asks for it then.
    """
    from core.desk.errors import GoneError
    from core.run.run import Cancelled

    try:
        found = load()
    except GoneError as gone:
        raise Cancelled from gone
    return found if people is None else people.beside(found)


class Loaded:
    """The evaluations that were asked for last, with what raters said beside the metrics."""

    def __init__(self) -> None:
        self._kept: dict[int, Evaluation] = {}

    def get(self, stored: Stored, people: Findings | None) -> Evaluation:
        """An evaluation, from memory where it is there."""
        if stored.key not in self._kept:
            found = stored()
            self.put(stored.key, people.beside(found) if people else found)
        return self._kept[stored.key]

    def __contains__(self, key: int) -> bool:
        return key in self._kept

    def put(self, key: int, evaluation: Evaluation) -> None:
        """Keep one that was read elsewhere."""
        while len(self._kept) >= KEPT:
            self._kept.pop(next(iter(self._kept)))
        self._kept[key] = evaluation

    def keep(self, keys: Collection[int]) -> None:
        """Forget all but these."""
        self._kept = {key: kept for key, kept in self._kept.items() if key in keys}

    def clear(self) -> None:
        """Forget all."""
        self._kept.clear()
