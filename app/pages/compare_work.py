"""The sides of the Compare page, and what it reads of other systems in the background."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.views.inspectors import InspectedItem, inspected
from core.desk.errors import DeskError
from core.entries import Entries, entries
from core.model import Evaluation, MetricInfo
from core.task import Inputs

if TYPE_CHECKING:
    from app.jobs import Tell
    from core.desk import Desk, Summary
    from core.run.run import Run
    from core.tasks.registry import AnyTask


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """One system of the comparison: its evaluation, and its items (or units) by their ids."""

    evaluation: Evaluation
    entries: Entries
    places: Mapping[str, int]

    @classmethod
    def of(cls, task: AnyTask, evaluation: Evaluation) -> Side:
        """The side of a system."""
        found = entries(task, evaluation.items, evaluation.profile)
        return cls(evaluation, found, {key: place for place, key in enumerate(found.ids)})

    def row(self, key: str) -> int:
        """The item that shows what goes by that id."""
        return int(self.entries.rows[self.places[key]])

    def inspected(self, key: str, folders: Inputs) -> InspectedItem | None:
        """The item as an inspector takes it; None where the system has no evidence of it.

        Also where the system was scored again meanwhile, by a job whose end is not told yet.
        """
        try:
            return inspected(self.evaluation, self.row(key), folders)
        except DeskError:
            return None


def read_field(
    desk: Desk,
    task: AnyTask,
    metric: MetricInfo,
    summaries: Sequence[Summary],
    run: Run,
    tell: Tell,
) -> dict[str, Entries]:
    """The items of these systems with the metric's column."""
    from core.desk.columns import item_columns

    wanted = (metric.name,) if task.units is None else None
    found = {}
    for one in summaries:
        run.report(len(found), len(summaries), f"reading {one.system}")
        found[one.system] = entries(task, item_columns(desk, one.id, wanted), one.profile)
    return found
