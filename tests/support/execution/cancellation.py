"""Cancellation while a run waits for a long chunk."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from jurydesk.core.execution.run import Cancelled, CancelToken, Run
from support.execution.square_chunks import request

AMID_SECONDS = 0.2
"""So long after it is asked for, a result is waited for, and not only about to be."""


def assert_a_cancel_does_not_wait_for_a_chunk(run: Run, token: CancelToken, gate: Path) -> None:
    """Check that the run ends while its chunks still wait for the file `gate`.

    A run that waited for its chunk would fail with the chunk's TimeoutError.
    """

    def cancel() -> None:
        time.sleep(AMID_SECONDS)
        token.cancel()

    results = run.each(request(20, gate=str(gate)))
    next(results)
    other = threading.Thread(target=cancel)
    other.start()
    try:
        with pytest.raises(Cancelled):
            next(results)
        assert token.cancelled
        assert not gate.exists()
    finally:
        other.join()
        gate.touch()
