"""Whether a window can be shown here."""

from __future__ import annotations

import os
import sys

DISPLAY_VARIABLES = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
"""One of these is set where a Linux program can show a window (Qt would abort without)."""


def has_display() -> bool:
    """Whether there is a display to show a window on."""
    if not sys.platform.startswith("linux"):
        return True
    return any(os.environ.get(name) for name in DISPLAY_VARIABLES)
