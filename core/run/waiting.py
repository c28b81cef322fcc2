"""Waiting for a future in short turns, between which the run looks whether it shall stop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from concurrent.futures import Future


def is_of_the_work(error: TimeoutError, future: Future[Any]) -> bool:
    """Whether the work itself raised this, rather than a turn of waiting for it that is over.

    That the future is done does not tell: it may have been done a moment after the turn was over.
    """
    return future.done() and not future.cancelled() and future.exception() is error
