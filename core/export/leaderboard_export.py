"""Leaderboard as CSV and JSON, with a description of its methods."""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import TYPE_CHECKING

from jurydesk.core.analysis.leaderboard import Leaderboard, LeaderboardCell, LeaderboardRow
from jurydesk.core.export.results_json import SCHEMA
from jurydesk.core.export.stamps_export import COLUMN, SETTINGS, Stamps, stamp_text
from jurydesk.core.language import translatable
from jurydesk.core.model.evaluation import Json, MetricInfo
from jurydesk.core.model.json_codec import json_number, to_json
from jurydesk.core.statistics.inference import CORRECTION_NAMES
from jurydesk.core.tables.table_file import csv_text, escape_formula

if TYPE_CHECKING:
    from jurydesk.core.analysis.significance.pairwise_significance import (
        PairTest,
        PairwiseSignificance,
    )

SHOWN_METRICS = 6
"""Number of metrics that fit a terminal or page; files in full precision have all of them."""
NO_STAMPS: Stamps = MappingProxyType({})


def shown_metrics(board: Leaderboard) -> list[MetricInfo]:
    """Return the metrics shown by default: the first that rank, including the headline."""
    ranking = [info for info in board.metrics if info.better != "neither"] or list(board.metrics)
    first = ranking[:SHOWN_METRICS]
    if board.headline is None or board.headline in first:
        return first
    return [board.headline, *first[:-1]]


def board_csv(board: Leaderboard, stamps: Stamps = NO_STAMPS, settings: Json = None) -> bytes:
    """Write a row per system: scores in full precision, intervals, the stamp, the settings."""
    head = ["place", "system", "profile", "items"]
    for info in board.metrics:
        head += [info.name, f"{info.name}_low", f"{info.name}_high"]
    head += ["rank_best", "rank_worst", "headline", "interval", COLUMN]
    head += [SETTINGS] if settings else []
    headline = board.headline.name if board.headline else ""
    rows = (
        [
            *_csv_row(row),
            headline,
            interval_method(row, board),
            stamp_text(stamps.get(row.summary.id)),
            *([stamp_text(settings)] if settings else []),
        ]
        for row in board.rows
    )
    return csv_text([head, *rows])


def interval_method(row: LeaderboardRow, board: Leaderboard) -> str:
    """Return the method of the headline's interval; empty without one."""
    if board.headline is None:
        return ""
    score = row.cells[board.metrics.index(board.headline)].score
    return score.interval.method if score and score.interval else ""


def method_sentences(board: Leaderboard) -> list[str]:
    """Describe how the headline's intervals and each profile's ranks were computed."""
    methods = dict.fromkeys(filter(None, (interval_method(row, board) for row in board.rows)))
    method_phrase = "; ".join(methods)
    sentences = [translatable(f"Intervals: {method_phrase}.")] if methods else []
    for profile, one in board.significance_tests.items():
        if one.pairs:
            of = f" ({profile})" if len(board.significance_tests) > 1 else ""
            level = 100 * one.level
            method_phrase = one.method
            if one.rounds:
                method_phrase = translatable(f"{method_phrase} of {one.rounds:,} rounds")
            if len(one.pairs) == 1:
                sentences.append(translatable(f"Ranks{of} at {level:g} %: {method_phrase}."))
                continue
            correction = CORRECTION_NAMES[one.correction]
            sentences.append(
                translatable(
                    f"Ranks{of} at {level:g} %: {method_phrase}, corrected for {len(one.pairs):,} "
                    f"comparisons by {correction}."
                )
            )
    return sentences


def _csv_row(row: LeaderboardRow) -> list[object]:
    one = row.summary
    cells: list[object] = ["" if row.place is None else row.place, escape_formula(one.system)]
    cells += [one.profile, one.n_items]
    for cell in row.cells:
        cells += _csv_numbers(cell)
    return [*cells, *(("", "") if row.rank is None else (row.rank.best, row.rank.worst))]


def _csv_numbers(cell: LeaderboardCell) -> tuple[float | str, float | str, float | str]:
    """Return the score and the limits of its interval; empty texts if undefined."""
    if cell.score is None or not math.isfinite(cell.score.value):
        return "", "", ""
    interval = cell.score.interval
    if interval is None:
        return cell.score.value, "", ""
    return cell.score.value, interval.low, interval.high


def board_json(board: Leaderboard, stamps: Stamps = NO_STAMPS, settings: Json = None) -> Json:
    """Return the board as a JSON document: rows in order, scores with intervals, stamps.

    `settings` are those with which `jurydesk verify` makes it again.
    """
    return {
        "schema": SCHEMA,
        "task": board.task,
        "headline": board.headline.name if board.headline else None,
        "finding": board.finding,
        "systems": [{**_row_json(row), "stamp": stamps.get(row.summary.id)} for row in board.rows],
        "comparisons": [
            {"profile": profile, **significance_json(significance)}
            for profile, significance in board.significance_tests.items()
        ],
        **({} if settings is None else {SETTINGS: settings}),
    }


def significance_json(significance: PairwiseSignificance) -> dict[str, Json]:
    """Return the tests of all pairs of systems, with everything needed to repeat them."""
    return {
        "metric": significance.metric.name,
        "method": significance.method,
        "rounds": significance.rounds,
        "seed": significance.seed,
        "level": significance.level,
        "correction": CORRECTION_NAMES[significance.correction],
        "n_items": significance.items,
        "n_groups": significance.groups,
        "group": significance.group_noun[0] if significance.group_noun else None,
        "lowest_p": significance.lowest,
        "minimum_detectable_difference": json_number(significance.detectable),
        "pairs": [_pair_json(pair) for pair in significance.pairs],
    }


def _pair_json(pair: PairTest) -> Json:
    limits = None if pair.interval is None else [pair.interval.low, pair.interval.high]
    return {
        "systems": [pair.first, pair.second],
        "difference": json_number(pair.difference),
        "interval": limits,
        "p": json_number(pair.p),
        "p_corrected": json_number(pair.corrected),
    }


def _row_json(row: LeaderboardRow) -> Json:
    one = row.summary
    return {
        "place": row.place,
        "rank": None if row.rank is None else [row.rank.best, row.rank.worst],
        "name": one.system,
        "profile": one.profile,
        "about": one.about,
        "n_items": one.n_items,
        "stale": one.stale,
        "scores": {score.metric: json_number(score.value) for score in one.scores},
        "details": to_json(one.scores),
    }


def label_system(row: LeaderboardRow, board: Leaderboard) -> str:
    """Return the system's name, with its profile if the board has several."""
    several = len({other.summary.profile for other in board.rows}) > 1
    return f"{row.summary.system} ({row.summary.profile})" if several else row.summary.system


def round_cell(cell: LeaderboardCell, info: MetricInfo) -> str:
    """Return a score with the metric's decimals, or a dash if it is undefined."""
    if cell.score is None or not math.isfinite(cell.score.value):
        return "–"
    return f"{cell.score.value:.{info.decimals}f}"
