"""How soon a cancel is seen by a run that works at a long chunk."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest
from chores import request

from core.run.run import Cancelled, CancelToken, Run

AT_ONCE, CANCELS = 0.2, 20
"""A busy machine may hold some cancels up, but not each of so many. The first in time ends them."""

AMID_SECONDS = 0.2
"""So long after it is asked for, a result is waited for, and not only about to be."""

LONG_SECONDS = 1.0
"""So long after a cancel the chunk would end."""


def cancelled_after(run: Run, token: CancelToken, gate: Path) -> float:
    """The seconds from a cancel, while a chunk is waited for, until it is seen.

    The chunk ends when there is a file `gate`.
    """
    began, seen = [], threading.Event()

    def cancel() -> None:
        time.sleep(AMID_SECONDS)
        began.append(time.monotonic())
        token.cancel()
        seen.wait(LONG_SECONDS)
        gate.touch()

    results = run.each(request(20, gate=str(gate)))
    next(results)
    other = threading.Thread(target=cancel)
    other.start()
    with pytest.raises(Cancelled):
        next(results)
    ended = time.monotonic()
    seen.set()
    other.join()
    return ended - began[0]
