"""What programs take, run in turn so that a busy machine slows all of them alike."""

from __future__ import annotations

import compileall
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
"""Processes import the program that this one has imported."""


@dataclass(frozen=True)
class Usage:
    """What a program took: seconds on the clock, on processors, and peak memory in MB."""

    wall: float
    cpu: float
    memory: float = float("nan")


def of_process(command: Sequence[str], output: Path | str = os.devnull) -> Usage:
    """Run a command in a cold process, its output thrown away or kept in a file."""
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


def in_turn(programs: Mapping[str, Callable[[], Usage]], rounds: int) -> dict[str, list[Usage]]:
    """What each program took in every round; each is first in turn.

    Our modules are compiled before, as installers do; those of the peers were installed.
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
    """Print a line for each program with its medians; the medians."""
    width = max(map(len, usages)) + 2
    print(f"{'':{width}}{'wall s':>12}{'CPU s':>12}{'peak MB':>10}")
    medians = []
    for name, taken in usages.items():
        columns = ((one.wall, one.cpu, one.memory) for one in taken)
        medians.append(Usage(*map(statistics.median, zip(*columns, strict=True))))
        wall, cpu, memory = medians[-1].wall, medians[-1].cpu, medians[-1].memory
        print(f"{name:{width}}{wall:12.4f}{cpu:12.4f}{memory:10.0f}")
    return medians
