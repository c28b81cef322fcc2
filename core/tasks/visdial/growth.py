"""How a measure changes with the number of answers that a system may give to a question."""

from __future__ import annotations

import numpy as np

from core.model import Axis, Curve, FloatArray
from core.tasks.visdial.metrics import HEADLINES, METRICS
from core.tasks.visdial.pairing import Layout, Measures


def growth_curves(layout: Layout, answers: Measures) -> tuple[Curve, ...]:
    """A curve for each headline measure; none where every question has one answer.

    `answers` holds the values of every filled answer.
    """
    titles = {info.name: info.title for info in METRICS}
    curves = (
        _curve(layout, name, titles[name], answers[name]) for name in HEADLINES if name in answers
    )
    return tuple(curve for curve in curves if curve is not None)


def _curve(layout: Layout, name: str, title: str, values: FloatArray) -> Curve | None:
    """The mean over the first answers, between the worst and the best of them."""
    table = _by_answer(layout, values)
    if table.shape[1] < 2:
        return None
    known = np.cumsum(~np.isnan(table), axis=1)
    with np.errstate(invalid="ignore"):
        running = np.nancumsum(table, axis=1) / np.where(known > 0, known, np.nan)
    numbers = np.arange(1.0, table.shape[1] + 1)
    ticks = tuple(numbers.tolist()) if len(numbers) <= 10 else ()
    low, high = _mean(np.fmin.accumulate(table, axis=1)), _mean(np.fmax.accumulate(table, axis=1))
    return Curve(
        name=f"{name}_by_answers",
        title=f"{title} by answers",
        x_axis=Axis("first answers of each question", ticks=ticks),
        y_axis=Axis(title, limits=(float(low[-1]), float(high[-1]))),
        x=numbers,
        mean=_mean(running),
        low=low,
        high=high,
        band="from the worst to the best of them",
        members=running,
        value=name,
    )


def _by_answer(layout: Layout, values: FloatArray) -> FloatArray:
    """The values (questions, most answers) of the filled answers in order; NaN where none."""
    owner = layout.question[layout.filled]
    starts = np.searchsorted(owner, np.arange(len(layout.questions)))
    place = np.arange(len(owner)) - starts[owner]
    table = np.full((len(layout.questions), int(place.max(initial=-1)) + 1), np.nan)
    table[owner, place] = values
    return table


def _mean(table: FloatArray) -> FloatArray:
    """The mean (answers,) over the questions that have any answer."""
    return np.asarray(table[~np.isnan(table[:, 0])].mean(axis=0))
