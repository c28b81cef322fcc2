"""Scores that a desk hides: commands that show them say so, unless they are told to reveal them."""

from __future__ import annotations

from pathlib import Path

import click

from jurydesk.core.cli.exit_codes import INPUT_ERRORS, CommandError
from jurydesk.core.cli.parameters import flag
from jurydesk.core.desk import Desk
from jurydesk.core.desk.hidden_scores import hidden_since


def reveal_option() -> click.Option:
    """`--reveal`."""
    return flag("--reveal", help="Show scores that the desk hides; they stay hidden there.")


def require_revealed(desk: Desk, path: Path, *, reveal: bool) -> None:
    """A Fault where the desk hides its scores and nobody asked to reveal them."""
    since = "" if reveal else hidden_since(desk)
    if since:
        raise CommandError(
            f"{path.name} hides its scores since {format_time(since)}. "
            f"`jurydesk scores open {path.name}` opens them; --reveal shows them once.",
            INPUT_ERRORS,
        )


def format_time(at: str) -> str:
    """A time of the desk (ISO 8601 in UTC) for a sentence."""
    return f"{at[:10]} {at[11:16]} UTC"
