"""Skipped tests: the expected ones, and a failure if any other test is skipped.

With `--strict-skips`, as `.ci/run` asks for, a recorded file of numbers that is missing, a compiled
module that was not built or a library that is not installed fails the suite.
"""

from __future__ import annotations

import re
import sys
from collections import Counter

import pytest

ANYWHERE = {
    "no Chromium is installed|needs Chromium": "the pages' script also runs in Qt's engine",
    "scikit-learn is not installed": "its numbers are recorded in tests/oracles",
    "axe-core is not installed": "contrast, roles and names are also tested without it",
    "torch-fidelity has sides of equal size only": "the other measures of the case are compared",
    "bert-score or its model is not installed": "its formula is tested on vectors made by rule",
    "Java is not installed": "the numbers of meteor-1.5.jar are recorded in tests/oracles",
    "statsmodels is not installed": "the standard error is also checked by its formula",
    "R is not installed|R's package sandwich is not installed": "the same",
    "this PyTorch has no oneDNN": "a build for a processor without it",
    "trec_eval's sources are not installed": "its output is recorded in tests/oracles",
    "the system does not let root give up its privilege": "a container without CAP_SETPCAP",
}
"""Reasons that are expected on every system, each with why the skip hides nothing."""

OFF_LINUX = (
    "a Linux desktop",
    "displays of X11 and Wayland",
    "needs /proc",
    "Qt minds the encoding there",
    "Ctrl-C is sent as a POSIX signal",
    "signals are POSIX's",
    "files have no such permissions here",
    "root cannot give up its privilege here",
    "pipes have no names here",
    "POSIX pipes",
    "POSIX links",
    "POSIX permissions, links and pipes",
    "pipes that close are POSIX's",
    "needs fork and SIGKILL",
    "Windows forbids some of these letters",
    "there is no /dev/full here",
)
"""Reasons that are expected where the system is not Linux."""


def add_option(parser: pytest.Parser) -> None:
    parser.addoption(
        "--strict-skips",
        action="store_true",
        help="fail where a test is skipped for a reason that is not listed in suite/skips.py",
    )


def is_expected(reason: str, platform: str = sys.platform) -> bool:
    """Return whether a test may be skipped for this reason on a platform."""
    if any(re.fullmatch(pattern, reason) for pattern in ANYWHERE):
        return True
    return platform != "linux" and reason in OFF_LINUX


class SkipCounter:
    """Counter of the reasons of skipped tests and modules, which fails a strict session.

    In the workers of pytest-xdist it does nothing: their reports come to the first process.
    """

    def __init__(self, is_strict: bool) -> None:
        self.is_strict = is_strict
        self.reasons: Counter[str] = Counter()

    @property
    def unexpected(self) -> dict[str, int]:
        """Return the unexpected reasons, with their counts."""
        return {reason: n for reason, n in self.reasons.items() if not is_expected(reason)}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._count(report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self._count(report)

    def _count(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        if report.skipped and isinstance(report.longrepr, tuple):
            self.reasons[report.longrepr[2].removeprefix("Skipped: ")] += 1

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.is_strict and self.unexpected and session.exitstatus in (0, 5):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if not self.is_strict:
            return
        for reason, count in sorted(self.reasons.items()):
            word = "skipped" if is_expected(reason) else "SKIPPED UNEXPECTEDLY"
            terminalreporter.write_line(f"{count} {word}: {reason}")
