"""Leaderboard as lines of text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from jurydesk.core.analysis.leaderboard import Leaderboard
from jurydesk.core.analysis.leaderboard_table import (
    AVERAGE_RANK,
    PLACE,
    interval_level,
    leaderboard_table,
    method_sentences,
    shown_metrics,
)
from jurydesk.core.cli.command import suggest_command
from jurydesk.core.cli.exit_codes import CommandError
from jurydesk.core.language import (
    format_number,
    localize_number,
    translate,
    translate_plural,
    translate_text,
)
from jurydesk.core.model.evaluation import MetricInfo, Score
from jurydesk.core.tables.columns import Column, NumberColumn
from jurydesk.core.tables.text_table import interval_text, text_table


def board_lines(board: Leaderboard, names: Sequence[str] = ()) -> list[str]:
    """Format the board with the named metrics (default: the first ranked ones), and its finding."""
    return [*finding_lines(board, names), *board_legend(board, names)]


def finding_lines(board: Leaderboard, names: Sequence[str] = ()) -> list[str]:
    """Format the board without the explanation of its signs and methods."""
    columns = (
        _adapt(one, board)
        for one in leaderboard_table(board, select_metrics(board, names))
        if one.title
    )
    sentences = filter(None, [board.finding, board.received])
    return [*text_table(columns), "", *map(translate_text, sentences)]


def _adapt(column: Column, board: Leaderboard) -> Column:
    """Write single ranks as `1.`, and intervals of the headline metric alone."""
    if column.name == PLACE and column.show is not None:
        places = map(column.show, range(len(board.rows)))
        texts = [f"{place}." if place.isdigit() else place for place in places]
        return replace(column, name="", show=texts.__getitem__)
    named = ("" if board.headline is None else board.headline.name, AVERAGE_RANK)
    if not isinstance(column, NumberColumn) or column.name in named:
        return column
    return replace(column, intervals=())


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


def score_text(score: Score, info: MetricInfo) -> str:
    """Return `0.5240 [0.4871, 0.5612]`: a score, with its interval if it has one."""
    value = localize_number(format_number(score.value, f".{info.decimals}f"))
    return f"{value} {interval_text(score.interval, info.decimals)}" if score.interval else value


def board_legend(board: Leaderboard, names: Sequence[str] = ()) -> list[str]:
    """Return the explanation of signs, and the number of metrics not shown."""
    lines = []
    shown = len(select_metrics(board, names))
    if any(cell.best for row in board.rows for cell in row.cells):
        lines.append(translate("* best of its metric."))
    if interval_level(board) is not None:
        lines.append(translate("[low, high] is the 95 % interval."))
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
