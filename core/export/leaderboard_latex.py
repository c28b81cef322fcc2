"""Leaderboard as a LaTeX table: booktabs rules, best scores in bold, shared ranks."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from jurydesk.core.analysis.leaderboard import Leaderboard, LeaderboardCell, LeaderboardRow
from jurydesk.core.export.board_marks import NO_MARKS, BoardMarks
from jurydesk.core.export.exported_numbers import LATEX_COLUMNS
from jurydesk.core.export.leaderboard_export import (
    NO_STAMPS,
    method_sentences,
    round_cell,
    shown_metrics,
)
from jurydesk.core.export.stamps_export import Stamps, latex_comments
from jurydesk.core.model.evaluation import MetricInfo
from jurydesk.core.tables.latex_table import escape_latex

TEXT_WIDTH = 72
"""Number of characters in a line of a text column."""
HEAD_WIDTH = 14
"""Width above which headings are broken into lines."""


def board_latex(
    board: Leaderboard,
    stamps: Stamps = NO_STAMPS,
    metrics: Sequence[MetricInfo] = (),
    *,
    whole: bool = True,
    marks: BoardMarks = NO_MARKS,
) -> bytes:
    """Return a `tabular` with these metrics (default: the first ranked ones that fit a page).

    The best score of every metric is bold; systems without a significant difference share their
    rank, `1--3`. The headline's interval has its own column, and each of several profiles its own
    part. Comments below describe intervals, ranks and marks, for the caption. A score that is not
    reliable is in parentheses and never bold. Scores of a board that is not the `whole` one are in
    no stamp.
    """
    level = _interval_level(board)
    shown = list(metrics) or _fitting_metrics(board)
    head, kinds = ["Rank", "System"], "rl"
    for info in shown:
        head.append(_heading(info.title))
        kinds += "r"
        if level is not None and info is board.headline:
            head.append(f"{100 * level:g}\\,\\% interval")
            kinds += "c"
    lines = [
        "% \\usepackage{booktabs}",
        _comment(f"{board.title}: {board.finding}"),
        f"\\begin{{tabular}}{{@{{}}{kinds}@{{}}}}",
        "\\toprule",
        " & ".join(head) + " \\\\",
        *_profile_parts(board, shown, len(kinds), marks, with_interval=level is not None),
        "\\bottomrule",
        "\\end{tabular}",
        *map(_comment, method_sentences(board)),
        *(_comment(f"{sign} {note}") for sign, note in marks.notes(board)),
        *([_columns(board, shown, stamps, with_interval=level is not None)] if whole else []),
        *latex_comments(board, stamps),
    ]
    return "\n".join([*lines, ""]).encode("utf-8", errors="backslashreplace")


def _comment(text: str) -> str:
    return f"% {' '.join(text.split())}"


def _columns(
    board: Leaderboard, shown: Sequence[MetricInfo], stamps: Stamps, *, with_interval: bool
) -> str:
    """Return a comment for `jurydesk verify`: metric, kind and decimals of every number column."""
    columns = []
    for info in shown:
        columns.append(f"{info.name}:value:{info.decimals}")
        if with_interval and info is board.headline:
            kind = "own" if _are_stamped(board, info, stamps) else "comparison"
            columns.append(f"{info.name}:{kind}:{info.decimals}")
    return LATEX_COLUMNS + " ".join(columns)


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
    for info in sorted(shown_metrics(board), key=lambda info: info is not board.headline):
        widths = [len(round_cell(row.cells[board.metrics.index(info)], info)) for row in board.rows]
        width = max(max(widths, default=0), max(map(len, _break_heading(info.title)))) + 2
        room -= width + (18 if info is board.headline and _interval_level(board) else 0)
        if room < 0 and fitting:
            break
        fitting.append(info)
    return fitting


def _break_heading(title: str) -> list[str]:
    lines = [""]
    for word in title.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and len(longer) > HEAD_WIDTH:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _heading(title: str) -> str:
    lines = [escape_latex(line) for line in _break_heading(title)]
    if len(lines) == 1:
        return lines[0]
    stacked = " \\\\ ".join(lines)
    return f"\\begin{{tabular}}[b]{{@{{}}r@{{}}}}{stacked}\\end{{tabular}}"


def _interval_level(board: Leaderboard) -> float | None:
    """Return the level of the headline's intervals; None without intervals."""
    if board.headline is None:
        return None
    cells = (row.cells[board.metrics.index(board.headline)] for row in board.rows)
    limits = (cell.score.interval for cell in cells if cell.score)
    return next((found.level for found in limits if found), None)


def _profile_parts(
    board: Leaderboard,
    shown: Sequence[MetricInfo],
    columns: int,
    marks: BoardMarks,
    *,
    with_interval: bool,
) -> Iterator[str]:
    """Yield the systems by profile, with a heading per profile if there are several."""
    profiles = list(dict.fromkeys(row.summary.profile for row in board.rows))
    for profile in profiles:
        yield "\\midrule"
        if len(profiles) > 1:
            yield f"\\multicolumn{{{columns}}}{{@{{}}l}}{{\\itshape {escape_latex(profile)}}} \\\\"
        for row in board.rows:
            if row.summary.profile == profile:
                yield _line(row, board, shown, marks, with_interval=with_interval)


def _line(
    row: LeaderboardRow,
    board: Leaderboard,
    shown: Sequence[MetricInfo],
    marks: BoardMarks,
    *,
    with_interval: bool,
) -> str:
    cells = [row.places.replace("–", "--"), escape_latex(row.summary.system)]
    for info in shown:
        cell = row.cells[board.metrics.index(info)]
        number = _format_minus(round_cell(cell, info).replace("–", "--"))
        is_known = cell.score is not None and math.isfinite(cell.score.value)
        if marks.is_doubtful(info.name):
            number = f"({number})" if is_known else number
        elif cell.best:
            number = f"\\textbf{{{number}}}"
        cells.append(number)
        if with_interval and info is board.headline:
            sign = "$^\\circ$" if marks.few_groups(cell.score) else ""
            cells.append(_interval(cell, info, sign))
    return " & ".join(cells) + " \\\\"


def _interval(cell: LeaderboardCell, info: MetricInfo, sign: str) -> str:
    limits = None if cell.score is None else cell.score.interval
    if limits is None or not (math.isfinite(limits.low) and math.isfinite(limits.high)):
        return ""
    low, high = (_format_minus(f"{end:.{info.decimals}f}") for end in (limits.low, limits.high))
    return f"{{\\footnotesize [{low}, {high}]{sign}}}"


def _format_minus(number: str) -> str:
    """Format a negative number with a minus sign."""
    return f"$-${number[1:]}" if number.startswith("-") and number != "--" else number
