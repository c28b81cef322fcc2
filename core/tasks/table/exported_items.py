"""Items that this program exported, as a table: their scores, and their groups."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import replace

from jurydesk.core.competition.task import GROUP, AnyTask
from jurydesk.core.competition.task_registry import find_competition
from jurydesk.core.model.evaluation import ItemTable
from jurydesk.core.readers.foreign_tables.foreign_table import ForeignTable, column_of_texts
from jurydesk.core.tasks.table.score_kinds import own_metrics
from jurydesk.core.tasks.table.table_columns import is_numeric
from jurydesk.core.tasks.table.table_options import TableOptions


def with_own_origin(
    table: ForeignTable, options: TableOptions
) -> tuple[ForeignTable, TableOptions]:
    """Return items that this program exported with their groups, and the options for them.

    The scores are those that are means of items. Other tables are returned unchanged.
    """
    names = [one.name for one in table.columns]
    if options.score or names[:3] != ["system", "profile", "item"]:
        return table, options
    task, given = _exported_origin(table)
    table = _with_groups(table, find_competition(task) if task else None)
    return table, _own_options(names, task, given, options)


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
    names: Sequence[str], task: str, given: Collection[str], options: TableOptions
) -> TableOptions:
    """Return the options with the scores of a competition that are means of items."""
    known = own_metrics(task)
    scores = tuple(name for name in known if name in names and name in given)
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


def _exported_origin(table: ForeignTable) -> tuple[str, set[str]]:
    """Return the competition and the scores of items that this program exported.

    They are in the settings and stamps of the first row; empty without them.
    """
    task, scores = "", set()
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
                given = stamp.get("scores") if isinstance(stamp, dict) else None
                for one in given if isinstance(given, list) else ():
                    scores.add(str(one.get("metric")) if isinstance(one, dict) else "")
    return task, scores
