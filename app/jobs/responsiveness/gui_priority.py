"""Priority of the window's thread over jobs, which share the interpreter with it."""

from __future__ import annotations

import sys
import time
from functools import cache

PYTHON_SWITCH_SECONDS = sys.getswitchinterval()
SWITCH_SECONDS = 0.0001
"""How long a thread may hold the GIL while the window waits for it."""

RESERVED_SECONDS = 0.04
"""Time reserved at once: to show something and to paint it."""

LONGEST_SECONDS = 0.25
"""The longest time without a break; in the long run jobs have at least half of the time."""


class GuiPriority:
    """Time reserved by the window's thread, for which jobs pause in theirs."""

    def __init__(self) -> None:
        self._left = LONGEST_SECONDS
        self._until = 0.0

    def start(self) -> None:
        """Shorten the interpreter's switch interval, for the whole process."""
        sys.setswitchinterval(SWITCH_SECONDS)

    def stop(self) -> None:
        """Restore Python's switch interval."""
        sys.setswitchinterval(PYTHON_SWITCH_SECONDS)

    def reserve(self) -> None:
        """Make jobs pause for a moment, because something is about to be shown."""
        now = time.monotonic()
        begin = max(now, self._until)
        self._left = min(LONGEST_SECONDS, self._left + begin - self._until)
        more = min(now + RESERVED_SECONDS - begin, self._left)
        self._left -= more
        self._until = begin + more

    def pause(self) -> float:
        """Return the number of seconds that a job should pause."""
        return max(0.0, self._until - time.monotonic())


@cache
def gui_priority() -> GuiPriority:
    """Return the priority of the program's window."""
    return GuiPriority()
