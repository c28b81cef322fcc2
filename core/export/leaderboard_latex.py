"""Leaderboard as a LaTeX table: best scores in bold, shared ranks, an interval column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from jurydesk.core.analysis.leaderboard import Leaderboard
from jurydesk.core.analysis.leaderboard_table import (
    AVERAGE_RANK,
    PROFILE,
    headline_first,
    interval_level,
    leaderboard_table,
    method_sentences,
    metric_columns,
    shown_metrics,
    sign_notes,
)
from jurydesk.core.export.exported_numbers import LATEX_COLUMNS, OTHER
from jurydesk.core.export.leaderboard_export import NO_STAMPS
from jurydesk.core.export.stamps_export import Stamps, latex_comments
from jurydesk.core.model.evaluation import MetricInfo
from jurydesk.core.tables.columns import Column, NumberColumn
from jurydesk.core.tables.latex_table import break_heading, latex_comment, latex_table

TEXT_WIDTH = 72
"""Number of characters in a line of a text column."""


def board_latex(
    board: Leaderboard,
    stamps: Stamps = NO_STAMPS,
    metrics: Sequence[MetricInfo] = (),
    *,
    whole: bool = True,
) -> bytes:
    """Return a `tabular` with these metrics (default: the first ranked ones that fit a page).

    The best score of every metric is bold; systems without a significant difference share their
    rank, `1--3`. The headline's interval has its own column, and each of several profiles its own
    part. Comments below describe intervals, ranks and marks, for the caption. A score that is not
    reliable is in parentheses and never bold. Scores of a board that is not the `whole` one are in
    no stamp.
    """
    shown = list(metrics) or _fitting_metrics(board)
    with_intervals = [one for one in shown if one is board.headline]
    kept = (*(one.name for one in with_intervals), AVERAGE_RANK)
    columns = [
        one if one.name in kept else _without_intervals(one)
        for one in leaderboard_table(board, shown)
        if one.title and one.name != PROFILE
    ]
    rows = [row.summary.profile for row in board.rows]
    profiles = list(dict.fromkeys(rows))
    parts = [
        (profile if len(profiles) > 1 else "", [n for n, one in enumerate(rows) if one == profile])
        for profile in profiles
    ]
    lines = [
        *latex_table(columns, [f"{board.title}: {board.finding}", *_submissions(board)], parts),
        *map(latex_comment, method_sentences(board, with_intervals)),
        *(latex_comment(f"{sign} {note}") for sign, note in sign_notes(board) if sign),
        *([_columns(board, columns, stamps)] if whole else []),
        *latex_comments(board, stamps),
    ]
    return "\n".join([*lines, ""]).encode("utf-8", errors="backslashreplace")


def _submissions(board: Leaderboard) -> list[str]:
    """Return what is not scored, and the remarks on submissions."""
    remarks = (f"{system}: {text}." for system, text in sorted(board.remarks.items()))
    return [*filter(None, [board.received]), *remarks]


def _without_intervals(column: Column) -> Column:
    return replace(column, intervals=()) if isinstance(column, NumberColumn) else column


def _columns(board: Leaderboard, columns: Sequence[Column], stamps: Stamps) -> str:
    """Return a comment for `jurydesk verify`: metric, kind and decimals of every number column."""
    known = {info.name: info for info in board.metrics}
    words = []
    for one in columns[2:]:
        info = known.get(one.name)
        words.append(f"{info.name}:value:{info.decimals}" if info else OTHER)
        if info is None and isinstance(one, NumberColumn) and any(one.intervals):
            words.append(OTHER)
        if info is not None and info is board.headline and interval_level(board) is not None:
            kind = "own" if _are_stamped(board, info, stamps) else "comparison"
            words.append(f"{info.name}:{kind}:{info.decimals}")
    return LATEX_COLUMNS + " ".join(words)


def _are_stamped(board: Leaderboard, info: MetricInfo, stamps: Stamps) -> bool:
    """Return whether all intervals of a metric were computed as the stamps say."""
    for row in board.rows:
        score = row.cells[board.metrics.index(info)].score
        stamped = {one["metric"]: one for one in stamps.get(row.summary.id, {}).get("scores", ())}
        interval = stamped.get(info.name, {}).get("interval")
        if score and score.interval and interval and interval["method"] != score.interval.method:
            return False
    return True


def _fitting_metrics(board: Leaderboard) -> list[MetricInfo]:
    """Return the first metrics that fit a page, the headline first."""
    names = [len(row.summary.system) for row in board.rows]
    room = TEXT_WIDTH - max(names, default=0) - len("Rank")
    fitting: list[MetricInfo] = []
    shown = headline_first(board, shown_metrics(board))
    for info, column in zip(shown, metric_columns(board, shown), strict=True):
        widths = [len(column.plain(row)) for row in range(len(board.rows))]
        width = max(max(widths, default=0), max(map(len, break_heading(info.title)))) + 2
        room -= width + (18 if info is board.headline and interval_level(board) else 0)
        if room < 0 and fitting:
            break
        fitting.append(info)
    return fitting
