"""Smoke test of the packaged program: `jurydesk --smoke`.

It opens every page, adds and scores the example of each competition, shows all pages of each, saves
and opens its desk, and opens a packet in the rating program. It prints each step; the exit code is
0 if every step succeeded and no error was shown.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QElapsedTimer, QObject, QTimer
from PySide6.QtWidgets import QApplication

from jurydesk.app.jobs.crash_report import report
from jurydesk.core.system.this_program import program_command

if TYPE_CHECKING:
    from jurydesk.app.pages.items.items_page import ItemsPage
    from jurydesk.app.window.main_window import Window
    from jurydesk.core.competition.task import AnyTask

FLAG = "--smoke"
PATIENCE_MS = 120_000
LOOK_MS = 10
SETTLE_MS = 200
PICTURES_VARIABLE = "JURYDESK_SMOKE_PICTURES"
"""Environment variable with a folder for pictures of every page in both themes."""

Step = tuple[str, Callable[[], bool]]
"""A description of the expected state, and a function that returns whether it is reached."""


class SmokeWalk(QObject):
    """Runs a generator of steps, waiting for each, and then ends the program.

    `close` is called at the end in any case.
    """

    def __init__(self, steps: Iterator[Step], close: Callable[[], object], parent: QObject) -> None:
        super().__init__(parent)
        self._steps, self._close = steps, close
        self._what = ""
        self._holds: Callable[[], bool] = bool
        self._since = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._poll_step)

    def start(self) -> None:
        self._begin_step()
        self._timer.start(LOOK_MS)

    def fail(self, reason: object) -> None:
        """End the program with exit code 1 and the reason, which may be an exception."""
        is_bug = isinstance(reason, BaseException) and not isinstance(reason, WalkError)
        text = report(reason) if isinstance(reason, BaseException) and is_bug else str(reason)
        sys.stderr.write(f"{text}\n")
        self._end(1)

    def _poll_step(self) -> None:
        if self._holds():
            self._begin_step()
        elif self._since.elapsed() > PATIENCE_MS:
            self.fail(f"{self._what}: not within {PATIENCE_MS // 1000} s")

    def _begin_step(self) -> None:
        try:
            self._what, self._holds = next(self._steps)
            self._since.start()
        except StopIteration:
            self._end(0)
        except WalkError as error:
            self.fail(error)

    def _end(self, code: int) -> None:
        self._timer.stop()
        self._close()
        QApplication.exit(code)


class WalkError(Exception):
    """A step of the smoke test failed."""


class WindowWalk:
    """The steps through the main window."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._child: subprocess.Popen[str] | None = None
        self._quiet = QElapsedTimer()
        folder = os.environ.get(PICTURES_VARIABLE)
        self._pictures = Path(folder) if folder else None

    def steps(self) -> Iterator[Step]:
        """Generate all steps."""
        from jurydesk.core.competition.examples import example_folder
        from jurydesk.core.competition.task_registry import registry

        last_report = report_step("first window", process_start())
        window = self._window
        yield "all pages are built", self._has_all_pages
        yield from self._show_pages("empty")
        tasks = registry()
        if tasks.broken:
            raise WalkError(f"{tasks.broken[0].name} could not be loaded: {tasks.broken[0].error}")
        with tempfile.TemporaryDirectory(prefix="jurydesk-walk-") as name:
            for task in tasks.tasks.values():
                if example_folder(task) is not None:
                    yield from self._example(task, Path(name))
                    last_report = report_step(
                        f"example {task.id}, {len(window.session.systems)} systems", last_report
                    )
            window.files.new()
            packet = make_packet(Path(name))
            yield from self._rate(packet)
        report_step("rating page", last_report)

    def _has_all_pages(self) -> bool:
        from jurydesk.app.pages import PAGES

        window = self._window
        return len(window.pages) == len(PAGES) and window.jobs.idle

    def _show_pages(self, name: str) -> Iterator[Step]:
        from jurydesk.app.pages import PAGES
        from jurydesk.app.style.theme import theme

        for page in PAGES:
            self._window.show_page(page.id)
            yield f"page {page.id} of {name} is shown", self._is_settled
            if self._pictures is not None:
                for mode in ("light", "dark"):
                    theme().set_mode(mode)
                    yield f"page {page.id} of {name} is {mode}", self._is_settled
                    self._window.grab().save(str(self._pictures / f"{name}-{page.id}-{mode}.png"))
            self._complain()

    def _is_settled(self) -> bool:
        """Return whether no job has run for `SETTLE_MS`."""
        if not self._window.jobs.idle:
            self._quiet.invalidate()
            return False
        if not self._quiet.isValid():
            self._quiet.start()
        if self._quiet.elapsed() < SETTLE_MS:
            return False
        self._quiet.invalidate()
        return True

    def _example(self, task: AnyTask, folder: Path) -> Iterator[Step]:
        """Add, check and score an example, show every page, save its desk and open it."""
        window = self._window
        window.files.open_example(task)
        yield f"the example of {task.id} is checked", self._is_checked
        window.evaluator.score()
        yield f"the example of {task.id} is scored", self._has_scores
        yield from self._show_pages(task.id)
        window.show_page("items")
        cast("ItemsPage", window.page).open_item()
        yield f"an item of {task.id} is open", self._is_settled
        path = folder / f"{task.id}.jurydesk"
        window.files.save_to(path)
        scored = list(window.session.systems)
        window.files.new()
        window.files.open(path)
        yield f"the desk of {task.id} is open again", self._is_settled
        if list(window.session.systems) != scored:
            raise WalkError(f"the desk of {task.id} holds other systems than were scored")
        self._complain()

    def _is_checked(self) -> bool:
        return self._window.evaluator.checked and self._window.jobs.idle

    def _has_scores(self) -> bool:
        window = self._window
        return bool(window.session.systems) and window.jobs.idle

    def _complain(self) -> None:
        notice, fault = self._window.notice, self._window.crashes.dialog
        if fault is not None:
            raise WalkError(fault.text.toPlainText())
        if notice.isVisible() and notice.property("tone") == "bad":
            raise WalkError(f"the window says: {notice.text.text()}")

    def _rate(self, packet: Path) -> Iterator[Step]:
        """Open a packet in a process of its own, as a double click does."""
        self._child = subprocess.Popen(  # noqa: S603 - this very program
            [*program_command(), str(packet), FLAG], stdout=subprocess.PIPE, encoding="utf-8"
        )
        yield "the rater's program has ended", self._has_rated
        said = self._child.communicate()[0].strip()
        if self._child.returncode:
            raise WalkError(f"the rater's program: exit code {self._child.returncode}\n{said}")
        sys.stdout.write(f"{said}\n")

    def _has_rated(self) -> bool:
        return self._child is not None and self._child.poll() is not None


def make_packet(folder: Path) -> Path:
    """Write a packet with stories and photos of the example, and return its path."""
    from jurydesk.core.competition.examples import example_folder, example_inputs
    from jurydesk.core.execution.run import Run
    from jurydesk.core.human_evaluation.design.planning import StudyRequest
    from jurydesk.core.tasks.vist.story_pool import read_pool
    from jurydesk.core.tasks.vist.vist_task import TASK
    from jurydesk.core.workflow.ratings import plan_ratings, write_packets

    example = example_folder(TASK)
    if example is None:
        raise WalkError("the example with stories is missing")
    inputs = example_inputs(TASK, example)
    references = inputs["references"]
    whole = [path for path in inputs["submission"] if read_pool([path], references).data]
    order = StudyRequest(
        tuple(whole), 3, 2, 2, tuple(references), human=True,
        images=example / "images", seed=1,
    )  # fmt: skip
    desk = folder / "rating.jurydesk"
    if plan_ratings(desk, TASK, order, Run()).study is None:
        raise WalkError("the example's stories cannot be rated")
    return write_packets(desk, folder, False, "en", Run()).paths[0]


def report_step(what: str, since: float) -> float:
    """Print a step and the time since `since`; return the current time, both in seconds."""
    now = time.monotonic()
    sys.stdout.write(f"{what}: {now - since:.2f} s\n")
    sys.stdout.flush()
    return now


def process_start() -> float:
    """Return the start of this process on the clock of `time.monotonic`, or now if unknown."""
    if sys.platform != "linux":
        return time.monotonic()
    try:
        fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
        ticks = int(fields[19]) / os.sysconf("SC_CLK_TCK")
        age = time.clock_gettime(time.CLOCK_BOOTTIME) - ticks
    except (OSError, ValueError):
        age = 0.0
    return time.monotonic() - age
