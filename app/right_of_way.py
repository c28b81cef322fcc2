"""The window goes first: while something is being shown, jobs rest at their next check.

Otherwise every turn of the window would wait for jobs that hold the interpreter and the processors.
"""

from __future__ import annotations

import time
from functools import cache

MOMENT = 0.04
"""Seconds that are taken at once: to show something, and to paint it."""
LONGEST = 0.25
"""Seconds without a break; in the long run jobs have at least as much time as is taken."""


class RightOfWay:
    """Taken on the window's thread for a moment; jobs ask on theirs how long they should rest."""

    def __init__(self) -> None:
        self._left = LONGEST
        self._until = 0.0

    def take(self) -> None:
        """Something is going to be shown now."""
        now = time.monotonic()
        begin = max(now, self._until)
        self._left = min(LONGEST, self._left + begin - self._until)
        more = min(now + MOMENT - begin, self._left)
        self._left -= more
        self._until = begin + more

    def rest(self) -> float:
        """For how many seconds a job should do nothing."""
        return max(0.0, self._until - time.monotonic())


@cache
def right_of_way() -> RightOfWay:
    """That of this program's window."""
    return RightOfWay()
