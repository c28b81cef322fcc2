"""Threads share memory arenas, so that a thread reuses memory that another has freed."""

from __future__ import annotations

import subprocess
import sys

import pytest

SCRIPT = """
import ctypes, sys, tempfile, threading
from jurydesk.core.system.memory import limit_arenas
if sys.argv[1] == "limited" and not limit_arenas(2):
    sys.exit("mallopt has refused")
started, end = threading.Barrier(9), threading.Event()
def work():
    kept = b"x" * 50_000
    started.wait()
    end.wait()
threads = [threading.Thread(target=work) for _ in range(8)]
for one in threads:
    one.start()
started.wait()
libc = ctypes.CDLL(None)
libc.fopen.restype = ctypes.c_void_p
path = tempfile.mktemp()
file = ctypes.c_void_p(libc.fopen(path.encode(), b"w"))
libc.malloc_info(0, file)
libc.fclose(file)
end.set()
print(open(path).read().count("<heap nr="))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only glibc has arenas")
def test_eight_threads_share_two_arenas():
    def arenas(how: str) -> int:
        command = [sys.executable, "-c", SCRIPT, how]
        return int(subprocess.run(command, capture_output=True, check=True, timeout=60).stdout)

    assert arenas("limited") <= 2
    assert arenas("free") > 2
