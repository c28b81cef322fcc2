"""How far a run is, and telling it: not too often, and with the time that is left."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from jurydesk.core.execution.workers import Worker

REPORT_SECONDS = 0.04
SURE_SECONDS = 0.5
"""So long a stage runs before anything is told of the time that is left."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is: `done` of `total` (0 where unknown), what it does, seconds left or None.

    `unit` names what is counted (`images`) where its number a second is worth showing. `workers`
    are those of other machines, where there are any.
    """

    done: int
    total: int
    text: str
    seconds_left: float | None = None
    unit: str = ""
    workers: tuple[Worker, ...] = ()

    @property
    def rate(self) -> str:
        """`3.1 images/s`; empty where there is no unit, or nothing to tell it from yet."""
        if not self.unit or not self.seconds_left:
            return ""
        return f"{(self.total - self.done) / self.seconds_left:,.1f} {self.unit}/s"


class ProgressReporter:
    """Tells `progress` how far a run is, at most every 40 ms, the end of each stage always."""

    def __init__(self, progress: Callable[[Progress], None] | None) -> None:
        self.progress = progress
        self._told = Progress(0, 0, "")
        self._stage = ""
        self._stage_began = 0.0
        self._told_at = 0.0

    def tell(
        self, done: int, total: int, text: str, unit: str, workers: tuple[Worker, ...]
    ) -> None:
        """Tell how far the stage `text` is."""
        if self.progress is None:
            return
        now = time.monotonic()
        if text != self._stage:
            self._stage, self._stage_began = text, now
        elif done < total and now - self._told_at < REPORT_SECONDS:
            return
        self._told_at = now
        left = self._seconds_left(done, total, now)
        self._told = Progress(done, total, text, left, unit, workers)
        self.progress(self._told)

    def tell_workers(self, workers: tuple[Worker, ...]) -> None:
        """Tell the same once more where the workers are at something else now."""
        if self.progress is not None and workers != self._told.workers:
            self._told = replace(self._told, workers=workers)
            self.progress(self._told)

    def _seconds_left(self, done: int, total: int, now: float) -> float | None:
        spent = now - self._stage_began
        if not 0 < done < total or spent < SURE_SECONDS:
            return None
        return spent / done * (total - done)
