"""JSON codec of errata, for desks and exports."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from jurydesk.core.competition.task import Task
from jurydesk.core.desk.item_queries import load_stamps
from jurydesk.core.desk.tables.errata_table import (
    ReplacedResults,
    read_errata,
    replace_results,
)
from jurydesk.core.model.evaluation import Json
from jurydesk.core.model.json_codec import from_json, to_json
from jurydesk.core.statistics.inference import Inference
from jurydesk.core.workflow.errata.apply_errata import (
    PreparedErratum,
    StampPairs,
    pair_stamps,
    result_key,
)
from jurydesk.core.workflow.errata.erratum import Erratum, ProfileEffect, ScoreChange

if TYPE_CHECKING:
    from jurydesk.core.desk import Desk

BEFORE, AFTER, INFERENCE = "stamps_before", "stamps_after", "inference"
"""Members of a record besides those of the erratum."""


@dataclass(frozen=True, slots=True)
class StampedErratum:
    """Erratum with the stamps of its results and the settings of its statistics.

    `inference`, without the labels of groups, is None in a record of an older version, whose
    stamps after it may be those of a later scoring.
    """

    erratum: Erratum
    stamps: StampPairs
    inference: Inference | None

    def stamps_before(self) -> list[Json]:
        """Return the stamps of all results before; empty if one had none."""
        found = [before for before, after in self.stamps.values() if before or not after]
        return found if all(found) else []

    def stamps_after(self) -> list[Json]:
        """Return the stamps of the results that were scored again."""
        return [after for _, after in self.stamps.values() if after]


def load_errata(desk: Desk, task: Task[Any, Any, Any]) -> list[Erratum]:
    """Load the errata of a desk, oldest first."""
    return [erratum_from_json(task, record) for _, record in read_errata(desk)]


def load_stamped_errata(desk: Desk, task: Task[Any, Any, Any]) -> list[StampedErratum]:
    """Load the errata of a desk with their stamps, oldest first.

    In records of older versions, the stamps after an erratum are those before the next, or of the
    desk's results.
    """
    known = load_stamps(desk)
    now = {result_key(one.system, one.profile): known.get(one.id) for one in desk.evaluations()}
    records = [record for _, record in read_errata(desk)]
    before = [record.get(BEFORE, {}) for record in records]
    found = []
    for record, old, later in zip(records, before, [*before, now][1:], strict=True):
        settings = record.get(INFERENCE)
        inference = None if settings is None else from_json(Inference, settings)
        stamps = pair_stamps(old, record.get(AFTER, later))
        found.append(StampedErratum(erratum_from_json(task, record), stamps, inference))
    return found


def apply_erratum(
    desk: Desk, task: Task[Any, Any, Any], prepared: PreparedErratum
) -> ReplacedResults:
    """Replace the results, record the previous ones, and return them for `restore_results`."""
    record = {
        **erratum_json(prepared.erratum, messages=True),
        BEFORE: dict(prepared.stamps),
        AFTER: prepared.new_stamps(),
        INFERENCE: to_json(_without_labels(prepared.inference)),
    }
    role = task.submission_input().role
    return replace_results(
        desk, record, prepared.evaluations, prepared.sources, role, prepared.check
    )


def stamped_erratum(prepared: PreparedErratum) -> StampedErratum:
    """Return an erratum that may not be in the desk yet, with its stamps."""
    inference = _without_labels(prepared.inference)
    return StampedErratum(prepared.erratum, prepared.stamp_pairs(), inference)


def _without_labels(inference: Inference) -> Inference:
    """Return the settings without the labels, which are in the file of the groups."""
    return replace(inference, labels={})


def erratum_json(erratum: Erratum, *, messages: bool = False) -> dict[str, Json]:
    """Return the erratum as JSON values, with every item that changed."""
    parts = [effect_json(part) for part in erratum.parts]
    return {**to_json(erratum, messages=messages), "parts": parts}


def effect_json(effect: ProfileEffect) -> dict[str, Json]:
    """Return the effect on a profile as JSON values."""
    return {**to_json(effect), "metric": effect.metric.name}


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
