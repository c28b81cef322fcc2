"""The test suite, in two processes, with one exit code.

Only the standard library is used, in the syntax of Python 3.9.
"""

from __future__ import annotations

import os
import re
import signal

from bootstrap_parts.commands import ROOT, run_shown, say
from bootstrap_parts.environment import python

# The web engine has a process of its own: PyTorch's compiler library crashes where it is loaded
# after it. The program never has both in one process either. `tests/conftest.py` knows the option.
PARTS = ("--web-engine=without", "--web-engine=only")
FAST = ("-n", "auto", "--dist", "worksteal", "-m", "not slow")

NO_TESTS = 5  # pytest's exit code where nothing was collected or all was deselected
STOPS_AT_A_FAILURE = re.compile(r"-[a-zA-Z]*x|--exitfirst|--maxfail(=.*)?")


def run_tests(arguments: list[str], fast: bool = False) -> int:
    """Run the tests that pytest's arguments select; 0 only if all that ran passed.

    `fast` leaves the slow ones out and uses all processors.
    """
    chosen = [*(FAST if fast else ()), *arguments]
    codes = []
    for part in PARTS:
        command = [python(), "-m", "pytest", part, *chosen]
        codes.append(run_shown(command, settings(), ROOT))
        if codes[-1] < 0:
            say(f"The tests were ended by {signal_name(-codes[-1])}: {' '.join(command)}")
        if codes[-1] not in (0, NO_TESTS) and any(map(STOPS_AT_A_FAILURE.fullmatch, arguments)):
            break
    return combined(codes)


def settings() -> dict[str, str]:
    """Return the variables of the environment that let the window be tested without a display."""
    found = {"QT_QPA_PLATFORM": "offscreen"}
    if os.name == "posix" and os.geteuid() == 0:
        # The web engine's sandbox refuses to run as root.
        found["QTWEBENGINE_DISABLE_SANDBOX"] = "1"
    return found


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
