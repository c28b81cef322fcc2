"""Cache of recently loaded evaluations."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jurydesk.core.desk import Desk
    from jurydesk.core.human_evaluation.results.findings import StudyFindings
    from jurydesk.core.model.evaluation import Evaluation

MAX_CACHED = 4
QUICK_ITEMS = 20_000
"""Number of items up to which an evaluation is read without a noticeable delay."""


@dataclass(frozen=True, slots=True)
class StoredEvaluation:
    """Evaluation in a desk, loaded by calling it on any thread."""

    desk: Desk
    key: int
    load_evidence: Callable[[Any], Any]

    def __call__(self) -> Evaluation:
        """Load the evaluation."""
        return self.desk.load(self.key, self.load_evidence)


def load_rated(load: Callable[[], Evaluation], people: StudyFindings | None) -> Evaluation:
    """Load an evaluation with its ratings; raise Cancelled if the desk no longer has it."""
    from jurydesk.core.desk.errors import EvaluationGoneError
    from jurydesk.core.execution.run import Cancelled

    try:
        found = load()
    except EvaluationGoneError as gone:
        raise Cancelled from gone
    return found if people is None else people.with_ratings(found)


class EvaluationCache:
    """Recently requested evaluations, with the ratings beside the metrics."""

    def __init__(self) -> None:
        self._cached: dict[int, Evaluation] = {}

    def get(self, stored: StoredEvaluation, people: StudyFindings | None) -> Evaluation:
        """Return an evaluation, from memory if it is there."""
        if stored.key not in self._cached:
            found = stored()
            self.put(stored.key, people.with_ratings(found) if people else found)
        return self._cached[stored.key]

    def __contains__(self, key: int) -> bool:
        return key in self._cached

    def put(self, key: int, evaluation: Evaluation) -> None:
        """Store an evaluation that was loaded elsewhere."""
        while len(self._cached) >= MAX_CACHED:
            self._cached.pop(next(iter(self._cached)))
        self._cached[key] = evaluation

    def keep(self, keys: Collection[int]) -> None:
        """Remove all but these evaluations."""
        self._cached = {key: one for key, one in self._cached.items() if key in keys}

    def clear(self) -> None:
        """Remove all evaluations."""
        self._cached.clear()
