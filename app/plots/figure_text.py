"""Captions and legends of figures."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

import numpy as np

from jurydesk.app.plots.legend import LegendEntry
from jurydesk.core.export.tables.figure_tables import (
    AnyFigure,
    Distribution,
    Profile,
    curve_numbers,
    figure_table,
)
from jurydesk.core.language import translatable, translate, translate_text
from jurydesk.core.model.evaluation import Curve, Evaluation, FloatArray, Heatmap, Scatter
from jurydesk.core.tables import numbers as format
from jurydesk.core.tables.columns import DataColumn

MEAN, EQUAL = translatable("mean"), translatable("equal values")
"""Meaning of the grey line of a plot."""


def summary_line(figure: AnyFigure, evaluation: Evaluation, nouns: tuple[str, str]) -> str:
    """Return a line that describes a figure."""
    match figure:
        case Curve(form="bars"):
            return translate("mean of each class, the highest first")
        case Scatter():
            drawn = _drawn_points(figure, evaluation)
            return format.quantity(drawn, *nouns)
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


def _drawn_points(figure: Scatter, evaluation: Evaluation) -> int:
    both = (evaluation.items.columns[name] for name in (figure.x, figure.y))
    return int(np.isfinite(sum(both, start=np.zeros(len(evaluation.items)))).sum())


def legend_entries(
    figure: AnyFigure, evaluation: Evaluation, nouns: tuple[str, str], current: str
) -> list[LegendEntry]:
    """Return the legend of a figure, with an entry for the item named `current`, if any."""
    if isinstance(figure, Heatmap):
        return []
    shape: Literal["line", "dashes"] = "line" if isinstance(figure, Profile) else "dashes"
    own = [LegendEntry(shape, "bad", current)] if current else []
    if isinstance(figure, Profile | Distribution | Scatter):
        line = EQUAL if isinstance(figure, Scatter) else MEAN
        each = translate("each of the {nouns}", nouns=translate_text(nouns[1]))
        return [
            LegendEntry("area", "accent", each),
            LegendEntry("line", "muted", translate(line)),
            *own,
        ]
    band = translate_text(figure.band)
    if figure.form == "bars":
        of_all = translate("mean of all {nouns}", nouns=translate_text(nouns[1]))
        center = [] if math.isnan(figure.overall) else [LegendEntry("dashes", "muted", of_all)]
        return [LegendEntry("line", "muted", band), *center]
    found = [LegendEntry("line", "accent", translate("mean"))]
    if figure.low is not None and figure.high is not None:
        found.append(LegendEntry("area", "accent", translate("band {band}", band=band).strip()))
    if figure.members is None:
        return found
    drawn = int((~np.isnan(figure.members).all(axis=1)).sum())
    of_all = translate("each of {count}", count=format.quantity(drawn, *nouns))
    return [*found, LegendEntry("line", "muted", of_all), *own]


def item_label(
    figure: Curve | Profile | Distribution | Scatter,
    evaluation: Evaluation,
    row: int,
    titles: Mapping[str, str],
    item: str,
) -> str:
    """Return the name of an item with the title and value of the figure's metric."""
    items = evaluation.items
    match figure:
        case Curve(value=name) | Scatter(y=name):
            pass
        case _:
            name = figure.metric.name
    if name not in items.columns:
        return item
    value = format.number(float(items.columns[name][row]))
    return f"{item}   {translate_text(titles.get(name, name))} {value}"


def table_data(
    figure: AnyFigure,
    evaluation: Evaluation,
    others: Mapping[str, FloatArray],
    row: int | None,
) -> list[DataColumn]:
    """Return what the table of a figure shows: its data, with the curve of no item but `row`."""
    match figure:
        case Curve(members=members):
            chosen = None if members is None or row is None else members[[row]]
            ids = () if row is None else (evaluation.items.ids[row],)
            return curve_numbers(replace(figure, members=chosen), ids)
        case Distribution(metric=info):
            title = translate_text(info.title)
            ends = translate("{title} from", title=title), translate("{title} up to", title=title)
            low, high, *counts = figure_table(figure, evaluation, others)
            return [(ends[0], low[1]), (ends[1], high[1]), *counts]
        case _:
            return figure_table(figure, evaluation, others)
