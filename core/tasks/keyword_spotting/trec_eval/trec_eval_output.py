"""Output in trec_eval's format: measure, query (or `all`) and value per line."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from jurydesk.core.metrics.ranking.precision import GEOMETRIC_FLOOR
from jurydesk.core.model.evaluation import FloatArray
from jurydesk.core.tasks.keyword_spotting.trec_eval.trec_eval_measures import (
    GEOMETRIC,
    NUMBER_OF_QUERIES,
    RELEVANCE_STRING,
    RUN_ID,
    RequestedMeasure,
)

MISSING_Z_SCORE = -1_000_000.0
"""Z-score of a query and measure without a mean and deviation."""

ZScores = Mapping[tuple[str, str], tuple[float, float]]
"""Mean and deviation by query and measure."""


@dataclass(frozen=True, slots=True, eq=False)
class TrecEvalTable:
    """Values of the evaluated queries, in the order of printing, with the relevance strings.

    `count` is the number of queries averaged; those without a row count as 0. `totals` are sums
    that do not follow from the rows. `is_z_score` marks deviations in place of values.
    """

    run_name: str
    queries: Sequence[str]
    values: Mapping[str, FloatArray]
    count: int
    strings: Mapping[str, Sequence[str]] = field(default_factory=dict)
    totals: Mapping[str, float] = field(default_factory=dict)
    is_z_score: bool = False


def trec_eval_lines(
    table: TrecEvalTable,
    measures: Sequence[RequestedMeasure],
    *,
    per_query: bool,
    summary: bool = True,
) -> Iterator[str]:
    """Yield trec_eval's lines: of the queries, then of all."""
    for row, query in enumerate(table.queries) if per_query else ():
        for measure in measures:
            if measure.base == RELEVANCE_STRING:
                yield f"{measure.name:<22}\t{query}\t'{table.strings[measure.name][row]}'"
            elif measure.is_for_queries:
                yield _line(table, measure, query, float(table.values[measure.name][row]))
    for measure in measures if summary else ():
        if measure.base == RUN_ID:
            yield f"{measure.name:<22}\tall\t{table.run_name}"
        elif measure.base == NUMBER_OF_QUERIES:
            yield _line(table, measure, "all", table.count)
        elif measure.base != RELEVANCE_STRING:
            yield _line(table, measure, "all", _total(table, measure))


def _total(table: TrecEvalTable, measure: RequestedMeasure) -> float:
    if measure.base in table.totals:
        return table.totals[measure.base]
    values = table.values[measure.name]
    total = float(np.cumsum(values)[-1]) if len(values) else 0.0  # one after another, as in C
    if measure.is_count:
        return total
    if measure.base in GEOMETRIC:
        missing = (table.count - len(values)) * math.log(GEOMETRIC_FLOOR)
        return math.exp((total + missing) / table.count)
    return total / table.count


def _line(table: TrecEvalTable, measure: RequestedMeasure, query: str, value: float) -> str:
    """Format a line: counts as integers, other values and z-scores with four decimals."""
    if table.is_z_score:
        shown = "   nan" if math.isnan(value) else _decimals(value)
        return f"Z{measure.name:<22}\t{query}\t{shown}"
    is_integer = measure.is_count or measure.base == NUMBER_OF_QUERIES
    shown = f"{math.trunc(value)}" if is_integer else _decimals(value)
    return f"{measure.name:<22}\t{query}\t{shown}"


def _decimals(value: float) -> str:
    return "  -nan" if math.isnan(value) else f"{value:6.4f}"  # as printf on x86


def relevance_string(gains: Mapping[int, float], listed: int, length: int) -> str:
    """Return a character per rank up to `length`: the relevance, `>` above 9.

    A document outside the pool is `-`, one in the pool without a judgement `.`.
    """
    ranks = range(1, min(listed, length) + 1)
    return "".join(_relevance_character(gains.get(rank, math.nan)) for rank in ranks)


def _relevance_character(gain: float) -> str:
    if math.isnan(gain):
        return "-"
    if gain < 0:
        return "."
    return ">" if gain >= 10 else str(int(gain))


def z_scores(
    table: Mapping[str, FloatArray], queries: Sequence[str], scores: ZScores
) -> dict[str, FloatArray]:
    """Return the values as deviations from the mean of their query and measure."""
    return {
        name: np.array(
            [
                _z_score(value, scores.get((query, name)))
                for query, value in zip(queries, values.tolist(), strict=True)
            ]
        )
        for name, values in table.items()
    }


def _z_score(value: float, known: tuple[float, float] | None) -> float:
    if known is None:
        return MISSING_Z_SCORE
    mean, deviation = known
    if deviation:
        return (value - mean) / deviation
    return 0.0 if value == mean else MISSING_Z_SCORE
