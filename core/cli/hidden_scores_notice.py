"""Refusal of commands to show scores that a desk hides, unless `--reveal` is given."""

from __future__ import annotations

from pathlib import Path

import click

from jurydesk.core.cli.exit_codes import INPUT_ERRORS, CommandError
from jurydesk.core.cli.parameters import flag
from jurydesk.core.desk import Desk
from jurydesk.core.desk.hidden_scores import hidden_since


def reveal_option() -> click.Option:
    """Return the option `--reveal`."""
    return flag("--reveal", help="Show hidden scores; they stay hidden in the desk.")


def require_revealed(desk: Desk, path: Path, *, reveal: bool) -> None:
    """Raise CommandError if the desk hides its scores and `reveal` is not set."""
    since = "" if reveal else hidden_since(desk)
    if since:
        raise CommandError(
            f"The scores in {path.name} have been hidden since {format_time(since)}. "
            f"`jurydesk scores open {path.name}` opens them; --reveal shows them once.",
            INPUT_ERRORS,
        )


def format_time(at: str) -> str:
    """Format a time of the desk (ISO 8601 in UTC) for a message."""
    return f"{at[:10]} {at[11:16]} UTC"
