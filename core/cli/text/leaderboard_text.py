"""Leaderboard as lines of text."""

from __future__ import annotations

import math
from collections.abc import Sequence

from jurydesk.core.analysis.leaderboard import Leaderboard, LeaderboardCell, LeaderboardRow
from jurydesk.core.cli.command import suggest_command
from jurydesk.core.cli.exit_codes import CommandError
from jurydesk.core.export.leaderboard_export import method_sentences, shown_metrics
from jurydesk.core.language import localize_number, translate, translate_plural, translate_text
from jurydesk.core.model.evaluation import MetricInfo, Score
from jurydesk.core.tables.text_table import align_columns


def board_lines(board: Leaderboard, names: Sequence[str] = ()) -> list[str]:
    """Format the board with the named metrics (default: the first ranked ones), and its finding."""
    shown = [board.metrics.index(info) for info in select_metrics(board, names)]
    profiles = {row.summary.profile for row in board.rows}
    head = ["", translate("system"), *([translate("profile")] if len(profiles) > 1 else [])]
    first = len(head)
    rows = [
        [rank_text(row), system_text(row), *([row.summary.profile] if len(profiles) > 1 else [])]
        + [cell_text(row.cells[i], board.metrics[i], board.headline) for i in shown]
        for row in board.rows
    ]
    head += [board.metrics[i].name for i in shown]
    lines = align_columns(head, rows, right={0, *range(first, first + len(shown))})
    return [*lines, "", translate_text(board.finding), *board_legend(board, len(shown))]


def select_metrics(board: Leaderboard, names: Sequence[str]) -> list[MetricInfo]:
    """Return the metrics of these names; without names those that the board shows by default."""
    by_name = {info.name: info for info in board.metrics}
    for name in names:
        if name not in by_name:
            advice = suggest_command(name, list(by_name))
            refusal = translate('The board has no metric "{name}".', name=name)
            raise CommandError(f"{refusal} {advice}")
    if names:
        return [by_name[name] for name in names]
    return shown_metrics(board)


def rank_text(row: LeaderboardRow) -> str:
    """Return the possible ranks of a system: `1.`, or `1–3` without significant differences."""
    return row.places if row.places != str(row.place) else f"{row.place}."


def system_text(row: LeaderboardRow) -> str:
    """Return the system's name, marked where its result is out of date."""
    if not row.summary.stale:
        return row.summary.system
    return translate("{system} (out of date)", system=row.summary.system)


def cell_text(cell: LeaderboardCell, info: MetricInfo, headline: MetricInfo | None) -> str:
    """Format a score, with a star if it is the best, and an interval for the headline metric.

    A score that is not reliable is in parentheses, without a star.
    """
    if cell.score is None or not math.isfinite(cell.score.value):
        return "-"
    if info is headline:
        number = score_text(cell.score, info)
    else:
        number = localize_number(f"{cell.score.value:.{info.decimals}f}")
    if info.doubt:
        return f"({number}) "
    return f"{number}{'*' if cell.best else ' '}"


def score_text(score: Score, info: MetricInfo) -> str:
    """Return `0.5240 [0.4871, 0.5612]`: a score, with its interval if it has one."""
    numbers = [score.value]
    if score.interval is not None:
        numbers += [score.interval.low, score.interval.high]
    value, *limits = (localize_number(f"{number:.{info.decimals}f}") for number in numbers)
    return f"{value} {interval_text(*limits)}" if limits else value


def interval_text(low: str, high: str) -> str:
    """Return `[0.4871, 0.5612]`, with a semicolon where the comma is the decimal point."""
    return translate("[{low}, {high}]", low=low, high=high)


def board_legend(board: Leaderboard, shown: int) -> list[str]:
    """Return the explanation of signs, and the number of metrics not shown."""
    lines = []
    if any(cell.best for row in board.rows for cell in row.cells):
        lines.append(translate("* best of its metric; [low, high] is the 95 % interval."))
    doubts = dict.fromkeys(info.doubt for info in board.metrics if info.doubt)
    lines += [f"( ) {translate_text(one)}" for one in doubts]
    lines += map(translate_text, method_sentences(board))
    if len(board.metrics) > shown:
        lines.append(
            translate_plural(
                "{count} metric in all; --json FILE writes all of them.",
                "{count} metrics in all; --json FILE writes all of them.",
                len(board.metrics),
            )
        )
    return lines
