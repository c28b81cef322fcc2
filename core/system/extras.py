"""Installation hints for optional packages."""

from __future__ import annotations

import sys
from typing import Literal

Extra = Literal["neural", "cluster", "sealed"]

PACKAGED = "use Jurydesk's larger package, desk-neural, which has it"
"""A frozen program cannot install packages."""


def install_hint(extra: Extra) -> str:
    """Return how to install an extra, as the end of a sentence: a command, or another package."""
    if getattr(sys, "frozen", False):
        return PACKAGED
    return f"pip install 'jurydesk[{extra}]'"
