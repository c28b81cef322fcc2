"""Evaluator of declared competitions: the chosen measures of every item."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from jurydesk.core.execution.run import Run
from jurydesk.core.model.evaluation import (
    Evaluation,
    FloatArray,
    MetricInfo,
    Score,
    SubmissionText,
)
from jurydesk.core.tasks.declared.declaration import DeclaredMetric
from jurydesk.core.tasks.declared.declared_tables import DeclaredReferences, DeclaredResults
from jurydesk.core.tasks.declared.measures import MEASURES, METEOR, ColumnAnswers, declare_measure
from jurydesk.core.tasks.meteor_resources import meteor_resources
from jurydesk.core.tasks.table import table_evaluator
from jurydesk.core.tasks.table.table_options import TableOptions
from jurydesk.core.tasks.table.table_reader import TableSystem


def evaluate_declared(
    references: DeclaredReferences, results: DeclaredResults, run: Run
) -> Evaluation:
    """Score the results of one system and each of its items.

    Raises:
        ResourceMissing: A metric is METEOR, and its language data are not installed.
    """
    declared = references.declared
    infos, columns, scores = [], {}, []
    for number, metric in enumerate(declared.metrics):
        run.check()
        info = _declared(references, metric, first=number == 0)
        values = MEASURES[metric.measure].rows(_answers(references, results, metric.column), run)
        infos.append(info)
        if info.combine is None:
            columns[info.name] = values
        else:
            columns |= {name: values[:, n] for n, name in enumerate(info.statistics)}
            scores.append(Score(info.name, info.combine(values), len(values)))
    rows = np.array(results.items, np.int64)
    means = tuple(info for info in infos if info.combine is None)
    system = TableSystem(
        results.path,
        tuple(references.ids[row] for row in results.items),
        {info.name: columns[info.name] for info in means},
        means,
        references.facts.take(rows),
        results.texts,
        {name: column for name, column in columns.items() if name not in {i.name for i in means}},
    )
    found = table_evaluator.evaluate(system, TableOptions())
    every = {one.metric: one for one in (*found.scores, *scores)}
    ordered = tuple(every[info.name] for info in infos)
    return replace(found, task="declared", scores=ordered, metrics=tuple(infos))


def _declared(references: DeclaredReferences, metric: DeclaredMetric, *, first: bool) -> MetricInfo:
    name = references.declared.metric_name(metric)
    info = declare_measure(name, metric.title, first=first)
    if info is None:
        raise KeyError(name)
    return info


def _answers(
    references: DeclaredReferences, results: DeclaredResults, column: str
) -> ColumnAnswers:
    truths, numbers = references.truths[column], references.numbers.get(column, ())
    none: FloatArray = np.zeros(0)
    return ColumnAnswers(
        results.texts[column],
        [truths[row] for row in results.items],
        results.numbers.get(column, none),
        [numbers[row] for row in results.items] if numbers else (),
    )


def declared_resources(references: DeclaredReferences) -> dict[str, str]:
    """Return the SHA-256 of METEOR's language data, if a metric needs them."""
    measures = {metric.measure for metric in references.declared.metrics}
    return meteor_resources() if METEOR in measures else {}


def answer_texts(
    references: DeclaredReferences, results: DeclaredResults
) -> Iterator[SubmissionText]:
    """Yield every text of a system beside the true ones."""
    for column in references.declared.columns:
        if column.kind == "text":
            truths = references.truths[column.name]
            for row, text in zip(results.items, results.texts[column.name], strict=True):
                yield SubmissionText(references.ids[row], text, truths[row], column.name)
