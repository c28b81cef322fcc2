"""Statistics settings of a desk: groups, interval, correction."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from jurydesk.core.model.json_codec import from_json, to_json

if TYPE_CHECKING:
    from jurydesk.core.desk.desk import Desk
    from jurydesk.core.model.evaluation import Json
    from jurydesk.core.statistics.inference import Inference

NAME = "inference"


def load_inference(desk: Desk) -> Inference:
    """Load the settings of the desk; the defaults if it has none that are valid."""
    from jurydesk.core.statistics.inference import Inference

    try:
        return from_json(Inference, stored_settings(desk))
    except (ValueError, TypeError, KeyError):
        return Inference()


def stored_settings(desk: Desk) -> dict[str, Json]:
    """Return the settings as stored JSON; empty if there are none."""
    from jurydesk.core.model.json_text import parse_json  # imports NumPy

    with desk.reading() as connection:
        row = connection.execute("SELECT content FROM setting WHERE name = ?", (NAME,)).fetchone()
    try:
        found = {} if row is None else parse_json(row[0], not_finite=True)
    except (ValueError, TypeError):
        return {}
    return found if isinstance(found, dict) else {}


def store_inference(desk: Desk, inference: Inference) -> None:
    """Store the settings of the desk, which its board follows."""
    with desk.writing() as connection:
        connection.execute(
            "INSERT OR REPLACE INTO setting VALUES (?, ?)", (NAME, json.dumps(to_json(inference)))
        )
