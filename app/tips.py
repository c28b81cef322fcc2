"""Tooltips: the words of files are shown as they are, and never read as markup."""

from __future__ import annotations


def tip(*lines: str) -> str:
    """A tooltip of these lines; empty ones are left out.

    Qt takes a text that looks like HTML for HTML, pictures included: so it gets HTML on purpose,
    in which every line is plain text.
    """
    from html import escape  # with its entities, which no first window waits for

    shown = [escape(line) for line in lines if line]
    return f"<div>{'<br>'.join(shown)}</div>" if shown else ""
