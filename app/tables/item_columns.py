"""Columns of an evaluation's items, and a sentence that summarizes a metric."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from jurydesk.core.analysis.reliability import few_groups
from jurydesk.core.competition.task import AnyTask, Inputs, Statistic
from jurydesk.core.competition.task_registry import find_competition
from jurydesk.core.language import Message, fill, translatable, translate, translate_text
from jurydesk.core.model.evaluation import (
    Aggregate,
    BoolArray,
    Evaluation,
    FloatArray,
    MetricInfo,
    Score,
)
from jurydesk.core.tables import numbers as format
from jurydesk.core.tables.columns import Column, NumberColumn, TextColumn

LOW_SHARE = 0.2
"""Items in the lowest fifth of a metric's range are counted as poor."""
NONE_BELOW = translatable("none is below {limit:g}")
ONE_BELOW = translatable("{items} is below {limit:g}")
SEVERAL_BELOW = translatable("{items} are below {limit:g}")
NONE_ABOVE = translatable("none is above {limit:g}")
ONE_ABOVE = translatable("{items} is above {limit:g}")
SEVERAL_ABOVE = translatable("{items} are above {limit:g}")
OVER: dict[Aggregate, str] = {
    "mean": translatable("Mean over {count}"),
    "sum": translatable("Total over {count}"),
    "own": translatable("Over {count}"),
}
"""What a score is of its items, by its aggregate."""
SHOWN_AT_FIRST = 4
"""Number of columns shown by default."""


def headline_item_metric(
    evaluation: Evaluation, metrics: Sequence[MetricInfo], rank_by: str = ""
) -> MetricInfo | None:
    """Return the metric that ranks the systems, or else the first with a column of items."""
    found = [info for info in metrics if info.name in evaluation.items.columns]
    ordered = sorted(found, key=lambda info: (info.name != rank_by, not info.headline))
    return next(iter(ordered), None)


def available_metrics(task: AnyTask, evaluation: Evaluation) -> list[MetricInfo]:
    """Return the metrics that a task declares, then other metrics with scores."""
    known = {info.name for info in task.scoring.metrics}
    names = (score.metric for score in evaluation.scores if score.metric not in known)
    return [*task.scoring.metrics, *filter(None, map(task.scoring.metric_named, names))]


def input_folders(task: AnyTask, inputs: Inputs) -> Inputs:
    """Return the existing folders (of images) among the inputs, by role."""
    roles = [entry.role for entry in task.inputs if entry.kind == "folder"]
    found = {role: [path for path in inputs.get(role, ()) if path.is_dir()] for role in roles}
    return {role: paths for role, paths in found.items() if paths}


def item_columns(
    evaluation: Evaluation, metrics: Sequence[MetricInfo], noun: str, rank_by: str = ""
) -> tuple[Column, ...]:
    """Return columns of the ids, of the metric that ranks, of the others, and of the statistics.

    The headings are the metrics' titles; tooltips contain the names, which exports and the search
    line use.
    """
    items = evaluation.items
    known = {info.name: info for info in metrics}
    main = headline_item_metric(evaluation, metrics, rank_by)
    names = dict.fromkeys([*([main.name] if main else []), *known, *items.columns])
    order = [name for name in names if name in items.columns]
    ids = TextColumn("item", fill("{noun:capital}", Message(noun)), items.ids)
    return (ids, *number_columns(evaluation, metrics, order))


def number_columns(
    evaluation: Evaluation, metrics: Sequence[MetricInfo], names: Iterable[str]
) -> list[NumberColumn]:
    """Return the items' columns of these names, with titles and tooltips."""
    known = {info.name: info for info in metrics}
    task = find_competition(evaluation.task)
    statistics = task.presentation.statistics if task is not None else {}
    columns = evaluation.items.columns
    return [
        _number_column(name, columns[name], known.get(name), statistics.get(name)) for name in names
    ]


def _number_column(
    name: str, values: FloatArray, info: MetricInfo | None, statistic: Statistic | None
) -> NumberColumn:
    title, tooltip = column_heading(name, info, statistic)
    decimals = info.decimals if info else 0 if _has_whole_numbers(values) else 4
    doubt = info.doubt if info else ""
    tooltip = "\n".join(filter(None, (translate_text(doubt), tooltip)))
    doubtful = range(len(values) if doubt else 0)
    return NumberColumn(name, title, values, decimals=decimals, tooltip=tooltip, doubtful=doubtful)


def column_heading(
    name: str, info: MetricInfo | None, statistic: Statistic | None = None
) -> tuple[str, str]:
    """Return the title and the tooltip of a column of the items."""
    plain = name.replace("_", " ")
    title, summary = plain[:1].upper() + plain[1:], ""
    if info is not None:
        title, summary = item_title(info), info.summary
    elif statistic is not None:
        title, summary = statistic.title, statistic.summary
    in_files = translate("In files and in the search line: {name}", name=name)
    return title, "\n".join(filter(None, (translate_text(summary), in_files)))


def _has_whole_numbers(values: FloatArray) -> bool:
    defined = values[np.isfinite(values)]
    return bool((defined == np.floor(defined)).all())


def default_columns(
    columns: Sequence[Column], metrics: Sequence[MetricInfo], most: int = SHOWN_AT_FIRST
) -> frozenset[str]:
    """Return the number columns shown by default: ranking metrics, the headline first."""
    ranking = {info.name for info in metrics if info.better != "neither"}
    numbers = [column.name for column in columns if isinstance(column, NumberColumn)]
    chosen = [name for name in numbers if name in ranking] or numbers
    return frozenset(chosen[:most])


def item_title(info: MetricInfo) -> str:
    """Return a metric's title for a single item, such as AP for Mean AP."""
    if info.aggregate != "mean" or not info.title.startswith("Mean "):
        return info.title
    title = info.title.removeprefix("Mean ")
    return title[:1].upper() + title[1:]


def summarize_metric(evaluation: Evaluation, info: MetricInfo, nouns: tuple[str, str]) -> str:
    """Summarize a metric's column in a sentence or two, below a title that has its score."""
    values = evaluation.items.columns[info.name]
    defined = values[~np.isnan(values)]
    if not len(defined):
        return translate(
            "{title} is defined for none of the {count}.",
            title=translate_text(info.title),
            count=format.quantity(len(values), *nouns),
        )
    score = next((one for one in evaluation.scores if one.metric == info.name), None)
    over = translate(OVER[info.aggregate], count=format.quantity(len(defined), *nouns))
    first = ", ".join(filter(None, (over, _interval_text(score, info))))
    parts = [
        part for part in (_poor_text(defined, info, nouns), _undefined_text(values, nouns)) if part
    ]
    sentence = f"{first}; {', '.join(parts)}." if parts else f"{first}."
    return add_doubt(sentence, info)


def add_doubt(sentence: str, metric: MetricInfo | None) -> str:
    """Return a sentence on a metric, followed by why its values are not reliable, if so."""
    doubt = "" if metric is None else metric.doubt
    return f"{sentence} {translate_text(doubt)}" if doubt else sentence


def _interval_text(score: Score | None, info: MetricInfo) -> str:
    """Return the interval of a score as text, with the sign of one of few groups."""
    if score is None or score.interval is None or info.doubt:
        return ""
    limits = score.interval
    low, high = (format.number(end, info.decimals) for end in (limits.low, limits.high))
    level = format.percent(limits.level)
    shown = translate("{level} interval {low} to {high}", level=level, low=low, high=high)
    return f"{shown}{format.FEW}" if few_groups(score) else shown


def _poor_text(defined: FloatArray, info: MetricInfo, nouns: tuple[str, str]) -> str:
    """Return the number of items in the worst fifth of the metric's range, as text.

    If most items are there, they do not use the range, and nothing is said.
    """
    low, high = info.range
    if info.better == "neither" or not (math.isfinite(low) and math.isfinite(high)):
        return ""
    if info.better == "higher":
        limit = low + LOW_SHARE * (high - low)
        count = int((defined < limit).sum())
        none, one, many = NONE_BELOW, ONE_BELOW, SEVERAL_BELOW
    else:
        limit = high - LOW_SHARE * (high - low)
        count = int((defined > limit).sum())
        none, one, many = NONE_ABOVE, ONE_ABOVE, SEVERAL_ABOVE
    if count > len(defined) / 2:
        return ""
    sentence = many if count > 1 else one if count else none
    return translate(sentence, items=format.quantity(count, *nouns), limit=limit)


def _undefined_text(values: FloatArray, nouns: tuple[str, str]) -> str:
    count = int(np.isnan(values).sum())
    return translate("{count} undefined", count=format.quantity(count, *nouns)) if count else ""


def distance_to(wanted: BoolArray, place: int, direction: int) -> int:
    """Return the distance, down (1) or up (-1), to the next wanted place (n,), or 0."""
    others = np.flatnonzero(wanted)
    ahead = others[others > place][:1] if direction > 0 else others[others < place][-1:]
    return int(ahead[0]) - place if len(ahead) else 0
