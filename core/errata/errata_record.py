"""JSON codec of errata, for desks and exports."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from jurydesk.core.competition.task import Task
from jurydesk.core.desk.item_queries import load_stamps
from jurydesk.core.desk.tables.errata_table import read_errata, replace_results
from jurydesk.core.errata.apply_errata import PreparedErratum, StampPairs, result_key
from jurydesk.core.errata.erratum import Erratum, ProfileEffect, ScoreChange
from jurydesk.core.model.evaluation import Json
from jurydesk.core.model.json_codec import from_json, to_json

if TYPE_CHECKING:
    from jurydesk.core.desk import Desk


def load_errata(desk: Desk, task: Task[Any, Any, Any]) -> list[Erratum]:
    """Load the errata of a desk, oldest first."""
    return [erratum_from_json(task, record) for _, record in read_errata(desk)]


def load_erratum_stamps(desk: Desk) -> list[StampPairs]:
    """Load the stamps before and after each erratum of a desk, oldest first.

    Those after an erratum are those before the next, or of the desk's results.
    """
    known = load_stamps(desk)
    now = {result_key(one.system, one.profile): known.get(one.id) for one in desk.evaluations()}
    before = [record.get("stamps_before", {}) for _, record in read_errata(desk)]
    return [
        {key: (old.get(key), stamp) for key, stamp in new.items()}
        for old, new in itertools.pairwise([*before, now])
    ]


def apply_erratum(desk: Desk, task: Task[Any, Any, Any], prepared: PreparedErratum) -> None:
    """Replace the results, and record the previous ones."""
    record = {**erratum_json(prepared.erratum), "stamps_before": dict(prepared.stamps)}
    role = task.submission_input().role
    replace_results(desk, record, prepared.evaluations, prepared.sources, role, prepared.check)


def erratum_json(erratum: Erratum) -> dict[str, Json]:
    """Return the erratum as JSON values, with every item that changed."""
    parts = [{**to_json(part), "metric": part.metric.name} for part in erratum.parts]
    return {**to_json(erratum), "parts": parts}


def erratum_from_json(task: Task[Any, Any, Any], data: dict[str, Json]) -> Erratum:
    """Decode an erratum; raises KeyError if its metric no longer exists."""
    parts = tuple(
        ProfileEffect(
            part["profile"],
            task.metric(part["metric"]),
            from_json(tuple[ScoreChange, ...], part["systems"]),
        )
        for part in data["parts"]
    )
    return replace(from_json(Erratum, {**data, "parts": []}), parts=parts)
