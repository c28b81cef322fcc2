"""Leaderboard of a report as an HTML table, which works without scripts."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from html import escape

from jurydesk.core.analysis.leaderboard import Leaderboard
from jurydesk.core.analysis.leaderboard_rows import LeaderboardRow
from jurydesk.core.analysis.leaderboard_table import (
    PLACE,
    PROFILE,
    SYSTEM,
    headline_first,
    label_system,
    leaderboard_table,
    sign_notes,
)
from jurydesk.core.export.stamps_export import Stamps
from jurydesk.core.language import Message, fill, format_number, join_messages
from jurydesk.core.model.evaluation import Interval, MetricInfo
from jurydesk.core.tables import numbers
from jurydesk.core.tables.columns import Column, NumberColumn
from jurydesk.core.tables.html_table import finished_table, html_cell, html_head, message_data

Scale = tuple[float, float]
Scales = Mapping[str, Scale | None]
"""Scale of the drawn intervals by the name of their column."""


def board_table(
    board: Leaderboard, shown: Sequence[MetricInfo], *, stamps: Stamps | None = None
) -> str:
    """Return the table: rank, system, headline with a drawn interval, then every metric.

    Metrics that are not in `shown` are hidden by default. Numbers that are not reliable are
    never bold; the style sheet writes their signs, so that numbers stay readable for `verify`.
    """
    headline = "" if board.headline is None else board.headline.name
    hidden = {info.name for info in board.metrics if info not in shown} - {headline}
    columns = [
        one
        for one in leaderboard_table(board, headline_first(board, board.metrics))
        if one.title and one.name != PROFILE
    ]
    scales = {
        one.name: _scale(one.intervals)
        for one in columns
        if isinstance(one, NumberColumn) and one.name == headline
    }
    heads = (head for one in columns for head in _heads(board, one, hidden, scales))
    rows = (_row(board, columns, row, hidden, scales, stamps) for row in range(len(board.rows)))
    return finished_table(heads, rows, "The board")


def marks_note(board: Leaderboard) -> str:
    """Return the explanations of the signs in the table, a paragraph each."""
    return "".join(
        f'<p class="small sign" data-sign="{sign}"{message_data(note)}>{escape(note)}</p>'
        for sign, note in sign_notes(board)
    )


def _heads(
    board: Leaderboard, column: Column, hidden: Collection[str], scales: Scales
) -> Iterator[str]:
    """Yield the heads of a column, and of the drawn intervals of the headline metric."""
    info = next((one for one in board.metrics if one.name == column.name), None)
    if column.name == PLACE:
        title = column.title
        yield f'<th scope="col" class="rank"{message_data(title)}>{escape(title)}</th>'
    elif info is None:
        yield html_head(column)
    else:
        extra = " extra" if info.name in hidden else ""
        tip = join_messages((info.summary, _direction(info), info.doubt, info.caveat))
        data = f"{message_data(tip, 'title')}{message_data(Message(info.title))}"
        about = f'class="number{extra}" title="{escape(tip, quote=True)}"{data}'
        yield f'<th scope="col" {about}>{escape(info.title)}</th>'
    if isinstance(column, NumberColumn) and scales.get(column.name) is not None:
        level = next(one.level for one in column.intervals if one)
        title = fill("{level:g} % interval", 100 * level)
        yield f'<th scope="col" class="strip"{message_data(title)}>{title}</th>'


def _direction(info: MetricInfo) -> str:
    return {"higher": "Higher is better.", "lower": "Lower is better."}.get(info.better, "")


def _row(
    board: Leaderboard,
    columns: Sequence[Column],
    row: int,
    hidden: Collection[str],
    scales: Scales,
    stamps: Stamps | None,
) -> str:
    one = board.rows[row]
    before = board.rows[max(row - 1, 0)].summary.profile
    kind = "" if before == one.summary.profile else ' class="next"'
    if stamps is not None:  # for `jurydesk verify`
        given = (one.summary.system, one.summary.profile)
        system, profile = (escape(text, quote=True) for text in given)
        kind += f' data-system="{system}" data-profile="{profile}"'
    cells = (cell for column in columns for cell in _cells(board, column, row, hidden, scales))
    return f"<tr{kind}>{''.join(cells)}</tr>"


def _cells(
    board: Leaderboard, column: Column, row: int, hidden: Collection[str], scales: Scales
) -> Iterator[str]:
    """Yield a cell, and the drawn interval of the headline metric."""
    if column.name == PLACE:
        place, text = board.rows[row].place or "", column.plain(row) or numbers.UNDEFINED
        yield f'<td class="rank" data-value="{place}">{text}</td>'
    elif column.name == SYSTEM:
        yield _system_cell(board, board.rows[row], column.remarks.get(row, ""))
    elif isinstance(column, NumberColumn) and column.best is not None:
        yield _score_cell(column, row, "number extra" if column.name in hidden else "number")
        scale = scales.get(column.name)
        if scale is not None:
            yield f'<td class="strip">{_strip(column, row, scale)}</td>'
    else:
        yield html_cell(column, row)


def _system_cell(board: Leaderboard, row: LeaderboardRow, remark: str) -> str:
    data = message_data(remark)
    chip = f' <span class="chip bad"{data}>{escape(remark)}</span>' if remark else ""
    about = f'<span class="about">{escape(row.summary.about)}</span>' if row.summary.about else ""
    name = escape(label_system(row, board))
    return f'<th scope="row"><bdi class="name">{name}</bdi>{chip}{about}</th>'


def _score_cell(column: NumberColumn, row: int, kind: str) -> str:
    text = column.plain(row).replace("-", numbers.MINUS)
    value = column.values[row].item()
    is_known = math.isfinite(value)
    shown = f"<b>{text}</b>" if row in (column.best or ()) else text
    if row in column.doubtful:
        shown = f"<i>{text}</i>" if is_known else text
        kind += " doubtful"
    limits = column.intervals[row]
    if limits is not None and math.isfinite(limits.low) and math.isfinite(limits.high):
        ends = " – ".join(
            format_number(end, f".{column.decimals}f") for end in (limits.low, limits.high)
        )
        caution = column.remarks.get(row, "")
        mark = 'class="interval"'
        if caution:
            data = message_data(caution, "title")
            mark = f'class="interval few" title="{escape(caution, quote=True)}"{data}'
        shown += f"<span {mark}>{ends.replace('-', numbers.MINUS)}</span>"
    exact = f' data-value="{value!r}" title="{value!r}"' if is_known else ""
    exact += f' data-metric="{escape(column.name, quote=True)}" data-decimals="{column.decimals}"'
    if limits is not None:
        exact += f' data-method="{escape(limits.method, quote=True)}"'
    return f'<td class="{kind}"{exact}>{shown}</td>'


def _scale(intervals: Iterable[Interval | None]) -> Scale | None:
    """Return the range of the intervals, with a margin; None without intervals."""
    limits = (end for one in intervals if one for end in (one.low, one.high))
    ends = [end for end in limits if math.isfinite(end)]
    if not ends:
        return None
    low, high = min(ends), max(ends)
    margin = 0.04 * (high - low) or 1.0
    return low - margin, high + margin


def _strip(column: NumberColumn, row: int, scale: Scale) -> str:
    """Draw the interval as a line and the score as a dot, on the scale of all systems."""
    limits = column.intervals[row]
    if limits is None:
        return ""
    low, high, value = (
        _share(end, scale) for end in (limits.low, limits.high, column.values[row].item())
    )
    return (
        '<svg class="mark" width="150" height="14" aria-hidden="true" focusable="false">'
        '<line class="rail" x1="0" x2="100%" y1="7" y2="7"/>'
        f'<line class="whisker" x1="{low}" x2="{high}" y1="7" y2="7"/>'
        f'<circle class="dot" cx="{value}" cy="7" r="4.5"/></svg>'
    )


def _share(value: float, scale: Scale) -> str:
    low, high = scale
    share = (value - low) / (high - low) if math.isfinite(value) else 0.0
    return f"{100 * min(1.0, max(0.0, share)):.2f}%"
