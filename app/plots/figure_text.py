"""Captions, legends and data of figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

import numpy as np

from jurydesk.app.plots.histogram_bins import histograms
from jurydesk.app.plots.legend import LegendEntry
from jurydesk.app.style import numbers as format
from jurydesk.core.export.items_export import DataColumn
from jurydesk.core.language import translatable, translate, translate_text
from jurydesk.core.model.evaluation import (
    Axis,
    Curve,
    Evaluation,
    Figure,
    FloatArray,
    Heatmap,
    MetricInfo,
)


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


LOW, HIGH = translatable("low"), translatable("high")
"""Ends of a band."""
AnyFigure = Figure | Profile | Distribution
"""Any figure that the figure card can show."""


def summary_line(figure: AnyFigure, evaluation: Evaluation, nouns: tuple[str, str]) -> str:
    """Return a line that describes a figure."""
    match figure:
        case Curve(members=members):
            if members is None:
                return translate("mean")
            drawn = int((~np.isnan(members).all(axis=1)).sum())
            count = format.quantity(drawn, *nouns)
            if not figure.band:
                return translate("mean, {count}", count=count)
            band = translate_text(figure.band)
            return translate("mean, band {band}, {count}", band=band, count=count)
        case Heatmap():
            return translate("click a cell to see its items")
        case Profile(metric=info) | Distribution(metric=info):
            values = evaluation.items.columns[info.name]
            missing = int(np.isnan(values).sum())
            mean = format.number(float(np.nanmean(values)) if missing < len(values) else np.nan)
            if not missing:
                return translate("mean {mean}", mean=mean)
            undefined = format.quantity(missing, *nouns)
            return translate("mean {mean}, {count} undefined", mean=mean, count=undefined)


def legend_entries(
    figure: AnyFigure, evaluation: Evaluation, nouns: tuple[str, str], row: int | None
) -> list[LegendEntry]:
    """Return the legend of a figure, with an entry for the item of `row`."""
    if isinstance(figure, Heatmap):
        return []
    shape: Literal["line", "dashes"] = "line" if isinstance(figure, Profile) else "dashes"
    current = [] if row is None else [LegendEntry(shape, "bad", evaluation.items.ids[row])]
    if isinstance(figure, Profile | Distribution):
        each = translate("each of the {nouns}", nouns=translate_text(nouns[1]))
        return [
            LegendEntry("area", "accent", each),
            LegendEntry("line", "muted", translate("mean")),
            *current,
        ]
    found = [LegendEntry("line", "accent", translate("mean"))]
    if figure.low is not None and figure.high is not None:
        found.append(
            LegendEntry(
                "area", "accent", translate("band {band}", band=translate_text(figure.band)).strip()
            )
        )
    if figure.members is None:
        return found
    drawn = int((~np.isnan(figure.members).all(axis=1)).sum())
    of_all = translate("each of {count}", count=format.quantity(drawn, *nouns))
    return [*found, LegendEntry("line", "muted", of_all), *current]


def item_label(
    figure: Curve | Profile | Distribution,
    evaluation: Evaluation,
    row: int,
    titles: Mapping[str, str],
) -> str:
    """Return the id of an item with the title and value of the figure's metric."""
    items = evaluation.items
    name = figure.value if isinstance(figure, Curve) else figure.metric.name
    if name not in items.columns:
        return items.ids[row]
    value = format.number(float(items.columns[name][row]))
    return f"{items.ids[row]}   {translate_text(titles.get(name, name))} {value}"


def figure_data(
    figure: AnyFigure,
    evaluation: Evaluation,
    noun: str,
    others: Mapping[str, FloatArray] = MappingProxyType({}),
) -> list[DataColumn]:
    """Return the data of a figure by column; `others` are the values of other systems in it."""
    match figure:
        case Curve():
            return _curve_numbers(figure, evaluation.items.ids)
        case Heatmap():
            return heatmap_numbers(figure)
        case Profile(metric=info):
            values = evaluation.items.columns[info.name]
            order = np.argsort(-values, kind="stable").tolist()
            ids = [evaluation.items.ids[row] for row in order]
            return [(noun, ids), (info.title, values[order].tolist())]
        case Distribution(metric=info):
            return _spread_numbers(info, evaluation, others)


def table_data(
    figure: AnyFigure,
    evaluation: Evaluation,
    noun: str,
    others: Mapping[str, FloatArray],
    row: int | None,
) -> list[DataColumn]:
    """Return what the table of a figure shows: its data, with the curve of no item but `row`."""
    match figure:
        case Curve(members=members):
            chosen = None if members is None or row is None else members[[row]]
            ids = () if row is None else (evaluation.items.ids[row],)
            return _curve_numbers(replace(figure, members=chosen), ids)
        case Distribution(metric=info):
            title = translate_text(info.title)
            ends = translate("{title} from", title=title), translate("{title} up to", title=title)
            low, high, *counts = figure_data(figure, evaluation, noun, others)
            return [(ends[0], low[1]), (ends[1], high[1]), *counts]
        case _:
            return figure_data(figure, evaluation, noun, others)


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


def _curve_numbers(curve: Curve, ids: Sequence[str]) -> list[DataColumn]:
    columns: list[DataColumn] = [
        (curve.x_axis.title, curve.x.tolist()),
        ("mean", curve.mean.tolist()),
    ]
    for title, band in ((LOW, curve.low), (HIGH, curve.high)):
        if band is not None:
            columns.append((title, band.tolist()))
    if curve.members is not None:
        columns += [(name, row.tolist()) for name, row in zip(ids, curve.members, strict=True)]
    return columns


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
