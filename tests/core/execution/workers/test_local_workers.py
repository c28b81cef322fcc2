from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

from jurydesk.core.execution.workers.local_workers import LocalWorkers


def test_chunks_that_wait_when_workers_are_closed_are_not_scored() -> None:
    workers, gate = LocalWorkers(1), threading.Event()
    pool = workers._threads = ThreadPoolExecutor(1)
    current, waiting = pool.submit(gate.wait), pool.submit(gate.wait)
    workers.close()
    is_cancelled = waiting.cancelled()
    gate.set()
    assert is_cancelled
    assert current.result(10)
