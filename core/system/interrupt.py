"""Handling of Ctrl+C during start-up, imports, work and shutdown.

Python's KeyboardInterrupt prints a traceback if nothing catches it yet, and is lost or becomes an
ImportError within an import. This module is loaded before all others, so it imports very little.
Only Python's own start, about 30 ms, is not covered.
"""

from __future__ import annotations

import _thread
import atexit
import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from types import FrameType

CANCELLED = 130
"""Exit code of a process ended by Ctrl+C, as in shells."""

MOMENT_SECONDS = 0.01
IMPORTS = "<frozen importlib._bootstrap"


def exit_on_interrupt() -> None:
    """Let Ctrl+C end this process silently with exit code 130, before anything needs cleaning up.

    A process that was started with Ctrl+C ignored, such as a background job of a shell, continues
    to ignore it, and so does a process that is shutting down.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _exit_cancelled)
        atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """Let Ctrl+C raise KeyboardInterrupt within the block, which cleans up after itself."""
    if signal.getsignal(signal.SIGINT) is not _exit_cancelled:
        yield
        return
    signal.signal(signal.SIGINT, raise_interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, _exit_cancelled)


@contextlib.contextmanager
def noted_interrupt() -> Iterator[Callable[[], bool]]:
    """Provide whether Ctrl+C was pressed within the block; it does what it did before.

    In other threads than the main one, which Ctrl+C does not reach, it never was.
    """
    pressed: list[int] = []
    before = signal.getsignal(signal.SIGINT)

    def note(number: int, frame: FrameType | None) -> None:
        pressed.append(number)
        if callable(before):
            before(number, frame)

    try:
        signal.signal(signal.SIGINT, note if callable(before) else before)
    except (TypeError, ValueError):  # another thread, or a handler that is not Python's
        yield lambda: False
        return
    try:
        yield lambda: bool(pressed)
    finally:
        if signal.getsignal(signal.SIGINT) is note:
            signal.signal(signal.SIGINT, before)


def raise_interrupt(number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt, or during an import signal again as soon as that is done.

    This is a handler of SIGINT; the repeated signal goes to the handler installed by then.
    """
    if not _is_importing(frame):
        raise KeyboardInterrupt
    _thread.start_new_thread(_signal_again, (_thread.get_ident(),))


def _signal_again(main_thread: int) -> None:
    time.sleep(MOMENT_SECONDS)
    if sys.platform == "win32":
        _thread.interrupt_main()
    else:  # a real signal also interrupts a sleep
        signal.pthread_kill(main_thread, signal.SIGINT)


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith(IMPORTS):
            return True
        frame = frame.f_back
    return False


def _exit_cancelled(number: int, frame: FrameType | None) -> None:
    os._exit(CANCELLED)
