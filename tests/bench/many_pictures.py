"""Features of 50,000 pictures: progress, a kill, cancelling and continuing.

Run as `python tests/bench/many_pictures.py [--pictures 50000]`. The pictures (32 x 32) are made by
a rule, and so is the small CLIP network. The first process is killed at 30 %, the second is
cancelled at 60 %, the third finishes; each line says how many pictures were left to compute, the
rate, the reports of progress, and the peak of memory. The last process finds all features cached.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np

from jurydesk.core.execution.run import Cancelled, CancelToken, Run

KILL, CANCEL = 0.3, 0.6
"""Shares of all pictures at which the first process is killed and the second is cancelled."""
CANCEL_SECONDS = 0.2


def make_pictures(folder: Path, count: int) -> None:
    """Write distinct pictures by a rule."""
    from PIL import Image

    folder.mkdir()
    for number in range(count):
        small = np.random.RandomState(number).randint(0, 256, (8, 8, 3), dtype=np.uint8)
        Image.fromarray(small).resize((32, 32)).save(folder / f"{number:06}.png")


class Watch:
    """Progress of the network: counts reports, and cancels once `last` pictures are done."""

    def __init__(self, token: CancelToken, last: int) -> None:
        self.token, self.last = token, last
        self.reports = self.done = self.total = 0
        self.asked = 0.0

    def __call__(self, progress: Any) -> None:
        """Take note of a report, and print it for the process that waits."""
        if progress.unit != "images":
            return
        self.reports += 1
        self.done, self.total = progress.done, progress.total
        print(f"done {self.done} {self.total}", flush=True)
        if self.last and self.done >= self.last and not self.asked:
            self.asked = time.perf_counter()
            # From another thread, as a click comes.
            threading.Thread(target=self.token.cancel).start()


def compute(folder: Path, last: int) -> None:
    """Compute the features of a folder, until `last` pictures are done (0: all), and say how."""
    from jurydesk.core.neural.inception.fid_score import FidCalculator

    token = CancelToken()
    watch = Watch(token, last)
    calculator = FidCalculator({"clip": Path("random-numbers")}, network="clip")
    began, ended, n = time.perf_counter(), 0.0, 0
    try:
        with Run(device="cpu", cancel=token, progress=watch) as run:
            reader = calculator.reader(run)
            began = time.perf_counter()
            found, _ = calculator.statistics(folder, reader, run)
            n = found.gaussian.n
    except Cancelled:
        ended = time.perf_counter()
    said = {
        "pictures": n,
        "computed": watch.done,
        "absent": watch.total,
        "reports": watch.reports,
        "seconds": time.perf_counter() - began,
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "cancel_ms": 1000 * (ended - watch.asked) if ended else None,
    }
    print(json.dumps(said), flush=True)
    os._exit(0)  # as a window that is closed: chunks that still run are not waited for


def start(folder: Path, home: Path, last: int = 0) -> subprocess.Popen[str]:
    """Start a process that computes the features."""
    command = [sys.executable, __file__, "--alone", str(folder), str(last)]
    environment = {**os.environ, "JURYDESK_HOME": str(home)}
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)


def killed(folder: Path, home: Path, count: int) -> int:
    """Kill a process at its share; return how many pictures it had done."""
    process = start(folder, home)
    done = 0
    assert process.stdout is not None
    for line in process.stdout:
        done = int(line.split()[1]) if line.startswith("done") else done
        if done >= KILL * count:
            process.send_signal(signal.SIGKILL)
            break
    process.wait()
    return done


def finished(folder: Path, home: Path, last: int = 0) -> dict[str, Any]:
    """Return what a process says of its features."""
    said, _ = start(folder, home, last).communicate()
    found: dict[str, Any] = json.loads(said.splitlines()[-1])
    return found


def line(name: str, said: dict[str, Any]) -> str:
    """Return a line on one process."""
    rate = said["computed"] / said["seconds"]
    return (
        f"{name}: {said['absent']:,} absent, {said['computed']:,} computed, {rate:.0f} a second, "
        f"{said['reports']} reports, {said['peak']:.0f} MiB"
    )


def main() -> None:
    """Kill, cancel, finish and repeat the run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pictures", type=int, default=50_000)
    parser.add_argument("--alone", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.alone:
        compute(Path(arguments.alone[0]), int(arguments.alone[1]))
    count = arguments.pictures
    with tempfile.TemporaryDirectory() as place:
        folder, home = Path(place) / "pictures", Path(place) / "home"
        make_pictures(folder, count)
        before = killed(folder, home, count)
        print(f"killed after {before:,} of {count:,}", flush=True)
        second = finished(folder, home, round(CANCEL * count) - before)
        print(line("cancelled", second) + f", {second['cancel_ms']:.0f} ms", flush=True)
        third = finished(folder, home)
        print(line("finished", third), flush=True)
        again = finished(folder, home)
        print(line("again", again), flush=True)
    holds = (
        second["absent"] <= count - before + 200  # shards in flight at the kill
        and second["cancel_ms"] <= 1000 * CANCEL_SECONDS
        and third["absent"] <= second["absent"] - second["computed"] + 200
        and (third["pictures"], again["absent"]) == (count, 0)
    )
    print("OK" if holds else "NOT OK")
    sys.exit(not holds)


if __name__ == "__main__":
    main()
