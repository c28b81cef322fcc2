"""Arenas of the C library's memory allocator."""

from __future__ import annotations

import ctypes
import sys

M_ARENA_MAX = -8
"""Parameter of mallopt(3)."""
ARENAS = 2


def limit_arenas(count: int = ARENAS) -> bool:
    """Let all threads share `count` arenas of memory; return whether the C library does so.

    By default glibc gives each of the first 8 threads per processor an arena of its own. Memory
    that a job's thread has freed is then not used by the next job's thread: after 30 desks four
    times the memory in use was held, and it grew further with each desk.
    """
    if sys.platform != "linux":
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):  # another C library than glibc
        return False
    return bool(mallopt(M_ARENA_MAX, count))


def return_freed_memory() -> bool:
    """Give freed memory back to the system, which the C library would keep; glibc alone can.

    After a long file was read, that is several times the size of the file.
    """
    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError, TypeError):
        return False
    return bool(trim(0))
