"""Call in a separate process with limits on its memory and CPU time."""

from __future__ import annotations

import os
import resource
import signal
import sys
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path

MEMORY_BYTES, CPU_SECONDS = 1 << 30, 10
FAILED = 70
"""Exit code of a call that raised an exception."""


def failure(
    call: Callable[[], object], memory: int = MEMORY_BYTES, seconds: int = CPU_SECONDS
) -> str:
    """Make the call in a forked process and return its failure; empty if there is none.

    That is a traceback, `memory` bytes more than this process has, more than `seconds` of processor
    time, or a signal.
    """
    reading, writing = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # threads of libraries, which sleep
        child = os.fork()
    if child == 0:
        os.close(reading)
        _run_limited(call, writing, memory, seconds)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read().decode("utf-8", "replace")
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        is_slow = number == signal.SIGXCPU
        return f"more than {seconds} s of processor time" if is_slow else f"signal {number}"
    if "MemoryError" in told:
        return f"more than {memory / 2**20:.0f} MB of memory\n{told}"
    return told


def _run_limited(call: Callable[[], object], writing: int, memory: int, seconds: int) -> None:
    """Make the call within its limits, write its traceback, and end this process."""
    code = 0
    try:
        limit = _data_bytes() + memory
        resource.setrlimit(resource.RLIMIT_DATA, (limit, resource.RLIM_INFINITY))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        signal.signal(signal.SIGXCPU, signal.SIG_DFL)
        call()
    except BaseException:  # noqa: BLE001 - every one is a failure to report
        code = FAILED
        resource.setrlimit(resource.RLIMIT_DATA, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        os.write(writing, traceback.format_exc().encode()[-60_000:])
    finally:
        os._exit(code)  # no clean-up of the parent's test run


def _data_bytes() -> int:
    """Return the size of this process's private memory, of which RLIMIT_DATA is the limit."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmData:"):
            return int(line.split()[1]) * 1024
    return 0
