"""Scored items of FusionBrain and their table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from jurydesk.core.competition.task import GROUP
from jurydesk.core.model.evaluation import FloatArray, ItemTable
from jurydesk.core.tasks.fusionbrain.fusionbrain_evidence import ItemEvidence
from jurydesk.core.tasks.fusionbrain.questions import SubtaskQuestion


@dataclass(frozen=True, slots=True, eq=False)
class FusionBrainItem:
    """A question with its numbers by column, and its evidence on demand."""

    question: SubtaskQuestion
    values: Mapping[str, float]
    evidence: Callable[[], ItemEvidence]


def subtask_items(items: Sequence[FusionBrainItem]) -> ItemTable:
    """Return the item table; columns of other sub-tasks are NaN."""
    names = dict.fromkeys(name for item in items for name in item.values)
    columns = {name: _column(item.values.get(name, np.nan) for item in items) for name in names}
    columns[GROUP] = _groups([item.question for item in items])
    return ItemTable(
        tuple(item.question.id for item in items),
        columns,
        evidence=lambda number: items[number].evidence(),
        noun="item",
    )


def _groups(questions: Sequence[SubtaskQuestion]) -> FloatArray:
    """Return the group number (items,) of every item; questions about one source share it."""
    numbers: dict[tuple[str, str], int] = {}
    return _column(
        numbers.setdefault((one.subtask, one.source or one.key), len(numbers)) for one in questions
    )


def _column(values: Iterable[float]) -> FloatArray:
    return np.fromiter(values, np.float64)


def defined_mean(values: Sequence[float]) -> float:
    """Return the mean of the defined values, summed in their order; NaN without any."""
    known = [value for value in values if value == value]
    return sum(known) / len(known) if known else float("nan")
