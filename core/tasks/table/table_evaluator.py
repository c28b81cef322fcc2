"""Evaluator of a table of results: means of the scores as the table has them."""

from __future__ import annotations

import hashlib
import math

import numpy as np

from jurydesk.core.competition.task import GROUP
from jurydesk.core.model.evaluation import (
    Evaluation,
    FloatArray,
    ItemTable,
    MetricInfo,
    Score,
    weighted_mean,
)
from jurydesk.core.tasks.table.score_kinds import WEIGHT
from jurydesk.core.tasks.table.table_evidence import evidence_of
from jurydesk.core.tasks.table.table_options import TableOptions
from jurydesk.core.tasks.table.table_reader import TableSystem


def evaluate(system: TableSystem, options: TableOptions) -> Evaluation:
    """Return the mean of each score, weighted if the items have weights."""
    columns = dict(system.scores)
    weights = system.facts.weights
    if weights is not None:
        columns[WEIGHT] = weights
    if system.facts.groups is not None:
        pairs = zip(system.facts.groups, system.ids, strict=True)
        columns[GROUP] = np.array([group_number(label, key) for label, key in pairs])
    columns |= {name: values for name, values in system.statistics.items() if name not in columns}
    items = ItemTable(system.ids, columns, evidence_of(system), "item")
    scores = tuple(_score(info, columns, weights) for info in system.metrics)
    return Evaluation("table", "", options.profile, scores, items, metrics=system.metrics)


def _score(info: MetricInfo, columns: dict[str, FloatArray], weights: FloatArray | None) -> Score:
    values = columns[info.name]
    defined = np.isfinite(values) if weights is None else np.isfinite(values) & (weights > 0)
    found = values[defined]
    if not len(found):
        return Score(info.name, math.nan, 0)
    if weights is None:
        return Score(info.name, float(found.mean()), len(found), float(found.std()))
    rows = np.column_stack([values, weights])
    return Score(info.name, weighted_mean(rows), len(found), float(found.std()))


def group_number(label: str, item: str) -> float:
    """Return a number for a group that is the same in every file.

    It is the group's own number, else 48 bits of a hash; an item without a group is one of its own.
    """
    try:
        number = float(label)
    except ValueError:
        number = math.nan
    if number.is_integer() and abs(number) < 2**52:
        return number
    text = f"group {label}" if label else f"item {item}"
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
    return float(int.from_bytes(digest[:6], "big"))
