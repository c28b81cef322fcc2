"""What a user does to have the packages that the base program works without."""

from __future__ import annotations

import sys
from typing import Literal

Extra = Literal["neural", "cluster"]

PACKAGED = "use Jurydesk's larger package, desk-neural, which has it"
"""In a package nothing can be installed: the other one is needed."""


def remedy(extra: Extra) -> str:
    """How to come by an extra, as the end of a sentence: the line to type, or which package."""
    if getattr(sys, "frozen", False):
        return PACKAGED
    return f"pip install 'jurydesk[{extra}]'"
