"""The test suite, in several processes, with one exit code.

Only the standard library is used, in the syntax of Python 3.9.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from bootstrap_parts.commands import ROOT, run_captured, run_shown, say
from bootstrap_parts.environment import python

# The web engine has a process of its own: PyTorch's compiler library crashes where it is loaded
# after it. The program never has both in one process either. `tests/conftest.py` has the option.
WITHOUT, ONLY = "--web-engine=without", "--web-engine=only"
HALVES = ((WITHOUT,), (ONLY,))
FOLDERS_OF_APP = tuple(
    f"tests/app/{folder}"
    for folder in ("commands", "inspectors", "jobs", "plots", "sheets", "state", "window")
)
# Each collects its own tests alone, so that nothing is collected twice. The longest come first.
PARTS = (
    (
        WITHOUT,
        "tests/app",
        "--ignore=tests/app/pages",
        *(f"--ignore={one}" for one in FOLDERS_OF_APP),
    ),
    (WITHOUT, *FOLDERS_OF_APP),
    (WITHOUT, "tests/app/pages"),
    # It waits often; beside the others it takes no time of its own.
    (ONLY, "tests/app/rating_client"),
    (WITHOUT, "tests/core/execution", "tests/core/neural"),
    (
        WITHOUT,
        "tests/core",
        *(
            f"--ignore=tests/core/{folder}"
            for folder in ("cli", "execution", "metrics", "neural", "tasks")
        ),
    ),
    (WITHOUT, "tests/core/metrics", "tests/core/tasks"),
    (WITHOUT, "tests/core/cli"),
    (WITHOUT, "tests", "--ignore=tests/app", "--ignore=tests/core"),
)
FAST = ("-m", "not slow")

MEMORY = Path("/dev/shm")  # noqa: S108 - each run has a folder of its own there, and removes it
ROOM = 6 * 2**30  # bytes; the temporary files of all parts take a third

NO_TESTS = 5  # pytest's exit code where nothing was collected or all was deselected
STOPS_AT_A_FAILURE = re.compile(r"-[a-zA-Z]*x|--exitfirst|--maxfail(=.*)?")


def run_tests(arguments: list[str], fast: bool = False) -> int:
    """Run the tests that pytest's arguments select; 0 only if all that ran passed.

    All processors are used, unless the arguments name files or have pytest-xdist use them. `fast`
    leaves the slow tests out.
    """
    one_by_one = any(map(names_tests_or_processes, arguments))
    parts = HALVES if one_by_one else PARTS
    processes = 1 if one_by_one else os.cpu_count() or 1
    stops = any(map(STOPS_AT_A_FAILURE.fullmatch, arguments))
    stopped = threading.Event()

    def run(part: tuple[str, ...]) -> int | None:
        if stopped.is_set():
            return None
        command = [python(), "-m", "pytest", *part, *(FAST if fast else ()), *arguments]
        if processes == 1:
            code = run_shown(command, variables, ROOT)
        else:
            code, output = run_captured(command, variables, ROOT)
            say(f"{' '.join(part)}\n{output}")
        if code < 0:
            say(f"The tests were ended by {signal_name(-code)}: {' '.join(command)}")
        if stops and code not in (0, NO_TESTS):
            stopped.set()
        return code

    with folder_in_memory() as temporary, ThreadPoolExecutor(processes) as pool:
        variables = {**settings(), **temporary}
        try:
            codes = list(pool.map(run, parts))
        except BaseException:
            stopped.set()
            raise
    return combined([code for code in codes if code is not None])


def names_tests_or_processes(argument: str) -> bool:
    """Return whether an argument of pytest is a path of tests or the option of pytest-xdist."""
    pattern = r"-n\w*|--numprocesses(=.*)?|(.*[/\\])?tests([/\\].*)?"
    return re.fullmatch(pattern, argument) is not None


def settings() -> dict[str, str]:
    """Return the variables of the environment that let the window be tested without a display."""
    # What is compiled once serves all processes.
    found = {"QT_QPA_PLATFORM": "offscreen", "PYTHONDONTWRITEBYTECODE": ""}
    if os.name == "posix" and os.geteuid() == 0:
        # The web engine's sandbox refuses to run as root.
        found["QTWEBENGINE_DISABLE_SANDBOX"] = "1"
    return found


@contextmanager
def folder_in_memory() -> Iterator[dict[str, str]]:
    """Yield the variable that keeps temporary files in memory; none where it has no room.

    The tests write thousands of small files, and would wait for a disk.
    """
    if not MEMORY.is_dir() or shutil.disk_usage(MEMORY).free < ROOM:
        yield {}
        return
    folder = tempfile.mkdtemp(prefix="jurydesk-tests-", dir=MEMORY)
    try:
        yield {"TMPDIR": folder}
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def combined(codes: list[int]) -> int:
    """Return one exit code for all parts: the first failure, 128 + N after signal N as in shells.

    A part without tests is no failure where another part had some.
    """
    for code in codes:
        if code not in (0, NO_TESTS):
            return code if code > 0 else 128 - code
    return 0 if 0 in codes else NO_TESTS


def signal_name(number: int) -> str:
    """Return a signal's name, or its number where this system has no name for it."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
