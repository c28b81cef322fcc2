"""Progress of a run, reported at a limited rate with the remaining time."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from jurydesk.core.language import fill

if TYPE_CHECKING:
    from jurydesk.core.execution.workers.worker import Worker

REPORT_SECONDS = 0.04
ESTIMATE_SECONDS = 0.5
"""Duration of a stage before its remaining time is estimated."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of a run: `done` of `total` (0 if unknown), the stage, and the seconds left.

    `unit` is the plural noun of what is counted (`images`), if its rate is worth showing.
    `workers` are those of other machines, if any.
    """

    done: int
    total: int
    text: str
    seconds_left: float | None = None
    unit: str = ""
    workers: tuple[Worker, ...] = ()

    @property
    def rate(self) -> str:
        """Items per second, such as `3.1 images/s`; empty without a unit or an estimate."""
        if not self.unit or not self.seconds_left:
            return ""
        return fill(f"{{rate:,.1f}} {self.unit}/s", (self.total - self.done) / self.seconds_left)


class ProgressReporter:
    """Calls `progress` at most every 40 ms, and always at the end of a stage."""

    def __init__(self, progress: Callable[[Progress], None] | None) -> None:
        self.progress = progress
        self._last = Progress(0, 0, "")
        self._stage = ""
        self._stage_start = 0.0
        self._reported_at = 0.0

    def report(
        self, done: int, total: int, text: str, unit: str, workers: tuple[Worker, ...]
    ) -> None:
        """Report the progress of the stage `text`."""
        if self.progress is None:
            return
        now = time.monotonic()
        if text != self._stage:
            self._stage, self._stage_start = text, now
        elif done < total and now - self._reported_at < REPORT_SECONDS:
            return
        self._reported_at = now
        left = self._seconds_left(done, total, now)
        self._last = Progress(done, total, text, left, unit, workers)
        self.progress(self._last)

    def report_workers(self, workers: tuple[Worker, ...]) -> None:
        """Repeat the last report with the workers' new state, if it changed."""
        if self.progress is not None and workers != self._last.workers:
            self._last = replace(self._last, workers=workers)
            self.progress(self._last)

    def _seconds_left(self, done: int, total: int, now: float) -> float | None:
        spent = now - self._stage_start
        if not 0 < done < total or spent < ESTIMATE_SECONDS:
            return None
        return spent / done * (total - done)
