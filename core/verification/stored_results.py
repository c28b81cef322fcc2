"""Results of a desk against those of its inputs, scored again."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.analysis.contradictions import ABSOLUTE_TOLERANCE, RELATIVE_TOLERANCE
from jurydesk.core.language import fill
from jurydesk.core.model.stamp import is_added

if TYPE_CHECKING:
    from jurydesk.core.model.evaluation import Evaluation, FloatArray


def differences_from_inputs(stored: Evaluation, again: Evaluation) -> Iterator[str]:
    """Yield a sentence for each score and column that scoring the inputs does not give."""
    scores = {score.metric: score.value for score in again.scores}
    added = {info.name for info in stored.metrics if is_added(info)}
    for score in (one for one in stored.scores if one.metric not in added):
        value = scores.get(score.metric, math.nan)
        if not _same(np.array([score.value]), np.array([value])):
            yield fill(
                "{system}, {metric}: the desk has {value}, its files give {again}.",
                *(stored.system, score.metric, repr(score.value), repr(value)),
            )
    if list(stored.items.ids) != list(again.items.ids):
        yield fill("{system}: the items are not those of its files.", stored.system)
        return
    for name, column in stored.items.columns.items():
        other = again.items.columns.get(name)
        if name not in added and (other is None or not _same(column, other)):
            yield fill("{system}: the column {name} is not that of its files.", stored.system, name)


def _same(one: FloatArray, other: FloatArray) -> bool:
    tolerances = {"rtol": RELATIVE_TOLERANCE, "atol": ABSOLUTE_TOLERANCE}
    return bool(np.allclose(one, other, equal_nan=True, **tolerances))
