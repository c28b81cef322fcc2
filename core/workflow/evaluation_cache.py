"""Cache of the evaluations that were read from a desk last."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jurydesk.core.desk import Desk
    from jurydesk.core.human_evaluation.results.findings import StudyFindings
    from jurydesk.core.model.evaluation import Evaluation

MOST_KEPT = 4
QUICK_ITEMS = 20_000
"""Up to this many items, an evaluation is read without a noticeable delay."""


@dataclass(frozen=True, slots=True)
class StoredEvaluation:
    """An evaluation in a desk, which any thread may load by calling it."""

    desk: Desk
    key: int
    load_evidence: Callable[[Any], Any]

    def __call__(self) -> Evaluation:
        """Load the evaluation."""
        return self.desk.load(self.key, self.load_evidence)


def load_rated(load: Callable[[], Evaluation], people: StudyFindings | None) -> Evaluation:
    """Load an evaluation together with the ratings by people, for a job.

    Raises Cancelled where the desk no longer has it.
    """
    from jurydesk.core.desk.errors import EvaluationGoneError
    from jurydesk.core.execution.run import Cancelled

    try:
        found = load()
    except EvaluationGoneError as gone:
        raise Cancelled from gone
    return found if people is None else people.beside(found)


class EvaluationCache:
    """The evaluations that were asked for last, with what raters said beside the metrics."""

    def __init__(self) -> None:
        self._kept: dict[int, Evaluation] = {}

    def get(self, stored: StoredEvaluation, people: StudyFindings | None) -> Evaluation:
        """An evaluation, from memory where it is there."""
        if stored.key not in self._kept:
            found = stored()
            self.put(stored.key, people.beside(found) if people else found)
        return self._kept[stored.key]

    def __contains__(self, key: int) -> bool:
        return key in self._kept

    def put(self, key: int, evaluation: Evaluation) -> None:
        """Keep one that was read elsewhere."""
        while len(self._kept) >= MOST_KEPT:
            self._kept.pop(next(iter(self._kept)))
        self._kept[key] = evaluation

    def keep(self, keys: Collection[int]) -> None:
        """Forget all but these."""
        self._kept = {key: kept for key, kept in self._kept.items() if key in keys}

    def clear(self) -> None:
        """Forget all."""
        self._kept.clear()
