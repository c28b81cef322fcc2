"""What the scheduler of a cluster promised, as a future that any thread can wait for.

Not by `distributed`'s own executor: having fetched a result, it looks again at how the task is. A
worker that died in between makes the task one that is to be done again, and its result, which is
here, is raised as if it were an error.
"""

from __future__ import annotations

from concurrent.futures import CancelledError, Future
from typing import Any


def delivered(remote: Any) -> Future[Any]:
    """A future with what comes of `remote`, a future of `distributed`.

    It is cancelled together with the task, and raises CancelledError where the scheduler dropped
    the task, or the connection broke while the result was fetched.
    """
    future: Future[Any] = Future()
    future.add_done_callback(lambda _: remote.release())
    remote.client.loop.add_callback(_deliver, remote, future)
    return future


async def _deliver(remote: Any, future: Future[Any]) -> None:
    """Pass on, in the client's loop, what comes; the client fetches many results at once."""
    result, error = None, None
    try:
        result = await remote
    except Exception as raised:  # noqa: BLE001 - whoever waits for it decides
        error = raised
        if isinstance(raised, OSError) and remote.status != "error":  # not raised by the work
            error = CancelledError(str(raised))
    if not future.set_running_or_notify_cancel():
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)
