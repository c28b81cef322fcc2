"""JSON codec of errata, for desks and exports."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from jurydesk.core.competition.task import Task
from jurydesk.core.desk.tables.errata_table import read_errata, replace_results
from jurydesk.core.errata.apply_errata import PreparedErratum
from jurydesk.core.errata.erratum import Erratum, ProfileEffect, ScoreChange
from jurydesk.core.model.evaluation import Interval, Json
from jurydesk.core.model.json_codec import (
    json_number,
    number_from_json,
    score_from_json,
    score_json,
    source_from_json,
    source_json,
)
from jurydesk.core.statistics.rank_intervals import RankInterval

if TYPE_CHECKING:
    from jurydesk.core.desk import Desk


def load_errata(desk: Desk, task: Task[Any, Any, Any]) -> list[Erratum]:
    """Load the errata of a desk, oldest first."""
    return [erratum_from_json(task, record) for _, record in read_errata(desk)]


def apply_erratum(desk: Desk, task: Task[Any, Any, Any], prepared: PreparedErratum) -> None:
    """Replace the results, and record the previous ones."""
    record = {**erratum_json(prepared.erratum), "stamps_before": dict(prepared.stamps)}
    role = task.submission_input().role
    replace_results(desk, record, prepared.evaluations, prepared.sources, role, prepared.check)


def erratum_json(erratum: Erratum) -> dict[str, Json]:
    """Return the erratum as JSON values, with every item that changed."""
    return {
        "created": erratum.created,
        "before": [source_json(one) for one in erratum.before],
        "after": [source_json(one) for one in erratum.after],
        "parts": [
            {
                "profile": part.profile,
                "metric": part.metric.name,
                "systems": [_change_json(one) for one in part.systems],
            }
            for part in erratum.parts
        ],
        "left_out": [list(one) for one in erratum.left_out],
    }


def erratum_from_json(task: Task[Any, Any, Any], data: dict[str, Json]) -> Erratum:
    """Decode an erratum; raises KeyError if its metric no longer exists."""
    return Erratum(
        data["created"],
        tuple(map(source_from_json, data["before"])),
        tuple(map(source_from_json, data["after"])),
        tuple(
            ProfileEffect(
                part["profile"],
                task.metric(part["metric"]),
                tuple(map(_change_from_json, part["systems"])),
            )
            for part in data["parts"]
        ),
        tuple((name, why) for name, why in data["left_out"]),
    )


def _change_json(one: ScoreChange) -> Json:
    return {
        "system": one.system,
        "before": score_json(one.before),
        "after": score_json(one.after),
        "rank_before": _rank_json(one.rank_before),
        "rank_after": _rank_json(one.rank_after),
        "change": json_number(one.change),
        "interval": None if one.interval is None else asdict(one.interval),
        "p": json_number(one.p),
        "p_corrected": json_number(one.corrected),
        "items": [list(item) for item in one.items],
    }


def _change_from_json(data: dict[str, Json]) -> ScoreChange:
    return ScoreChange(
        data["system"],
        score_from_json(data["before"]),
        score_from_json(data["after"]),
        _rank(data["rank_before"]),
        _rank(data["rank_after"]),
        number_from_json(data["change"]),
        None if data["interval"] is None else Interval(**data["interval"]),
        number_from_json(data["p"]),
        number_from_json(data["p_corrected"]),
        tuple((key, before, after) for key, before, after in data["items"]),
    )


def _rank_json(rank: RankInterval | None) -> list[int] | None:
    return None if rank is None else [rank.best, rank.worst]


def _rank(data: list[int] | None) -> RankInterval | None:
    return None if data is None else RankInterval(*data)
