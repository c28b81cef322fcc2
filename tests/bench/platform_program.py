"""Time, memory and size of a scoring run of the program that platforms get.

Run as `python tests/bench/platform_program.py [vist captions]`: VIST with 1,938 stories, captions
of 5,000 images. The submission is scored into a desk; the package's engine then scores it in a
clean environment, without site packages, and must give the desk's numbers bit for bit. The limits
are 15 s and 1 GB, and 2 MB for the engine without METEOR's index and libraries. CPU seconds are
printed as well, since a busy machine takes longer.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import captions
import vist

from jurydesk.core.cli import main as jurydesk
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.desk import Desk
from jurydesk.core.execution.run import Run
from jurydesk.core.export.platforms.engine_package import (
    INDEX,
    Trial,
    engine_members,
    write_members,
    zip_members,
)
from jurydesk.core.export.platforms.package_source import PackageSettings, reference_members
from jurydesk.core.workflow.platform_package import read_package_source

MEGABYTE = 1e6


def make_desk(task: str, folder: Path) -> Path:
    """Score generated files of the competition's full size into a desk."""
    if task == "vist":
        files = vist.make(folder, vist.SEQUENCES)
        given = ["--references", files.gold, "--submission", files.submission]
    else:
        references, results = captions.make(5000, folder)
        given = ["--references", references, "--results", results]
    desk = folder / "bench.jurydesk"
    assert jurydesk([*map(str, ("score", task, *given, "--desk", desk))]) == 0
    return desk


def measure(task: str, folder: Path) -> None:
    """Print size, time and memory of one run; raise AssertionError if a number differs."""
    with Desk.open(make_desk(task, folder)) as desk:
        source = read_package_source(desk, registry().tasks[task], PackageSettings(), Run())
    references = reference_members(source, source.title)
    ((_, system),) = source.systems.items()
    members = engine_members("python", Trial(references, system.path), source.index)
    engine = {name: part for name, part in members.items() if not name.startswith("vendored/")}
    engine.pop(INDEX, None)
    write_members(folder / "program", members)
    write_members(folder / "input" / "ref", references)
    write_members(folder / "input" / "res", {system.path.name: system.path.read_bytes()})
    (folder / "output").mkdir()
    for turn in ("first", "second"):
        began = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", "score.py", "../input", "../output"],
            cwd=folder / "program",
            env={"HOME": "/nonexistent", "PATH": "/usr/bin:/bin"},
            stdout=subprocess.DEVNULL,
        )
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - began
        found = json.loads((folder / "output" / "scores.json").read_text())
        assert (status, found) == (0, source.wanted(system))
        assert all(map(math.isfinite, found.values()))
        cpu, peak = used.ru_utime + used.ru_stime, used.ru_maxrss * 1024 / MEGABYTE
        print(f"{task}, {turn} run: {wall:.1f} s, CPU {cpu:.1f} s, {peak:,.0f} MB, {found}")
    sizes = [len(zip_members(part)) / MEGABYTE for part in (engine, members)]
    print(f"{task}: engine {sizes[0]:.2f} MB zipped, all {sizes[1]:.1f} MB", flush=True)


def main() -> None:
    """Measure the competitions named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tasks", nargs="*", default=["vist", "captions"])
    for task in parser.parse_args().tasks:
        with tempfile.TemporaryDirectory() as folder:
            measure(task, Path(folder))


if __name__ == "__main__":
    main()
