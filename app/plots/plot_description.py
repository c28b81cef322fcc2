"""What a plot shows, in a sentence for screen readers."""

from __future__ import annotations

import numpy as np

from jurydesk.core.language import translate, translate_text
from jurydesk.core.model.evaluation import Curve, FloatArray, Heatmap
from jurydesk.core.tables.numbers import count, number


def describe_curve(curve: Curve) -> str:
    """Return the ends of a mean curve and its highest point."""
    defined = np.flatnonzero(np.isfinite(curve.mean))
    if not len(defined):
        return translate("There are no values.")
    x, y = curve.x[defined], curve.mean[defined]
    top = int(np.argmax(y))
    return translate(
        "{y}: {first} at {left}, {last} at {right}; highest {most} at {top}.",
        y=translate_text(curve.y_axis.title),
        first=number(float(y[0])),
        left=number(float(x[0]), 2),
        last=number(float(y[-1])),
        right=number(float(x[-1]), 2),
        most=number(float(y[top])),
        top=number(float(x[top]), 2),
    )


def describe_values(values: FloatArray) -> str:
    """Return range, mean and number of the defined values (n,)."""
    defined = values[np.isfinite(values)]
    if not len(defined):
        return translate("There are no values.")
    return translate(
        "Values from {least} to {most}, mean {mean}; {count} in all.",
        least=number(float(defined.min())),
        most=number(float(defined.max())),
        mean=number(float(defined.mean())),
        count=count(len(defined)),
    )


def describe_heatmap(heatmap: Heatmap) -> str:
    """Return the highest cell of a heat map, and the lowest value."""
    values = heatmap.values
    if not np.isfinite(values).any():
        return translate("There are no values.")
    row, column = np.unravel_index(int(np.nanargmax(values)), values.shape)
    x_axis, y_axis = heatmap.x_axis, heatmap.y_axis
    return translate(
        "Highest value {most} at {across} {x}, {down} {y}; lowest {least}.",
        most=number(float(values[row, column]), heatmap.decimals),
        across=translate_text(x_axis.title),
        x=x_axis.labels[column] if x_axis.labels else str(column + 1),
        down=translate_text(y_axis.title),
        y=y_axis.labels[row] if y_axis.labels else str(row + 1),
        least=number(float(np.nanmin(values)), heatmap.decimals),
    )


def describe_pairs(systems: tuple[str, str], x: FloatArray, y: FloatArray) -> str:
    """Return how often each of two systems has the higher value (items,), and their means."""
    defined = np.isfinite(x) & np.isfinite(y)
    if not defined.any():
        return translate("There are no values.")
    x, y = x[defined], y[defined]
    return translate(
        "{first} is higher for {above}, {second} for {below}, equal for {equal}; "
        "means {mean} and {other}.",
        first=systems[0],
        second=systems[1],
        above=count(int((x > y).sum())),
        below=count(int((x < y).sum())),
        equal=count(int((x == y).sum())),
        mean=number(float(x.mean())),
        other=number(float(y.mean())),
    )
