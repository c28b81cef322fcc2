"""Figures with classes as tables: a row for each class, a column for each system."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jurydesk.core.language import translatable
from jurydesk.core.model.evaluation import Curve, Evaluation, FloatArray
from jurydesk.core.tables.columns import Column, NumberColumn, TextColumn

SAME, OTHER = translatable("as on the board"), translatable("another order")


@dataclass(frozen=True, slots=True, eq=False)
class ClassValues:
    """Values (classes, systems) of a figure; NaN for a class that a system lacks.

    `ranks` tells whether high values are good: an axis with limits is that of a score.
    """

    title: str
    axis: str
    labels: tuple[str, ...]
    systems: tuple[str, ...]
    values: FloatArray
    ranks: bool

    def keeps_order(self, row: int) -> bool:
        """Return whether the systems, the best of the board first, fall from left to right."""
        known = self.values[row][np.isfinite(self.values[row])]
        return bool((np.diff(known) <= 0).all())


def class_values(evaluations: Sequence[Evaluation]) -> list[ClassValues]:
    """Return the classes of every figure that has some, for evaluations in the board's order."""
    figures: dict[str, dict[int, Curve]] = {}
    for number, one in enumerate(evaluations):
        for figure in one.figures:
            if isinstance(figure, Curve) and figure.form == "bars":
                figures.setdefault(figure.name, {})[number] = figure
    return [_joined(evaluations, curves) for curves in figures.values()]


def _joined(evaluations: Sequence[Evaluation], curves: dict[int, Curve]) -> ClassValues:
    labels = tuple(dict.fromkeys(label for one in curves.values() for label in one.x_axis.labels))
    values = np.full((len(labels), len(evaluations)), np.nan)
    for number, curve in curves.items():
        rows = [labels.index(label) for label in curve.x_axis.labels]
        values[rows, number] = curve.mean
    first = next(iter(curves.values()))
    systems = tuple(one.system for one in evaluations)
    ranks = first.y_axis.limits is not None and len(systems) > 1
    return ClassValues(first.title, first.y_axis.title, labels, systems, values, ranks)


def class_columns(found: ClassValues) -> list[Column]:
    """Return the columns of a table; of scores, whether the order of systems is the board's."""
    labels = TextColumn("class", translatable("Class"), list(found.labels), is_prose=True)
    columns: list[Column] = [labels]
    columns += [
        NumberColumn(f"system {number}", name, found.values[:, number], decimals=4)
        for number, name in enumerate(found.systems)
    ]
    if found.ranks:
        orders = [SAME if found.keeps_order(row) else OTHER for row in range(len(found.labels))]
        columns.append(TextColumn("order", translatable("Order of systems"), orders, is_prose=True))
    return columns
