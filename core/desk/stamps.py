"""The stamps of a desk's results, without the results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.desk.codec import decoding, read_json
from core.model import Json

if TYPE_CHECKING:
    from core.desk.desk import Desk


def stamps(desk: Desk) -> dict[int, Json]:
    """The stamp of every result by the id of its summary; a result without one is left out."""
    with desk.reading() as connection, decoding():
        found = connection.execute("SELECT id, stamp FROM evaluation").fetchall()
        read = {key: read_json(text) for key, text in found}
    return {key: stamp for key, stamp in read.items() if stamp}
