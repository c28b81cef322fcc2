"""A board as an HTML page of its own."""

from __future__ import annotations

from html import escape

from core.board import Board, Cell, Row
from core.export.boards import named, rounded
from core.model import MetricInfo

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>{title}</title>
<style>
body {{ font-family: system-ui, sans-serif; margin: 2em; }}
table {{ border-collapse: collapse; }}
th, td {{ padding: 0.3em 0.8em; border-bottom: 1px solid #ccc; text-align: left; }}
td.number, th.number {{ text-align: right; font-variant-numeric: tabular-nums; }}
.interval {{ color: #666; font-size: smaller; }}
</style>
<h1>{title}</h1>
<p>{finding}</p>
<table>
<thead><tr>{head}</tr></thead>
<tbody>
{rows}
</tbody>
</table>
</html>
"""


def board_html(board: Board) -> bytes:
    """The board with its intervals; without scripts, and without anything from elsewhere."""
    heads = [f'<th class="number">{escape(info.title)}</th>' for info in board.metrics]
    page = PAGE.format(
        title=escape(board.title),
        finding=escape(board.finding),
        head="".join(["<th>Rank</th><th>System</th>", *heads]),
        rows="\n".join(_row(row, board) for row in board.rows),
    )
    return page.encode("utf-8", errors="xmlcharrefreplace")


def _row(row: Row, board: Board) -> str:
    cells = [_cell(cell, info) for cell, info in zip(row.cells, board.metrics, strict=True)]
    name = escape(named(row, board))
    return f"<tr><td>{row.places}</td><td>{name}</td>{''.join(cells)}</tr>"


def _cell(cell: Cell, info: MetricInfo) -> str:
    shown = f"<b>{rounded(cell, info)}</b>" if cell.best else rounded(cell, info)
    interval = cell.score.interval if cell.score else None
    if interval is not None:
        low, high = (f"{value:.{info.decimals}f}" for value in (interval.low, interval.high))
        shown += f' <span class="interval">[{low}, {high}]</span>'
    return f'<td class="number">{shown}</td>'
