"""What jobs do: plain functions over core that know no Qt; they run on a worker's thread."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from jurydesk.app.style.numbers import quantity, size
from jurydesk.core.execution.run import CANCEL_POLL_SECONDS

if TYPE_CHECKING:
    import subprocess

    from jurydesk.app.jobs.job import Tell
    from jurydesk.core.competition.task_registry import Registry
    from jurydesk.core.execution.run import Run

DEVICE_FLAG = "--device-line"
ALIGNERS = {"compiled": "compiled aligner", "python": "slow Python aligner"}
"""METEOR's aligners in words; both give the same numbers."""


def load_competitions(modules: Sequence[str], run: Run, tell: Tell) -> Registry:
    """All competitions. Their import takes a moment, and so does that of other `modules`."""
    from jurydesk.core.competition.task_registry import registry

    found = registry()
    for module in modules:
        run.check()
        importlib.import_module(module)
    return found


def describe_device(run: Run, tell: Tell) -> str:
    """The device in use in a few words: `CPU · 2 cores · compiled aligner`.

    Where PyTorch is installed a child process asks it, so that the window keeps neither its
    stall on import nor its memory.
    """
    if importlib.util.find_spec("torch") is None:
        return device_line(run.device)
    import subprocess

    me = [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-m", "jurydesk"]
    command = [*me, DEVICE_FLAG, run.device]
    try:
        process = subprocess.Popen(  # noqa: S603 - this very program
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8"
        )
    except OSError:
        return device_line("cpu")
    return read_output(process, run) or device_line("cpu")


def read_output(process: subprocess.Popen[str], run: Run) -> str:
    """What a child process prints; it is ended when the run is cancelled."""
    from subprocess import TimeoutExpired

    with process:
        try:
            while True:
                run.check()
                with contextlib.suppress(TimeoutExpired):
                    return process.communicate(timeout=CANCEL_POLL_SECONDS)[0].strip()
        finally:
            process.kill()


def device_line(wanted: str) -> str:
    """Name, memory or cores of a device, and which of METEOR's aligners runs."""
    from jurydesk.core.execution.device import DeviceError, choose_device, cpu_device
    from jurydesk.core.metrics.meteor.alignment.engine import engine

    try:
        found = choose_device(wanted)
    except DeviceError:
        found = cpu_device()
    if found.kind == "cpu":
        parts = ["CPU", quantity(found.cores, "core")]
    else:
        memory = [size(found.memory)] if found.memory else []
        parts = [found.kind.upper(), found.name, *memory]
    return " · ".join([*parts, ALIGNERS[engine()]])
