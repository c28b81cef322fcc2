"""Resource usage of programs, run alternately so that a busy machine slows all of them alike."""

from __future__ import annotations

import compileall
import multiprocessing
import os
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import jurydesk.app
import jurydesk.core

ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": str(Path(jurydesk.core.__file__).parents[2]),
    "PYTHONDONTWRITEBYTECODE": "",
}
"""Child processes import the same program as this one."""


@dataclass(frozen=True)
class Usage:
    """Resource usage of a program: wall and CPU seconds, and peak memory in MB."""

    wall: float
    cpu: float
    memory: float = float("nan")


def of_process(command: Sequence[str], output: Path | str = os.devnull) -> Usage:
    """Run a command in a cold process; discard its output or write it to a file."""
    began = time.monotonic()
    process = os.posix_spawn(
        command[0],
        command,
        ENVIRONMENT,
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 1, str(output), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        ],
    )
    _, status, usage = os.wait4(process, 0)
    wall = time.monotonic() - began
    if status:
        raise SystemExit(f"{' '.join(command[:4])} ended with status {status}")
    return Usage(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def in_own_process(function: Callable[..., object], *given: object) -> None:
    """Run a function that writes files in a process of its own.

    The peak memory of a child is at least that of its parent when it was started.
    """
    child = multiprocessing.get_context("fork").Process(target=function, args=given)
    child.start()
    child.join()
    if child.exitcode:
        raise SystemExit(f"{function.__name__} ended with status {child.exitcode}")


def in_turn(programs: Mapping[str, Callable[[], Usage]], rounds: int) -> dict[str, list[Usage]]:
    """Return the usage of each program in every round; they take turns at being first.

    Our modules are compiled first, as by an installer; those of the peers are installed.
    """
    for package in (jurydesk.core, jurydesk.app):
        compileall.compile_dir(Path(package.__file__).parent, quiet=1)
    usages: dict[str, list[Usage]] = {name: [] for name in programs}
    for number in range(rounds):
        first = number % len(programs)
        names = list(programs)
        for name in names[first:] + names[:first]:
            usages[name].append(programs[name]())
    return usages


def table(usages: Mapping[str, Sequence[Usage]]) -> list[Usage]:
    """Print a line for each program with its medians, and return the medians."""
    width = max(map(len, usages)) + 2
    print(f"{'':{width}}{'wall s':>12}{'CPU s':>12}{'peak MB':>10}")
    medians = []
    for name, taken in usages.items():
        columns = ((one.wall, one.cpu, one.memory) for one in taken)
        medians.append(Usage(*map(statistics.median, zip(*columns, strict=True))))
        wall, cpu, memory = medians[-1].wall, medians[-1].cpu, medians[-1].memory
        print(f"{name:{width}}{wall:12.4f}{cpu:12.4f}{memory:10.0f}")
    return medians
