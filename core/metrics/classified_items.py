"""Average precision of items that are ranked by a number and are right or wrong."""

from __future__ import annotations

import math

import numpy as np

from jurydesk.core.model.evaluation import FloatArray


def average_precision_of_scores(rows: FloatArray) -> float:
    """Return the average precision of rows (items, 2) of a number and a label of 0 or 1.

    Items of equal numbers count at once: the sum over distinct numbers, from the highest, of the
    gain of recall times the precision. NaN without a right item. Source: scikit-learn,
    `average_precision_score`.
    """
    scores, labels = rows[np.isfinite(rows).all(axis=1)].T
    right = labels.sum()
    if not right:
        return math.nan
    order = np.argsort(-scores, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(scores[order])), len(order) - 1)
    hits = np.cumsum(labels[order])[ends]
    precision, recall = hits / (ends + 1), hits / right
    return float(np.diff(recall, prepend=0.0) @ precision)
