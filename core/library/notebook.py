"""HTML tables of results in notebooks; every text is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

SHOWN_ROWS = 100


def table_html(
    head: Sequence[str], rows: Sequence[Sequence[str]], empty: str, remark: str = ""
) -> str:
    """Return a table of texts, or the sentence `empty` if there are no rows."""
    if not rows:
        return f"<p>{escape(empty)}</p>"
    titles = "".join(f'<th scope="col">{escape(title)}</th>' for title in head)
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(text)}</td>' for text in row)}</tr>"
        for row in rows[:SHOWN_ROWS]
    )
    more = len(rows) - SHOWN_ROWS
    remarks = [remark] if remark else []
    remarks += [f"... and {more:,} more"] if more > 0 else []
    below = "".join(f"<p>{escape(text)}</p>" for text in remarks)
    return f"<table><thead><tr>{titles}</tr></thead><tbody>{body}</tbody></table>{below}"
