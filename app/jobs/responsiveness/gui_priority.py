"""Priority of the window's thread over jobs, which share the interpreter with it."""

from __future__ import annotations

import sys
import time
from functools import cache

PYTHON_SWITCH_SECONDS = sys.getswitchinterval()
SWITCH_SECONDS = 0.0001
"""How long a thread may hold the interpreter while the window waits for it."""

RESERVED_SECONDS = 0.04
"""What is reserved at once: to show something, and to paint it."""

LONGEST_SECONDS = 0.25
"""The longest time without a break; in the long run jobs have at least half of the time."""


class GuiPriority:
    """The window reserves moments on its thread; jobs ask on theirs how long to pause."""

    def __init__(self) -> None:
        self._left = LONGEST_SECONDS
        self._until = 0.0

    def start(self) -> None:
        """Let the window's thread wait less for the interpreter, in the whole process."""
        sys.setswitchinterval(SWITCH_SECONDS)

    def stop(self) -> None:
        """Set Python's own switch interval again."""
        sys.setswitchinterval(PYTHON_SWITCH_SECONDS)

    def reserve(self) -> None:
        """Keep jobs away for a moment: something is going to be shown now."""
        now = time.monotonic()
        begin = max(now, self._until)
        self._left = min(LONGEST_SECONDS, self._left + begin - self._until)
        more = min(now + RESERVED_SECONDS - begin, self._left)
        self._left -= more
        self._until = begin + more

    def pause(self) -> float:
        """Return for how many seconds a job should do nothing."""
        return max(0.0, self._until - time.monotonic())


@cache
def gui_priority() -> GuiPriority:
    """Return the priority of this program's window."""
    return GuiPriority()
