"""Results as a JSON document with a stable schema (`"schema": 1`)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from jurydesk.core.model.defects import Defect
from jurydesk.core.model.evaluation import Evaluation, Json
from jurydesk.core.model.json_codec import figure_json, json_number, to_json

if TYPE_CHECKING:
    from jurydesk.core.execution.engine import CompetitionResult

SCHEMA = 1


def result_json(task_id: str, profile: str, result: CompetitionResult) -> Json:
    """Return the engine's result; a system with errors has no scores and no stamp.

    `profile` is the requested one.
    """
    systems = (
        system_json(entry.evaluation)
        if entry.evaluation is not None
        else unscored_system_json(entry.system, profile, entry.defects)
        for entry in result.entries
    )
    return competition_json(task_id, systems, result.reference_defects)


def competition_json(task_id: str, systems: Iterable[Json], defects: Sequence[Defect] = ()) -> Json:
    """Return the document of a competition; `defects` are those of shared files."""
    return {
        "schema": SCHEMA,
        "task": task_id,
        "defects": to_json(defects),
        "systems": list(systems),
    }


def system_json(evaluation: Evaluation) -> Json:
    """Return a scored system; undefined numbers are null, with a defect as explanation."""
    return {
        "name": evaluation.system,
        "about": evaluation.about,
        "profile": evaluation.profile,
        "scores": {score.metric: json_number(score.value) for score in evaluation.scores},
        "intervals": {
            score.metric: [score.interval.low, score.interval.high]
            for score in evaluation.scores
            if score.interval is not None
        },
        "interval_methods": {
            score.metric: score.interval.method
            for score in evaluation.scores
            if score.interval is not None
        },
        "n_items": len(evaluation.items),
        "defects": to_json(evaluation.defects),
        "figures": [figure_json(figure) for figure in evaluation.figures],
        "stamp": evaluation.stamp,
    }


def unscored_system_json(name: str, profile: str, defects: Sequence[Defect]) -> Json:
    """Return a system that was not scored because its file has errors."""
    return {
        "name": name,
        "about": "",
        "profile": profile,
        "scores": {},
        "intervals": {},
        "interval_methods": {},
        "n_items": 0,
        "defects": to_json(defects),
        "figures": [],
        "stamp": None,
    }


def encode_json(document: Json) -> bytes:
    """Encode a document as ASCII text with a final line end; numbers in full double precision.

    A NaN is a bug and raises ValueError. Escapes preserve paths that are not valid UTF-8.
    """
    return f"{json.dumps(document, indent=2, allow_nan=False)}\n".encode()
