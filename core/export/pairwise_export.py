"""Comparisons of two systems, and of two profiles of a system, as JSON documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from jurydesk.core.analysis.comparison.pairwise import MetricComparison, PairedItems
from jurydesk.core.analysis.comparison.profile_comparison import ProfileComparison
from jurydesk.core.analysis.significance.board_verdict import ALONE
from jurydesk.core.export.export_settings import ExportOrigin, make_origin
from jurydesk.core.export.results_json import SCHEMA
from jurydesk.core.model.evaluation import Json
from jurydesk.core.model.json_codec import json_number, to_json
from jurydesk.core.statistics.inference import Inference

COMPARISON = "comparison"
PROFILES = "profiles"
"""Formats of the exports, in their settings."""


def comparisons_json(
    task_id: str,
    profile: str,
    systems: tuple[str, str],
    comparisons: Sequence[MetricComparison],
    origin: ExportOrigin,
) -> Json:
    """Return every metric with its difference (first minus second), tests and items."""
    return {
        "schema": SCHEMA,
        "task": task_id,
        "profile": profile,
        "systems": list(systems),
        "metrics": [_metric_json(comparison) for comparison in comparisons],
        **origin.members(),
    }


def comparison_values(
    profile: str,
    systems: tuple[str, str],
    comparisons: Sequence[MetricComparison],
    resamples: int | None,
) -> dict[str, Any]:
    """Return the settings of the export; `resamples` is that of metrics tested on request."""
    return {
        "profile": profile,
        "systems": list(systems),
        "metrics": [one.metric.name for one in comparisons],
        "resamples": resamples,
    }


def _metric_json(found: MetricComparison) -> Json:
    limits = found.interval
    return {
        "metric": found.metric.name,
        "better": found.metric.better,
        "scores": [json_number(found.first.value), json_number(found.second.value)],
        "difference": json_number(found.difference),
        "interval": None if limits is None else [limits.low, limits.high],
        "level": None if limits is None else limits.level,
        "n_items": found.n,
        "unit": found.unit or None,
        "interval_method": None if limits is None else limits.method,
        "n_groups": found.groups or None,
        "group": found.group_noun[0] if found.group_noun else None,
        "lowest_p": found.lowest or None,
        "family": ALONE,
        "seed": found.seed,
        "decided_by": found.decided_by or None,
        "tests": [
            {
                "name": test.name,
                "p": json_number(test.p),
                "rounds": test.rounds or None,
                "note": test.note or None,
            }
            for test in found.tests
        ],
        **_counts_json(found.items),
        "items": [] if found.items is None else list(_items_json(found.items)),
    }


def _counts_json(items: PairedItems | None) -> dict[str, Json]:
    if items is None:
        return {"wins": None, "losses": None, "ties": None}
    return {"wins": items.wins, "losses": items.losses, "ties": items.ties}


def _items_json(items: PairedItems) -> Iterator[Json]:
    """Yield the items by decreasing difference."""
    for row in items.by_disagreement().tolist():
        yield {
            "item": items.ids[row],
            "scores": [float(items.first[row]), float(items.second[row])],
            "difference": float(items.differences[row]),
        }


def profiles_origin(task_id: str, found: ProfileComparison) -> ExportOrigin:
    """Return the origin of a comparison of profiles: the stamps of both results."""
    return make_origin(
        *(PROFILES, task_id, found.stamps, Inference()),
        system=found.system,
        metric=found.metric.name,
    )


def profiles_json(found: ProfileComparison, origin: ExportOrigin) -> Json:
    """Return both scores and every item that differs."""
    return {
        "schema": SCHEMA,
        "system": found.system,
        "metric": found.metric.name,
        "profiles": list(found.profiles),
        "scores": to_json(found.scores),
        **({"rules": [to_json(one) for one in found.steps]} if found.steps else {}),
        "n_items": found.n,
        "items": [
            {
                "item": one.item,
                "column": one.column,
                "values": [json_number(one.before), json_number(one.after)],
                "reasons": list(one.reasons),
            }
            for one in found.items
        ],
        **origin.members(),
    }
