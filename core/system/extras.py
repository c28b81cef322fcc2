"""Installation hints for optional packages."""

from __future__ import annotations

import sys
from typing import Literal

Extra = Literal["neural", "cluster", "sealed", "meteor", "frames"]

PACKAGED = "install its add-on (jurydesk addon install FOLDER), or the package desk-neural"
"""A frozen program has no pip; the other extras are in each of its packages."""


def install_hint(extra: Extra) -> str:
    """Return how to install an extra, as the end of a sentence: a command, or another package."""
    if getattr(sys, "frozen", False):
        return PACKAGED
    return f"pip install 'jurydesk[{extra}]'"
