"""Leaderboard as CSV and JSON, with a description of its methods."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from jurydesk.core.analysis.leaderboard import Leaderboard
from jurydesk.core.analysis.leaderboard_rows import LeaderboardRow
from jurydesk.core.analysis.leaderboard_table import leaderboard_table, metric_notes
from jurydesk.core.analysis.significance.board_verdict import ALONE, corrected_family
from jurydesk.core.export.results_json import SCHEMA
from jurydesk.core.export.stamps_export import BESIDE, COLUMN, SETTINGS, Stamps, stamp_text
from jurydesk.core.model.evaluation import Json
from jurydesk.core.model.json_codec import json_number, to_json
from jurydesk.core.statistics.inference import CORRECTION_NAMES
from jurydesk.core.tables.columns import DataColumn, data_columns
from jurydesk.core.tables.table_file import json_cell, table_file

if TYPE_CHECKING:
    from jurydesk.core.analysis.significance.pairwise_significance import (
        PairTest,
        PairwiseSignificance,
    )

NO_STAMPS: Stamps = MappingProxyType({})
MEMBERS = (
    *("place", "system", "profile", "items"),
    *("rank_best", "rank_worst", "headline", "interval", "received", "notes"),
)
"""Columns that JSON has in another form."""


def board_csv(board: Leaderboard, stamps: Stamps = NO_STAMPS, settings: Json = None) -> bytes:
    """Write a row per system: scores in full precision, intervals, the short stamp.

    Without the setting BESIDE each row has the whole stamp and the settings, as earlier exports.
    """
    return table_file("csv", board_data(board, stamps, settings))


def board_data(board: Leaderboard, stamps: Stamps, settings: Json) -> list[DataColumn]:
    """Return the columns of a file: those of the board, and the stamps."""
    columns = data_columns(leaderboard_table(board))
    found = [stamps.get(row.summary.id) for row in board.rows]
    if settings and settings.get(BESIDE):
        return [*columns, (COLUMN, [stamp.get("short", "") if stamp else "" for stamp in found])]
    columns.append((COLUMN, list(map(stamp_text, found))))
    if settings:
        columns.append((SETTINGS, [stamp_text(settings)] * len(board.rows)))
    return columns


def board_json(board: Leaderboard, stamps: Stamps = NO_STAMPS, settings: Json = None) -> Json:
    """Return the board as a JSON document: rows in order, scores with intervals, stamps.

    `settings` are those with which `jurydesk verify` makes it again.
    """
    return {
        "schema": SCHEMA,
        "task": board.task,
        "headline": board.headline.name if board.headline else None,
        "finding": board.finding,
        **({"received": board.received} if board.received else {}),
        **({"notes": notes} if (notes := metric_notes(board, board.metrics)) else {}),
        "systems": [
            {**_row_json(row), **more, "stamp": stamps.get(row.summary.id)}
            for row, more in zip(board.rows, _further_members(board), strict=True)
        ],
        "comparisons": [
            {"profile": profile, **significance_json(significance)}
            for profile, significance in board.significance_tests.items()
        ],
        **({} if settings is None else {SETTINGS: settings}),
    }


def _further_members(board: Leaderboard) -> list[dict[str, Json]]:
    """Return the cells of columns that are no member of `_row_json` in another form."""
    further = [one for one in data_columns(leaderboard_table(board, ())) if one[0] not in MEMBERS]
    return [
        {name: json_cell(cells[row]) for name, cells in further} for row in range(len(board.rows))
    ]


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
        "families": {"p": ALONE, "p_corrected": corrected_family(significance)},
        "lowest_p": significance.lowest,
        "minimum_detectable_difference": json_number(significance.detectable),
        "largest_detectable_difference": json_number(significance.largest_detectable),
        "pairs": [
            {**_pair_json(pair), "method": significance.method_of(pair)}
            for pair in significance.pairs
        ],
    }


def _pair_json(pair: PairTest) -> Json:
    limits, corrected = (
        None if one is None else [one.low, one.high]
        for one in (pair.interval, pair.corrected_interval)
    )
    return {
        "systems": [pair.first, pair.second],
        "difference": json_number(pair.difference),
        "interval": limits,
        "p": json_number(pair.p),
        "p_corrected": json_number(pair.corrected),
        "interval_corrected": corrected,
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
