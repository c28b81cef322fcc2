"""Command line of this program, packaged or installed."""

from __future__ import annotations

import sys


def program_command() -> list[str]:
    """Return the command without arguments."""
    frozen = getattr(sys, "frozen", False)
    return [sys.executable] if frozen else [sys.executable, "-m", "jurydesk"]
