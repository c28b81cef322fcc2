"""Leaderboard of a report as an HTML table, which works without scripts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape

from jurydesk.core.analysis.leaderboard import Leaderboard, LeaderboardCell, LeaderboardRow
from jurydesk.core.export.board_marks import NO_MARKS, BoardMarks
from jurydesk.core.export.leaderboard_export import label_system, round_cell
from jurydesk.core.export.stamps_export import Stamps
from jurydesk.core.model.evaluation import Interval, MetricInfo

Scale = tuple[float, float]
NUMBER = ' class="number"'


def board_table(
    board: Leaderboard,
    shown: Sequence[MetricInfo],
    *,
    stamps: Stamps | None = None,
    marks: BoardMarks = NO_MARKS,
) -> str:
    """Return the table: rank, system, headline with a drawn interval, then every metric.

    Metrics that are not in `shown` are hidden by default. Numbers that are not reliable are
    never bold; the style sheet writes the `marks`, so that numbers stay readable for `verify`.
    """
    headline = board.headline
    first = [headline] if headline is not None else []
    metrics = [*first, *(info for info in board.metrics if info is not headline)]
    scale = _scale(board)
    heads = ['<th scope="col" class="rank">Rank</th>', '<th scope="col">System</th>']
    for info in metrics:
        hidden = info not in shown and info is not headline
        heads.append(_head(info, hidden=hidden, doubt=marks.reasons.get(info.name, "")))
        if info is headline and scale is not None:
            heads.append(f'<th scope="col" class="strip">{_level(board)} interval</th>')
    rows = (_row(row, board, metrics, shown, scale, stamps, marks) for row in board.rows)
    return html_table(heads, rows, "The board")


def html_table(heads: Iterable[str], rows: Iterable[str], caption: str) -> str:
    """Return a table of finished cells."""
    return (
        f'<table><caption class="hidden">{escape(caption)}</caption>'
        f"<thead><tr>{''.join(heads)}</tr></thead>\n"
        f"<tbody>\n{chr(10).join(rows)}\n</tbody></table>"
    )


def marks_note(board: Leaderboard, marks: BoardMarks) -> str:
    """Return the explanations of the signs in the table, a paragraph each."""
    return "".join(
        f'<p class="small sign" data-sign="{sign}">{escape(note)}</p>'
        for sign, note in marks.notes(board)
    )


def text_table(heads: Sequence[str], rows: Iterable[Sequence[str]], caption: str) -> str:
    """Return a table of texts; all columns but the first are right-aligned."""
    cells = [
        f'<th scope="col"{"" if number == 0 else NUMBER}>{escape(text)}</th>'
        for number, text in enumerate(heads)
    ]
    return html_table(cells, map(_text_row, rows), caption)


def _text_row(row: Sequence[str]) -> str:
    name, *others = map(escape, row)
    cells = "".join(f"<td{NUMBER}>{text}</td>" for text in others)
    return f'<tr><th scope="row">{name}</th>{cells}</tr>'


def _head(info: MetricInfo, *, hidden: bool, doubt: str) -> str:
    extra = " extra" if hidden else ""
    tip = escape(" ".join(filter(None, (info.summary, _direction(info), doubt))), quote=True)
    return f'<th scope="col" class="number{extra}" title="{tip}">{escape(info.title)}</th>'


def _direction(info: MetricInfo) -> str:
    return {"higher": "Higher is better.", "lower": "Lower is better."}.get(info.better, "")


def _level(board: Leaderboard) -> str:
    found = next((limits for limits in _intervals(board) if limits), None)
    return f"{100 * (found.level if found else 0.95):g} %"


def _row(
    row: LeaderboardRow,
    board: Leaderboard,
    metrics: Sequence[MetricInfo],
    shown: Sequence[MetricInfo],
    scale: Scale | None,
    stamps: Stamps | None,
    marks: BoardMarks,
) -> str:
    stale = ' <span class="chip bad">out of date</span>' if row.summary.stale else ""
    about = f'<span class="about">{escape(row.summary.about)}</span>' if row.summary.about else ""
    name = escape(label_system(row, board))
    number = board.rows.index(row)
    before = board.rows[number - 1].summary.profile if number else row.summary.profile
    kind = "" if before == row.summary.profile else ' class="next"'
    cells = [
        f'<td class="rank" data-value="{row.place or ""}">{row.places or "–"}</td>',
        f'<th scope="row"><bdi class="name">{name}</bdi>{stale}{about}</th>',
    ]
    for info in metrics:
        cell = row.cells[board.metrics.index(info)]
        is_headline = info is board.headline
        extra = info not in shown and not is_headline
        cells.append(_cell(cell, info, marks, extra=extra))
        if is_headline and scale is not None:
            cells.append(f'<td class="strip">{_strip(cell, scale)}</td>')
    if stamps is not None:  # for `jurydesk verify`
        given = (row.summary.system, row.summary.profile)
        system, profile = (escape(one, quote=True) for one in given)
        kind += f' data-system="{system}" data-profile="{profile}"'
    return f"<tr{kind}>{''.join(cells)}</tr>"


def _cell(cell: LeaderboardCell, info: MetricInfo, marks: BoardMarks, *, extra: bool) -> str:
    is_doubtful = marks.is_doubtful(info.name)
    kind = "number extra" if extra else "number"
    text = round_cell(cell, info).replace("-", "−")
    value = math.nan if cell.score is None else cell.score.value
    shown = f"<b>{text}</b>" if cell.best else text
    if is_doubtful:
        shown = f"<i>{text}</i>" if math.isfinite(value) else text
        kind += " doubtful"
    limits = cell.score.interval if cell.score else None
    if limits is not None and math.isfinite(limits.low) and math.isfinite(limits.high):
        ends = " – ".join(f"{end:.{info.decimals}f}" for end in (limits.low, limits.high))
        few = marks.few_groups(cell.score)
        caution = f"The interval is based on only {few}: interpret it with caution."
        mark = f'interval few" title="{escape(caution, quote=True)}' if few else "interval"
        shown += f'<span class="{mark}">{ends.replace("-", "−")}</span>'
    exact = f' data-value="{value!r}" title="{value!r}"' if math.isfinite(value) else ""
    exact += f' data-metric="{escape(info.name, quote=True)}" data-decimals="{info.decimals}"'
    if limits is not None:
        exact += f' data-method="{escape(limits.method, quote=True)}"'
    return f'<td class="{kind}"{exact}>{shown}</td>'


def _intervals(board: Leaderboard) -> list[Interval | None]:
    if board.headline is None:
        return []
    place = board.metrics.index(board.headline)
    scores = (row.cells[place].score for row in board.rows)
    return [score.interval if score else None for score in scores]


def _scale(board: Leaderboard) -> Scale | None:
    """Return the range of the headline's intervals, with a margin; None without intervals."""
    ends = [
        end
        for limits in _intervals(board)
        if limits
        for end in (limits.low, limits.high)
        if math.isfinite(end)
    ]
    if not ends:
        return None
    low, high = min(ends), max(ends)
    margin = 0.04 * (high - low) or 1.0
    return low - margin, high + margin


def _strip(cell: LeaderboardCell, scale: Scale) -> str:
    """Draw the interval as a line and the score as a dot, on the scale of all systems."""
    limits = cell.score.interval if cell.score else None
    if cell.score is None or limits is None:
        return ""
    low, high, value = (_share(end, scale) for end in (limits.low, limits.high, cell.score.value))
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
