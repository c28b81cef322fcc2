"""The choices of statistics that a desk keeps: groups, interval, correction."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from jurydesk.core.statistics.inference import Inference

if TYPE_CHECKING:
    from jurydesk.core.desk.desk import Desk

NAME = "inference"


def load_inference(desk: Desk) -> Inference:
    """Return the desk's choices; the default ones where it keeps none that can be read."""
    with desk.reading() as connection:
        row = connection.execute("SELECT content FROM setting WHERE name = ?", (NAME,)).fetchone()
    try:
        return Inference() if row is None else Inference.from_json(json.loads(row[0]))
    except (ValueError, TypeError, KeyError):
        return Inference()


def store_inference(desk: Desk, inference: Inference) -> None:
    """Keep the choices in the desk, whose board then follows them."""
    with desk.writing() as connection:
        connection.execute(
            "INSERT OR REPLACE INTO setting VALUES (?, ?)", (NAME, json.dumps(inference.to_json()))
        )
