"""Items that this program exported, as a table: their scores, and their groups."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from jurydesk.core.competition.task import GROUP, AnyTask
from jurydesk.core.competition.task_registry import find_competition
from jurydesk.core.language import fill, name_list
from jurydesk.core.model.decoding import DAMAGE
from jurydesk.core.model.defects import Defect, Place, error, note
from jurydesk.core.model.evaluation import ItemTable, Json, MetricInfo
from jurydesk.core.model.stamp import stamped_metrics
from jurydesk.core.readers.foreign_tables.foreign_table import ForeignTable, column_of_texts
from jurydesk.core.tasks.table.score_kinds import own_metrics
from jurydesk.core.tasks.table.table_columns import is_numeric
from jurydesk.core.tasks.table.table_options import TableOptions


def is_exported(table: ForeignTable) -> bool:
    """Return whether the first columns are those of items that this program exported."""
    return [one.name for one in table.columns[:3]] == ["system", "profile", "item"]


def with_own_origin(
    table: ForeignTable, options: TableOptions
) -> tuple[ForeignTable, TableOptions] | Defect:
    """Return items that this program exported with their groups, and the options for them.

    The scores are those that are means of items; a defect if there is none, and a note on the
    others among the defects of the table. Other tables are returned unchanged.
    """
    names = [one.name for one in table.columns]
    if options.score or not is_exported(table):
        return table, options
    origin = _exported_origin(table)
    known = {**own_metrics(origin.task), **origin.metrics}
    scores = tuple(name for name in known if name in names and name in origin.scores)
    if origin.scores and not scores:
        found = "No score of these items is a mean over them."
        hint = "Name columns with --score COLUMN, or score the files again."
        return error(Place(table.path), found, "", hint)
    if combined := sorted(origin.scores - set(scores)):
        found = fill("Left out, as they are not means over items: {names}.", name_list(combined, 8))
        remark = note(Place(table.path), found, "Score the files again for them.")
        table = replace(table, defects=(*table.defects, remark))
    table = _with_groups(table, find_competition(origin.task) if origin.task else None)
    return table, _own_options(scores, known, options)


def _with_groups(table: ForeignTable, task: AnyTask | None) -> ForeignTable:
    """Return the table with a column of the items' groups, which their competition tells."""
    item = table.column("item")
    if task is None or task.scoring.groups is None or item is None or table.column(GROUP):
        return table
    numbers = {one.name: one.values() for one in table.columns if is_numeric(one)}
    try:
        labels = task.scoring.groups(ItemTable(tuple(item.cells()), numbers))
    except (KeyError, AttributeError, TypeError, ValueError):
        return table  # the groups follow from what the table does not have
    if labels is None:
        return table
    return replace(table, columns=(*table.columns, column_of_texts(GROUP, map(str, labels))))


def _own_options(
    scores: tuple[str, ...], known: Mapping[str, MetricInfo], options: TableOptions
) -> TableOptions:
    """Return the options with the scores of a competition that are means of items."""
    if not scores:
        return options
    lower = tuple(name for name in scores if known[name].better == "lower")
    higher = tuple(name for name in scores if known[name].better == "higher")
    limits = {name: known[name].range for name in scores}
    ranges = tuple(f"{name}={low!r}:{high!r}" for name, (low, high) in limits.items())
    return replace(
        options,
        score=scores,
        lower=(*options.lower, *lower),
        higher=(*options.higher, *higher),
        range=(*ranges, *options.range),
    )


@dataclass(frozen=True, slots=True)
class ExportedOrigin:
    """Competition of exported items, the names of all its scores, and means that stamps declare."""

    task: str = ""
    scores: frozenset[str] = frozenset()
    metrics: Mapping[str, MetricInfo] = field(default_factory=dict)


def _exported_origin(table: ForeignTable) -> ExportedOrigin:
    """Return what the settings and stamps of the first row say; nothing without them."""
    task, scores = "", set()
    metrics: dict[str, MetricInfo] = {}
    for column in table.columns:
        text = next(iter(column.texts), "")
        if text.startswith(("{", "[")):
            try:
                found = json.loads(text)
            except (ValueError, RecursionError):
                continue
            if isinstance(found, dict) and isinstance(found.get("task"), str):
                task = found["task"]
            for stamp in found if isinstance(found, list) else ():
                scores |= _score_names(stamp)
                metrics |= _stamped_means(stamp)
    return ExportedOrigin(task, frozenset(scores), metrics)


def _score_names(stamp: Json) -> set[str]:
    given = stamp.get("scores") if isinstance(stamp, dict) else None
    listed = given if isinstance(given, list) else []
    return {str(one.get("metric")) for one in listed if isinstance(one, dict)}


def _stamped_means(stamp: Json) -> dict[str, MetricInfo]:
    """Return the means of items that a stamp declares; none of a damaged one."""
    try:
        metrics = stamped_metrics(stamp) if isinstance(stamp, dict) else ()
    except DAMAGE:
        return {}
    return {info.name: info for info in metrics if info.aggregate == "mean"}
