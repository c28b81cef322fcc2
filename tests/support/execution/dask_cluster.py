"""Dask cluster on loopback: processes that a test starts, kills and ends by their ids."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from support.processes import program

START_SECONDS = 60
WORKER = (
    *("--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1"),
    # A worker that outlives a killed test without a scheduler gives up after a while.
    *("--death-timeout", str(START_SECONDS)),
)
SCHEDULER = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard")


@dataclass
class LoopbackCluster:
    """A scheduler and workers; `folder` keeps the scheduler's file and all logs."""

    folder: Path
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)
    address: str = ""

    def start_scheduler(self) -> None:
        file = self.folder / "scheduler.json"
        file.unlink(missing_ok=True)
        self._start("dask_scheduler", *SCHEDULER, "--scheduler-file", str(file))
        limit = time.monotonic() + START_SECONDS
        self.address = ""
        while not self.address:
            assert time.monotonic() < limit, "the scheduler did not start"
            time.sleep(0.02)
            with suppress(FileNotFoundError, json.JSONDecodeError):  # missing, or written in part
                self.address = json.loads(file.read_text())["address"]

    def start_worker(self) -> subprocess.Popen[bytes]:
        """Start a worker, which joins shortly afterwards."""
        number = len(self.processes)
        local = str(self.folder / f"worker{number}")
        started = self._start("dask_worker", self.address, *WORKER, "--local-directory", local)
        self.workers.append(started)
        return started

    def wait_for_workers(self, count: int) -> None:
        from distributed import Client

        with Client(self.address, timeout=START_SECONDS, set_as_default=False) as client:
            client.wait_for_workers(count, timeout=START_SECONDS)

    def _start(self, module: str, *arguments: str) -> subprocess.Popen[bytes]:
        with (self.folder / f"{len(self.processes)}-{module}.log").open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.{module}", *arguments],
                stdout=log,
                stderr=log,
                cwd=program.ROOT,
                # One thread for PyTorch, which suits tiny networks on a busy machine.
                env={
                    **os.environ,
                    "OMP_NUM_THREADS": "1",
                    "PYTHONPATH": program.import_path(),
                },
            )
        self.processes.append(process)
        return process

    def end(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()


@contextmanager
def loopback(folder: Path, workers: int = 2) -> Iterator[LoopbackCluster]:
    """Return a cluster of this number of workers, ended with the block."""
    folder.mkdir(parents=True, exist_ok=True)
    cluster = LoopbackCluster(folder)
    try:
        cluster.start_scheduler()
        for _ in range(workers):
            cluster.start_worker()
        cluster.wait_for_workers(workers)
        yield cluster
    finally:
        cluster.end()
