"""How this very program is started once more: packaged, or installed."""

from __future__ import annotations

import sys


def program_command() -> list[str]:
    """Return the beginning of the command; arguments follow."""
    frozen = getattr(sys, "frozen", False)
    return [sys.executable] if frozen else [sys.executable, "-m", "jurydesk"]
