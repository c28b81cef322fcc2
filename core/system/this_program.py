"""Command line of this program, packaged or installed."""

from __future__ import annotations

import sys

SHOWN_VARIABLE = "JURYDESK_RATING_SHOWN"
"""Environment variable with the path of a file that the rating program makes when its window is
there."""


def program_command() -> list[str]:
    """Return the command without arguments."""
    frozen = getattr(sys, "frozen", False)
    return [sys.executable] if frozen else [sys.executable, "-m", "jurydesk"]
