"""What the Rate page writes to files: the table in sight, all results, every rating."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from app.exports import Export
from app.views.export import csv_writer
from core.paths import write_atomically

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.widgets.table import Table
    from core.desk import Desk
    from core.rating.findings import Findings


def rate_exports(
    table: Table, title: str, desk: Desk | None, people: Findings | None
) -> tuple[Export, ...]:
    """All that can be made of a study: its table of that title, and what people found."""
    if not table.table_model.columns:
        return ()
    exports = [Export(f"{title} as CSV …", "*.csv", csv_writer(partial(_cells, table)))]
    if people is not None:
        exports.append(Export("All results as JSON …", "*.json", partial(_write_json, people)))
    if people is not None and desk is not None:
        exports.append(Export("Every rating as CSV …", "*.csv", partial(_write_ratings, desk)))
    return tuple(exports)


def _cells(table: Table) -> list[tuple[str, Sequence[object]]]:
    model = table.table_model
    return [(column.title, column.cells(model.rows)) for column in model.columns]


def _write_json(people: Findings, path: Path) -> None:
    from core.export.results import encoded
    from core.rating.findings_record import findings_json

    write_atomically(path, encoded({"schema": 1, **findings_json(people)}))


def _write_ratings(desk: Desk, path: Path) -> None:
    from core.rating.ratings_csv import ratings_csv

    write_atomically(path, ratings_csv(desk))
