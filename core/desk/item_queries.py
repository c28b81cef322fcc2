"""Queries for items and stamps that do not load whole evaluations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jurydesk.core.desk.codec import damage_at
from jurydesk.core.desk.evaluation_rows import unpack_stamp
from jurydesk.core.desk.tables.evaluation_table import (
    read_declared_metrics,
    read_item_rows,
    unpack_stored_items,
)
from jurydesk.core.model.evaluation import ItemTable, Json, MetricInfo

if TYPE_CHECKING:
    from jurydesk.core.desk.desk import Desk


def load_item_columns(desk: Desk, key: int, names: Sequence[str] | None = None) -> ItemTable:
    """Load items with these columns (None for all), without evidence.

    Unknown names are ignored. Raises EvaluationGoneError if the evaluation was removed.
    """
    with desk.reading() as connection:
        return unpack_stored_items(read_item_rows(connection, key, names), key)


def scored_items(desk: Desk) -> tuple[str, ...]:
    """Return the ids of all items of all results."""
    found = (load_item_columns(desk, one.id, ()).ids for one in desk.evaluations())
    return tuple(dict.fromkeys(key for ids in found for key in ids))


def declared_metrics(desk: Desk) -> tuple[MetricInfo, ...]:
    """Return the metrics that the results declare, known only after reading."""
    with desk.reading() as connection:
        return read_declared_metrics(connection)


def load_stamps(desk: Desk) -> dict[int, Json]:
    """Return the stamp of every result by id; results without one are left out."""
    read: dict[int, Json] = {}
    with desk.reading() as connection:
        for key, text in connection.execute("SELECT id, stamp FROM evaluation").fetchall():
            with damage_at("evaluation", key):
                read[key] = desk.unpacked("stamp", key, text, unpack_stamp)
    return {key: stamp for key, stamp in read.items() if stamp}
