"""The items of an evaluation without what a comparison of systems does not need."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.desk.codec import decoding, read_json, unpack_json, unpack_numbers, unpack_places
from core.desk.rows import NoRowError
from core.model import ItemTable, Json

if TYPE_CHECKING:
    from core.desk.desk import Desk


def item_columns(desk: Desk, key: int, names: Sequence[str] | None = None) -> ItemTable:
    """The items with these columns (None for all), without evidence.

    A name that the evaluation lacks is left out. GoneError where it was removed meanwhile.
    """
    with desk.reading() as connection, decoding():
        row = connection.execute(
            "SELECT noun, items, ids, evidence_of FROM evaluation WHERE id = ?", (key,)
        ).fetchone()
        if row is None:
            raise NoRowError(key)
        noun, count, ids, places = row
        columns = connection.execute(
            "SELECT name, packed, content FROM item_column WHERE evaluation = ? ORDER BY position",
            (key,),
        )
        return ItemTable(
            tuple(unpack_json(ids)),
            {
                name: unpack_numbers(packed, content, (count,))
                for name, packed, content in columns
                if names is None or name in names
            },
            noun=noun,
            evidence_of=None if places is None else unpack_places(places, count),
        )


def stamps(desk: Desk) -> dict[int, Json]:
    """The stamp of every result by the id of its summary; a result without one is left out."""
    with desk.reading() as connection, decoding():
        found = connection.execute("SELECT id, stamp FROM evaluation").fetchall()
        read = {key: read_json(text) for key, text in found}
    return {key: stamp for key, stamp in read.items() if stamp}
