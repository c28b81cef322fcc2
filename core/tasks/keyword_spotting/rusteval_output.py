"""Output in rusteval's format: one line per query, then the means."""

from __future__ import annotations

import math

import numpy as np

from jurydesk.core.model.evaluation import ItemTable
from jurydesk.core.readers.natural_order import natural_order

COLUMNS = ("precAt5", "precAt10", "ap")
DOUBLE_LINE = "=" * 71
SINGLE_LINE = "-" * 72


def query_table(items: ItemTable) -> str:
    """Return rusteval's table; AP and nDCG of each query where a protocol has no precision at k."""
    if all(name in items.columns for name in COLUMNS):
        return rusteval_table(items)
    names = [name for name in ("AP", "NDCG") if name in items.columns]
    lines = ["\t".join(("query", *names))]
    for i in natural_order(items.ids):
        values = (rusteval_number(float(items.columns[name][i])) for name in names)
        lines.append("\t".join((items.ids[i], *values)))
    return "\n".join(lines)


def rusteval_table(items: ItemTable) -> str:
    """Return the table of rusteval 0.5.0 for these queries, in natural order.

    Layout, digits and tabs are rusteval's; its order of queries and columns is random. A query
    with undefined measures is NaN and excluded from the means.
    """
    values = np.column_stack([items.columns[name] for name in COLUMNS])
    heads = "".join(f"{name:<16}" for name in COLUMNS)
    lines = ["\t\t" + heads, DOUBLE_LINE]
    for i in natural_order(items.ids):
        lines.append(items.ids[i] + "".join(f"\t\t{rusteval_number(value)}" for value in values[i]))
    means = "".join(f"{rusteval_number(rusteval_mean(column))}\t\t" for column in values.T)
    return "\n".join([*lines, SINGLE_LINE, f"MEAN:\t\t{heads}", DOUBLE_LINE, f"\t\t{means}"])


def rusteval_mean(column: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    """Return the mean of the defined values; NaN without any."""
    defined = column[~np.isnan(column)]
    return float(defined.mean()) if len(defined) else math.nan


def rusteval_number(value: float) -> str:
    """Return a number as rusteval prints it."""
    return "NaN" if math.isnan(value) else f"{value:.5f}"
