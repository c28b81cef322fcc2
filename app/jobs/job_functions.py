"""Functions that jobs of the window run in their threads, without Qt."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from jurydesk.core.execution.run import CANCEL_POLL_SECONDS, Run
from jurydesk.core.language import current_language, translatable, translate
from jurydesk.core.system.this_program import program_command
from jurydesk.core.tables.numbers import quantity, size

if TYPE_CHECKING:
    import subprocess

    from jurydesk.app.jobs.job import Notify
    from jurydesk.core.competition.task_registry import Registry

DEVICE_FLAG = "--device-line"
ALIGNERS = {
    "compiled": translatable("compiled aligner"),
    "python": translatable("slow Python aligner"),
}
"""Names of METEOR's aligners, which give the same numbers."""


def load_competitions(modules: Sequence[str], run: Run, notify: Notify) -> Registry:
    """Import all competitions and other `modules`, and return the registry."""
    from jurydesk.core.competition.task_registry import registry

    found = registry()
    for module in modules:
        run.check()
        importlib.import_module(module)
    return found


def describe_device(run: Run, notify: Notify) -> str:
    """Return the device in use in a few words: `CPU · 2 cores · compiled aligner`.

    If PyTorch is installed, a child process imports it: that saves the window its memory and the
    time of the import.
    """
    if importlib.util.find_spec("torch") is None:
        return device_line(run.device)
    import subprocess

    me = [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-m", "jurydesk"]
    command = [*me, f"--lang={current_language()}", DEVICE_FLAG, run.device]
    try:
        process = subprocess.Popen(  # noqa: S603 - this very program
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8"
        )
    except OSError:
        return device_line("cpu")
    return read_output(process, run) or device_line("cpu")


def read_output(process: subprocess.Popen[str], run: Run) -> str:
    """Return the output of a child process, which is killed when the run is cancelled."""
    from subprocess import TimeoutExpired

    with process:
        try:
            while True:
                run.check()
                with contextlib.suppress(TimeoutExpired):
                    return process.communicate(timeout=CANCEL_POLL_SECONDS)[0].strip()
        finally:
            process.kill()


def run_json_command(*arguments: str, run: Run) -> dict[str, Any]:
    """Return the JSON of a command of this program, run in a process of its own.

    Raises OSError with its last line if it writes none.
    """
    said = _run_command("en", *arguments, "--json", "-", run=run)[1]
    try:
        found: dict[str, Any] = json.loads(said[said.index("{") :])
    except ValueError as fault:
        last = said.splitlines()[-1] if said else translate("The check ended without a result.")
        raise OSError(last.removeprefix("Error: ")) from fault
    return found


def run_text_command(*arguments: str, run: Run) -> tuple[int, str]:
    """Return exit code and output of a command of this program, in the window's language."""
    return _run_command(current_language(), *arguments, run=run)


def _run_command(language: str, *arguments: str, run: Run) -> tuple[int, str]:
    import subprocess

    process = subprocess.Popen(  # noqa: S603 - this very program
        [*program_command(), f"--lang={language}", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    )
    said = read_output(process, run)
    return process.returncode, said


def device_line(wanted: str) -> str:
    """Return name, memory or cores of a device, and the METEOR aligner in use."""
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
    return " · ".join([*parts, translate(ALIGNERS[engine()])])
