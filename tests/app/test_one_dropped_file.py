"""A dropped file passes through few modules, and nothing is done twice."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from support.windows.waiting import until_checked

STEPS = ("Jobs.start", "Session.set_files", "Session.set_check_record", "Session.set_results")
"""Where a file, or what became of it, goes on."""

ASIDE = (
    "jurydesk.app.jobs.job",
    "jurydesk.app.jobs.responsiveness",
    "jurydesk.core.tables.numbers",
    "jurydesk.app.__main__",
)
"""What runs jobs and keeps the window answering; it hands on what it is given."""

USE_CASES = ["jurydesk.core.workflow.take_in", "jurydesk.core.workflow.score"]
"""What the jobs on the way do, on threads of their own."""

JOBS = ["Reading the files", "Checking", "Scoring"]
MOST_HOPS = 8


class Trace:
    """Calls of this thread by name, and the modules that forward data."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self.modules: list[str] = []
        self.jobs: list[str] = []

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        if event == "call":
            name = frame.f_code.co_qualname
            self.calls[name] += 1
            if name in STEPS:
                self._note(frame)

    def _note(self, frame: FrameType | None) -> None:
        """Record the window's modules on the stack, outermost first."""
        if frame is not None and "job" in frame.f_locals:
            title = frame.f_locals["job"].title
            if title not in JOBS:
                return
            self.jobs.append(title)
        stack: list[str] = []
        while frame is not None:
            module = frame.f_globals.get("__name__", "")
            if module.startswith("jurydesk.app.") and not module.startswith(ASIDE):
                stack.insert(0, module)
            frame = frame.f_back
        self.modules += [one for one in dict.fromkeys(stack) if one not in self.modules]


@contextmanager
def traced() -> Iterator[Trace]:
    trace = Trace()
    sys.setprofile(trace)
    try:
        yield trace
    finally:
        sys.setprofile(None)


def test_a_dropped_file_passes_few_modules_and_is_read_once(
    qtbot, window, files: list[Path]
) -> None:
    with traced() as trace:
        window.dropped.emit(files[:2])
        until_checked(qtbot, window)
        window.evaluator.score()
        qtbot.waitUntil(lambda: window.evaluator.scoring is None)
        qtbot.waitUntil(lambda: window.page.id == "board" and bool(window.page.board))
    assert trace.jobs == JOBS
    assert trace.calls["assign_roles"] == 1
    assert (
        len([*trace.modules, *USE_CASES, "jurydesk.app.pages.leaderboard.leaderboard_page"]) - 1
        <= MOST_HOPS
    ), trace.modules
