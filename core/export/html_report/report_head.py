"""Data that a report's scripts load at once: metrics, systems, pairwise tests, figures."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, cast

import numpy as np

from jurydesk.core.analysis.leaderboard import Leaderboard
from jurydesk.core.analysis.leaderboard_rows import LeaderboardRow
from jurydesk.core.analysis.leaderboard_table import label_system
from jurydesk.core.analysis.significance.board_verdict import corrected_family
from jurydesk.core.analysis.significance.pairwise_significance import PairwiseSignificance
from jurydesk.core.competition.task import Task
from jurydesk.core.export.tables.figure_tables import curve_line
from jurydesk.core.model.evaluation import Curve, Figure, FloatArray, Heatmap, Json, MetricInfo
from jurydesk.core.model.json_codec import to_json
from jurydesk.core.statistics.inference import CORRECTION_NAMES

MAX_POINTS = 240
"""Number of points of a curve that are visible."""


def head_json(
    task: Task[Any, Any, Any],
    board: Leaderboard,
    shown: Sequence[MetricInfo],
    figures: Mapping[int, Sequence[Figure]],
) -> dict[str, Json]:
    """Return the board's numbers and all figures; systems are in the order of the board.

    `figures` are those of each result by the id of its summary.
    """
    head = {
        "title": board.title,
        "noun": list(task.item_noun),
        "headline": board.headline.name if board.headline else None,
        "metrics": [_metric_json(info, shown=info in shown) for info in board.metrics],
        "systems": [_system_json(row, board) for row in board.rows],
        "pairs": [
            _pairs_json(profile, significance, board, task.item_noun)
            for profile, significance in board.significance_tests.items()
        ],
        "figures": _figures(board, figures),
    }
    return cast(dict[str, Json], to_json(head, messages=True))


def _metric_json(info: MetricInfo, *, shown: bool) -> Json:
    return {
        "name": info.name,
        "title": info.title,
        "summary": info.summary,
        "better": info.better,
        "decimals": info.decimals,
        "source": info.source,
        "shown": shown,
    }


def _system_json(row: LeaderboardRow, board: Leaderboard) -> Json:
    scores: list[Json] = []
    for cell in row.cells:
        if cell.score is None or not math.isfinite(cell.score.value):
            scores.append(None)
            continue
        limits = cell.score.interval
        ends = (
            [None, None]
            if limits is None
            else [_round_value(limits.low), _round_value(limits.high)]
        )
        scores.append([_round_value(cell.score.value), *ends])
    return {
        "name": label_system(row, board),
        "system": row.summary.system,
        "profile": row.summary.profile,
        "places": row.places,
        "items": row.summary.n_items,
        "scores": scores,
    }


def _pairs_json(
    profile: str, significance: PairwiseSignificance, board: Leaderboard, noun: tuple[str, str]
) -> Json:
    """Return all pairs of systems: rows, difference, corrected p value, and number of the method.

    The first method is that of the board, another one decides pairs of lopsided differences.
    """
    found = map(significance.method_of, significance.pairs)
    methods = [*dict.fromkeys((significance.method, *found))]
    places = {
        row.summary.system: number
        for number, row in enumerate(board.rows)
        if row.summary.profile == profile
    }
    return {
        "profile": profile,
        "metric": significance.metric.name,
        "methods": methods,
        "rounds": significance.rounds,
        "seed": significance.seed,
        "level": significance.level,
        "claims": significance.claims_ranks,
        "correction": CORRECTION_NAMES[significance.correction],
        "family": corrected_family(significance),
        "size": significance.size(noun),
        "systems": sorted(places[name] for name in significance.systems if name in places),
        "tests": [
            [
                places[pair.first],
                places[pair.second],
                _round_value(pair.difference),
                _round_value(pair.corrected),
                methods.index(significance.method_of(pair)),
            ]
            for pair in significance.pairs
            if pair.first in places and pair.second in places
        ],
    }


def _figures(board: Leaderboard, figures: Mapping[int, Sequence[Figure]]) -> list[Json]:
    found: dict[str, dict[str, Json]] = {}
    for number, row in enumerate(board.rows):
        for figure in figures.get(row.summary.id, ()):
            if isinstance(figure, Curve):
                kind = "bars" if figure.form == "bars" else "curve"
                entry = found.get(figure.name) or _figure_json(figure, kind)
                _widen_limits(entry, figure)
                entry["lines"].append({"system": number, **_line(figure)})
            else:
                entry = found.get(figure.name) or _figure_json(figure, "heatmap")
                entry["maps"].append({"system": number, **_cells(figure)})
            found[figure.name] = entry
    return list(found.values())


def _figure_json(figure: Curve | Heatmap, kind: str) -> dict[str, Json]:
    about: dict[str, Json] = {
        "kind": kind,
        "title": figure.title,
        "x": asdict(figure.x_axis),
        "y": asdict(figure.y_axis),
    }
    if isinstance(figure, Curve):
        return {**about, "band": figure.band, "diagonal": figure.diagonal, "lines": []}
    lead = {"lead_label": figure.lead_label, "decimals": figure.decimals}
    return {**about, **lead, "maps": []}


def _widen_limits(entry: dict[str, Json], curve: Curve) -> None:
    for name, axis in (("x", curve.x_axis), ("y", curve.y_axis)):
        limits = entry[name]["limits"]
        if limits is not None and axis.limits is not None:
            low, high = axis.limits
            entry[name]["limits"] = [min(limits[0], low), max(limits[1], high)]
        else:
            entry[name]["limits"] = None


def _line(curve: Curve) -> dict[str, Json]:
    sampled = np.unique(np.linspace(0, len(curve.x) - 1, min(MAX_POINTS, len(curve.x))).astype(int))
    x, mean = curve_line(curve, curve.x[sampled], curve.mean[sampled])
    line: dict[str, Json] = {"x": _round_values(x), "mean": _round_values(mean)}
    for name, band in (("low", curve.low), ("high", curve.high)):
        if band is not None:
            line[name] = _round_values(curve_line(curve, x, band[sampled])[1])
    if curve.form == "bars":
        line["labels"] = [curve.x_axis.labels[place] for place in sampled.tolist()]
    if curve.marks:
        marks = ((one.title, np.array([one.x, one.y])) for one in curve.marks)
        line["marks"] = [[title, *_round_values(point)] for title, point in marks]
    return line


def _cells(figure: Heatmap) -> dict[str, Json]:
    lead = None if figure.lead is None else _round_values(figure.lead)
    return {"values": [_round_values(row) for row in figure.values], "lead": lead}


def _round_values(values: FloatArray) -> list[float | None]:
    return [_round_value(value) for value in values.tolist()]


def _round_value(value: float) -> float | None:
    """Return six significant digits, enough for every plot; None if undefined."""
    return float(f"{value:.6g}") if math.isfinite(value) else None
