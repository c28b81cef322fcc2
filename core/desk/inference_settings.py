"""The choices of statistics that a desk keeps: groups, interval, correction."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jurydesk.core.desk.desk import Desk
    from jurydesk.core.model.evaluation import Json
    from jurydesk.core.statistics.inference import Inference

NAME = "inference"


def load_inference(desk: Desk) -> Inference:
    """Return the desk's choices; the default ones where it keeps none that can be read."""
    from jurydesk.core.statistics.inference import Inference

    try:
        return Inference.from_json(stored_choices(desk))
    except (ValueError, TypeError, KeyError):
        return Inference()


def stored_choices(desk: Desk) -> dict[str, Json]:
    """Return the choices as JSON, as they stand in the desk; empty where it keeps none."""
    with desk.reading() as connection:
        row = connection.execute("SELECT content FROM setting WHERE name = ?", (NAME,)).fetchone()
    try:
        found = {} if row is None else json.loads(row[0])
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def store_inference(desk: Desk, inference: Inference) -> None:
    """Keep the choices in the desk, whose board then follows them."""
    with desk.writing() as connection:
        connection.execute(
            "INSERT OR REPLACE INTO setting VALUES (?, ?)", (NAME, json.dumps(inference.to_json()))
        )
