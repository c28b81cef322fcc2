"""Processor time and memory of `board --csv --html` for very many systems.

    python tests/bench/many_systems.py

Measures 1,000 systems on 20 queries, whose pairs are too many to be tested, and 200 systems on
2,000 items, of which all pairs are.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import large_desk

CASES = ((1000, 20, 60, 1000), (200, 2000, 20, 1000))
"""Systems, items, and the limits: seconds of processor time and megabytes."""


def measured(folder: Path, systems: int, items: int) -> tuple[float, float, float]:
    """Return wall seconds, processor seconds, and the peak of memory in megabytes."""
    desk = folder / f"{systems}.jurydesk"
    large_desk.write(desk, systems, items)
    exports = ["--csv", str(folder / "o.csv"), "--html", str(folder / "o.html")]
    command = [sys.executable, "-m", "jurydesk", "board", str(desk), *exports, "--quiet"]
    wall = time.perf_counter()
    with subprocess.Popen(command, env={**os.environ, "JURYDESK_HOME": str(folder)}) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    seconds = time.perf_counter() - wall
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main() -> None:
    """Measure, and print a table."""
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    assert most == resource.RLIM_INFINITY, "a limit on memory would hide the peak"
    print("| systems | items | wall s | CPU s (limit) | MB (limit) |\n|---:|---:|---:|---:|---:|")
    for systems, items, most_seconds, most_megabytes in CASES:
        with tempfile.TemporaryDirectory(prefix="jurydesk-bench-") as folder:
            wall, cpu, megabytes = measured(Path(folder), systems, items)
        limits = f"{cpu:.1f} ({most_seconds}) | {megabytes:.0f} ({most_megabytes})"
        print(f"| {systems:,} | {items:,} | {wall:.1f} | {limits} |", flush=True)


if __name__ == "__main__":
    main()
