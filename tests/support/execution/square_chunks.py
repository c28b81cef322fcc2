"""Chunks for tests: squares of numbers, slow or crashing as their settings say."""

from __future__ import annotations

import math
import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from jurydesk.core.model.chunk import Check, ChunkKind, ChunkRequest
from jurydesk.core.model.evaluation import FloatArray

PATIENCE_SECONDS = 60
"""So long a busy machine may keep anybody waiting for anything."""


@dataclass(frozen=True, slots=True)
class Settings:
    """`seconds` of every chunk; with `trace`, each chunk leaves a file in that folder.

    With `gate`, each chunk but the first waits until there is such a file, and fails without one.
    """

    seconds: float = 0.0
    trace: str = ""
    gate: str = ""
    deadly: float = math.nan
    """The number whose chunk ends its process."""


@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    values: FloatArray

    def __len__(self) -> int:
        return len(self.values)


@dataclass(frozen=True, slots=True, eq=False)
class Squares:
    values: FloatArray

    def __post_init__(self) -> None:
        if self.values.ndim != 1:
            raise ValueError("squares have one dimension")

    def __len__(self) -> int:
        return len(self.values)


def wait_until(condition: Callable[[], object]) -> None:
    """Wait until a condition holds; raise TimeoutError after a limit."""
    limit = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        if time.monotonic() > limit:
            raise TimeoutError
        time.sleep(0.01)


def square(settings: Settings, chunk: Numbers, check: Check) -> Squares:
    check()
    if settings.trace:
        name = f"{chunk.values[0]:.0f}-{os.getpid()}-{time.monotonic_ns()}"
        (Path(settings.trace) / name).touch()
    if settings.deadly in chunk.values:
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(settings.seconds)
    if settings.gate and chunk.values[0]:
        wait_until(Path(settings.gate).exists)
    if chunk.values[0] < 0:
        raise ZeroDivisionError("there is a negative number")
    return Squares(chunk.values**2)


SquareKind = ChunkKind[Settings, Numbers, Squares]
SquareRequest = ChunkRequest[Settings, Numbers, Squares]
BY_THREADS = ChunkKind("squares", square, Settings, Numbers, Squares)
BY_PROCESSES = ChunkKind("locked squares", square, Settings, Numbers, Squares, releases_gil=False)


def request(count: int, work: SquareKind = BY_THREADS, **settings: Any) -> SquareRequest:
    """Return a request with chunks of three numbers."""
    values = np.arange(3.0 * count)
    chunks = [Numbers(values[start : start + 3]) for start in range(0, len(values), 3)]
    return ChunkRequest(work, Settings(**settings), chunks, "Squaring", "numbers")


def squares(count: int) -> list[float]:
    return [float(value) ** 2 for value in range(3 * count)]
