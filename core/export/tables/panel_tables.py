"""Tables of a competition's own panel, which its declaration makes again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from jurydesk.core.export.export_settings import ExportOrigin, table_origin
from jurydesk.core.export.tables.figure_tables import heatmap_numbers
from jurydesk.core.model.evaluation import Evaluation, Heatmap, Json
from jurydesk.core.tables.columns import DataColumn

PANEL = "panel table"
"""Kind of the table; a format has the form after it."""


def panel_columns(table: Sequence[DataColumn] | Heatmap) -> list[DataColumn]:
    """Return the columns of a table, or of the cells of a heat map."""
    return heatmap_numbers(table) if isinstance(table, Heatmap) else list(table)


def panel_export(
    kind: str,
    name: str,
    table: Sequence[DataColumn] | Heatmap,
    results: Sequence[Evaluation],
    choices: Mapping[str, Json],
    **values: Json,
) -> tuple[list[DataColumn], ExportOrigin | None]:
    """Return the columns of a table, and its origin: the results and choices that it is made of.

    `values` are more settings of its origin.
    """
    columns = panel_columns(table)
    count = len(columns[0][1])
    stamps = [one.stamp for one in results]
    origin = table_origin(
        *(kind, results[0].task, stamps, np.arange(count), count),
        table=name,
        choices=dict(choices),
        **values,
    )
    return columns, origin
