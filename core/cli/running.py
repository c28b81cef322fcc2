"""Execution of long work in a terminal: progress on standard error, and cancellation by Ctrl-C."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
import time
from collections.abc import Iterator
from types import FrameType
from typing import TYPE_CHECKING

from jurydesk.core.execution.cache import Cache
from jurydesk.core.execution.progress import Progress
from jurydesk.core.execution.run import CancelToken, Run
from jurydesk.core.language import translate, translate_plural, translate_text
from jurydesk.core.system.interrupt import raise_interrupt

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from jurydesk.core.cli.command import CommandContext
    from jurydesk.core.execution.workers.worker import Opener

PROGRESS_DELAY_SECONDS = 0.4
"""Work that ends sooner shows no progress bar and does not import Rich."""


@contextlib.contextmanager
def open_run(context: CommandContext, cache: Cache | None = None) -> Iterator[Run]:
    """Open a run for the work of a block, with a progress bar on a terminal and Ctrl-C."""
    cancel = CancelToken()
    visible = not context.quiet and sys.stderr is not None and sys.stderr.isatty()
    display = ProgressLine() if visible else None
    run = Run(
        progress=display.show if display else None,
        cancel=cancel,
        device=context.device,
        workers=_cluster_opener(context),
        jobs=context.jobs,
        cache=cache,
    )
    with cancel_on_interrupt(cancel):
        try:
            with run:
                yield run
        finally:
            if display:
                display.close()


def _cluster_opener(context: CommandContext) -> Opener | None:
    if not context.scheduler:
        return None
    from jurydesk.core.execution.workers.dask_workers import dask_opener

    return dask_opener(context.scheduler, context.data)


@contextlib.contextmanager
def cancel_on_interrupt(cancel: CancelToken) -> Iterator[None]:
    """Turn Ctrl-C into a cancellation that all threads of the work see."""
    in_main_thread = threading.current_thread() is threading.main_thread()
    if not in_main_thread or signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        yield
        return

    def handle_interrupt(number: int, frame: FrameType | None) -> None:
        cancel.cancel()
        raise_interrupt(number, frame)

    previous = signal.signal(signal.SIGINT, handle_interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)


class ProgressLine:
    """Progress bar of one line: text, share done and time left."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._bar: Bar | None = None
        self._lock = threading.Lock()

    def show(self, progress: Progress) -> None:
        """Show the progress, once the work has taken PROGRESS_DELAY_SECONDS."""
        if time.monotonic() - self._start < PROGRESS_DELAY_SECONDS:
            return
        with self._lock:
            if self._bar is None:
                self._bar = make_bar(progress.text)
            self._bar.update(
                self._bar.task_ids[0],
                completed=progress.done,
                total=progress.total or None,
                description=progress_text(progress),
                left=time_left(progress.seconds_left),
            )

    def close(self) -> None:
        """Remove the line."""
        with self._lock:
            if self._bar is not None:
                self._bar.stop()


def progress_text(progress: Progress) -> str:
    """Return the text of the progress with its rate and number of cluster workers."""
    active = [worker for worker in progress.workers if worker.doing != "gone"]
    workers = translate_plural("{count} worker", "{count} workers", len(active))
    shown = f"({workers})" if progress.workers else ""
    texts = (translate_text(progress.text), translate_text(progress.rate), shown)
    return " ".join(filter(None, texts))


def time_left(seconds: float | None) -> str:
    """Return `1:05:09 left`; empty if the time left is unknown."""
    if seconds is None:
        return ""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    clock = f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
    return translate("{time} left", time=clock)


def make_bar(text: str) -> Bar:
    """Start a progress bar of Rich, which disappears when it stops."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

    bar = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn("{task.percentage:>3.0f} %"),
        TextColumn("{task.fields[left]}"),
        console=Console(stderr=True),
        transient=True,
    )
    bar.add_task(text, total=None, left="")
    bar.start()
    return bar
