"""Data of figures as tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from jurydesk.core.export.export_settings import ExportOrigin, table_origin
from jurydesk.core.export.tables.histogram_bins import histograms
from jurydesk.core.language import translatable
from jurydesk.core.model.evaluation import (
    Axis,
    Curve,
    Evaluation,
    Figure,
    FloatArray,
    Heatmap,
    Json,
    MetricInfo,
    Scatter,
    Source,
)
from jurydesk.core.tables.columns import DataColumn

FIGURE = "figure table"
"""Kind of the table; a format has the form after it."""
SCALE, SCORES = "figure scale", "scores"
"""Setting of exports whose figures are on the scale of the scores; earlier ones lack it."""
LOW, HIGH = translatable("low"), translatable("high")
"""Ends of a band."""


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """Sorted values of a metric over the items, a figure of every evaluation."""

    metric: MetricInfo
    title: str


@dataclass(frozen=True, slots=True, eq=False)
class Distribution:
    """Distribution of a metric over the items, a figure of every evaluation."""

    metric: MetricInfo
    title: str


AnyFigure = Figure | Profile | Distribution | Scatter
"""Any figure that can be shown of an evaluation."""


def figure_setting(figure: AnyFigure, evaluation: Evaluation) -> Json:
    """Return what names a figure: its number among the evaluation's, or a metric.

    A figure in another form than the evaluation's is on the scale of the scores.
    """
    match figure:
        case Profile(metric=info):
            return {"profile": info.name}
        case Distribution(metric=info):
            return {"distribution": info.name}
        case Scatter(name=name):
            return {"scatter": name}
    number = next(n for n, one in enumerate(evaluation.figures) if one.name == figure.name)
    is_stored = evaluation.figures[number] is figure
    return {"number": number} if is_stored else {"number": number, SCALE: SCORES}


def figure_of_setting(
    setting: Mapping[str, Json],
    evaluation: Evaluation,
    metrics: Mapping[str, MetricInfo],
    shown: Callable[[Evaluation], Sequence[Figure]],
    scatters: Sequence[Scatter] = (),
) -> AnyFigure:
    """Return the figure of a setting; raises KeyError or IndexError if there is none.

    `shown` returns the evaluation's figures on the scale of the scores.
    """
    if "scatter" in setting:
        return {one.name: one for one in scatters}[setting["scatter"]]
    if "profile" in setting:
        return Profile(metrics[setting["profile"]], "")
    if "distribution" in setting:
        return Distribution(metrics[setting["distribution"]], "")
    number = int(setting["number"])
    if number < 0:
        raise IndexError(number)
    figures = shown(evaluation) if setting.get(SCALE) == SCORES else evaluation.figures
    return figures[number]


def figure_export(
    kind: str,
    figure: AnyFigure,
    evaluation: Evaluation,
    others: Mapping[str, FloatArray],
    stamps: Sequence[Json],
    ratings: Source | None,
    **values: Json,
) -> tuple[list[DataColumn], ExportOrigin | None]:
    """Return the data of a figure, and its origin, with the settings `values`.

    `stamps` are those of the other systems.
    """
    columns = figure_table(figure, evaluation, others)
    count = len(columns[0][1])
    origin = table_origin(
        *(kind, evaluation.task, [evaluation.stamp, *stamps], np.arange(count), count, ratings),
        figure=figure_setting(figure, evaluation),
        **values,
    )
    return columns, origin


def figure_table(
    figure: AnyFigure,
    evaluation: Evaluation,
    others: Mapping[str, FloatArray] = MappingProxyType({}),
) -> list[DataColumn]:
    """Return the data of a figure by column; `others` are the values of other systems in it."""
    match figure:
        case Curve():
            return curve_numbers(figure, evaluation.items.ids)
        case Heatmap():
            return heatmap_numbers(figure)
        case Profile(metric=info):
            values = evaluation.items.columns[info.name]
            order = np.argsort(-values, kind="stable").tolist()
            ids = [evaluation.items.ids[row] for row in order]
            return [("item", ids), (info.title, values[order].tolist())]
        case Distribution(metric=info):
            return _spread_numbers(info, evaluation, others)
        case Scatter():
            items = evaluation.items
            axes = ((figure.x_axis, figure.x), (figure.y_axis, figure.y))
            both = [(axis.title, items.columns[name].tolist()) for axis, name in axes]
            return [("item", list(items.ids)), *both]


def _spread_numbers(
    info: MetricInfo, evaluation: Evaluation, others: Mapping[str, FloatArray]
) -> list[DataColumn]:
    systems = {evaluation.system: evaluation.items.columns[info.name], **others}
    shapes = histograms(tuple(systems.values()), info.range)
    names = list(systems) if others else [evaluation.items.noun]
    return [
        (f"{info.title} from", shapes[0].edges[:-1].tolist()),
        (f"{info.title} to", shapes[0].edges[1:].tolist()),
        *((name, one.counts.tolist()) for name, one in zip(names, shapes, strict=True)),
    ]


def curve_numbers(curve: Curve, ids: Sequence[str]) -> list[DataColumn]:
    """Return the points of a curve, its band, and the curves of the items `ids`."""
    is_bars = curve.form == "bars"
    columns: list[DataColumn] = [
        ("class", list(curve.x_axis.labels)) if is_bars else (curve.x_axis.title, curve.x.tolist()),
        ("mean", curve.mean.tolist()),
    ]
    for title, band in ((LOW, curve.low), (HIGH, curve.high)):
        if band is not None:
            columns.append((title, band.tolist()))
    if curve.members is not None:
        columns += [(name, row.tolist()) for name, row in zip(ids, curve.members, strict=True)]
    return columns


def curve_line(curve: Curve, x: FloatArray, values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the line of a curve through values (..., n) at `x` (n,), with the corners of steps."""
    if curve.form != "steps" or not len(x):
        return x, values
    return np.repeat(x, 2)[:-1], np.repeat(values, 2, axis=-1)[..., 1:]


def heatmap_numbers(heatmap: Heatmap) -> list[DataColumn]:
    """Return the cells of a heat map by column, after the labels of its rows."""
    rows, columns = heatmap.values.shape
    down = [tick_label(heatmap.y_axis, row) for row in range(rows)]
    found: list[DataColumn] = [(heatmap.y_axis.title, down)]
    if heatmap.lead is not None:
        found.append((heatmap.lead_label, heatmap.lead.tolist()))
    for column in range(columns):
        title = f"{heatmap.x_axis.title} {tick_label(heatmap.x_axis, column)}"
        found.append((title, heatmap.values[:, column].tolist()))
    return found


def tick_label(axis: Axis, index: int) -> str:
    """Return the label of a row or column of a heat map, or else its number."""
    return axis.labels[index] if index < len(axis.labels) else str(index + 1)
