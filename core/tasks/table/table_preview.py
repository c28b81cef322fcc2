"""First rows and recognized columns of a table of results, before anything is taken."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.language import translate
from jurydesk.core.model.defects import Defect, has_errors
from jurydesk.core.model.evaluation import MetricInfo
from jurydesk.core.readers.foreign_tables.foreign_table import ForeignTable
from jurydesk.core.readers.foreign_tables.read_table import read_foreign_table
from jurydesk.core.tables.columns import Column, TextColumn
from jurydesk.core.tasks.table.arranged_table import ArrangedTable, arrange_table
from jurydesk.core.tasks.table.score_kinds import declare_metrics, metric_kind
from jurydesk.core.tasks.table.table_keys import find_keys
from jurydesk.core.tasks.table.table_options import Kind, TableOptions
from jurydesk.core.tasks.table.table_scores import scores_by_pair

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

MOST_ROWS, MOST_COLUMNS, MOST_LETTERS = 5, 12, 60


@dataclass(frozen=True, eq=False)
class TablePreview:
    """Columns of a table as these options take them; without a table, why it cannot be read.

    Attributes:
        path: Path of the file.
        options: Options that were asked for.
        table: The table as it was read.
        roles: Name of the column of each role.
        metrics: Scores, the ranking one first; empty if they cannot be told.
        kinds: Kind of each score.
        others: Columns of numbers that are no scores.
        defects: What is wrong with these columns.
    """

    path: Path
    options: TableOptions
    table: ForeignTable | None = None
    roles: Mapping[str, str] = field(default_factory=dict)
    metrics: tuple[MetricInfo, ...] = ()
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    others: tuple[str, ...] = ()
    defects: tuple[Defect, ...] = ()

    def names(self) -> list[str]:
        """Return the names of the columns."""
        return [one.name for one in self.table.columns] if self.table is not None else []

    def first_rows(self) -> tuple[Column, ...]:
        """Return the first columns with the beginnings of their first cells."""
        if self.table is None:
            return ()
        shown = np.arange(min(self.table.rows, MOST_ROWS))
        return tuple(
            TextColumn(one.name, one.name, [text[:MOST_LETTERS] for text in one.cells(shown)])
            for one in self.table.columns[:MOST_COLUMNS]
        )


def preview_table(
    path: Path, options: TableOptions, run: Run, notify: object = None
) -> TablePreview:
    """Read a table, and recognize its columns."""
    run.report(0, 0, translate("Reading the files"))
    reading = read_foreign_table(path, options.map)
    if reading.data is None:
        return TablePreview(path, options, defects=reading.defects)
    return recognize_columns(path, reading.data, options)


def recognize_columns(
    path: Path,
    table: ForeignTable,
    options: TableOptions,
    run: Run | None = None,
    notify: object = None,
) -> TablePreview:
    """Return how the options take a table that was read."""
    arranged = arrange_table(table, options)
    if isinstance(arranged, tuple):
        return TablePreview(path, options, table, defects=arranged)
    columns = arranged.columns
    roles = {role: one.name for role, one in columns.roles.items()}
    metrics, kinds, defects = _scores(arranged)
    others = tuple(one.name for one in columns.statistics)
    return TablePreview(path, options, table, roles, metrics, kinds, others, defects)


def _scores(
    arranged: ArrangedTable,
) -> tuple[tuple[MetricInfo, ...], dict[str, Kind], tuple[Defect, ...]]:
    """Return the scores with their kinds, or the errors for which there are none."""
    table, columns, options = arranged.table, arranged.columns, arranged.options
    keys = find_keys(table, columns)
    if keys.data is None:
        return (), {}, keys.defects
    scores = scores_by_pair(table, columns, keys.data, options)
    defects = tuple(one for one in (*keys.defects, *scores.defects) if has_errors([one]))
    if scores.data is None:
        return (), {}, defects
    weighted = columns.role("weight") is not None
    metrics = declare_metrics(scores.data, options, weighted=weighted)
    kinds = {name: metric_kind(name, values, options) for name, values in scores.data.items()}
    return metrics, kinds, defects
