"""Ctrl-C at every moment of a process: while it starts, while it imports, at its work, at its end.

Python's own answer, KeyboardInterrupt, prints a traceback where nobody catches it yet, and is lost
or becomes an ImportError within an import. This module is loaded before all others: it imports
next to nothing. What is left to Python is its own start, some 30 ms.
"""

from __future__ import annotations

import _thread
import atexit
import contextlib
import os
import signal
import sys
import time
from collections.abc import Iterator
from types import FrameType

CANCELLED = 130
"""The exit code of what Ctrl-C has ended, as shells count it."""

MOMENT_SECONDS = 0.01
IMPORTS = "<frozen importlib._bootstrap"


def exit_on_interrupt() -> None:
    """Let Ctrl-C end this process at once and without a word, with 130: nothing is to be tidied up.

    A process that was started to ignore Ctrl-C, as shells start those in the background, goes on
    to ignore it. What has done all its work and is only being taken down ignores it too.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)
        atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """Let Ctrl-C be KeyboardInterrupt for the work of this block, which tidies up after itself."""
    if signal.getsignal(signal.SIGINT) is not _leave:
        yield
        return
    signal.signal(signal.SIGINT, raise_interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, _leave)


def raise_interrupt(number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt, in the midst of an import as soon as that is done.

    This is what a handler of SIGINT does; the one that stands then is asked again.
    """
    if not _is_importing(frame):
        raise KeyboardInterrupt
    _thread.start_new_thread(_ask_again, (_thread.get_ident(),))


def _ask_again(main_thread: int) -> None:
    time.sleep(MOMENT_SECONDS)
    if sys.platform == "win32":
        _thread.interrupt_main()
    else:  # a signal of the system's also ends a sleep
        signal.pthread_kill(main_thread, signal.SIGINT)


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith(IMPORTS):
            return True
        frame = frame.f_back
    return False


def _leave(number: int, frame: FrameType | None) -> None:
    os._exit(CANCELLED)
