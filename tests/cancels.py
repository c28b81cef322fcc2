"""How soon a cancel is seen by a run that works at a long chunk."""

from __future__ import annotations

import time

import pytest
from chores import request

from core.run.run import Cancelled, CancelToken, Run

AT_ONCE, CANCELS = 0.2, 20
"""A busy machine may hold some cancels up, but not each of so many. The first in time ends them."""


def cancelled_after(run: Run, token: CancelToken) -> float:
    """The seconds from a cancel amid a chunk of half a second until it is seen."""
    results = run.each(request(20, seconds=0.5))
    next(results)
    token.cancel()
    began = time.monotonic()
    with pytest.raises(Cancelled):
        next(results)
    return time.monotonic() - began
