"""Storing and opening results, hashing inputs, and bootstrap intervals, each compared with a peer.

Run as `python tests/bench/desk.py [PART ...]`. PART is store, open, hash, intervals or large; the
default is all. The peers:

- store, open: the same evaluation as one gzip-compressed JSON file plus numpy's `.npz`
- hash: polars reading the same file without hashing it
- intervals: `scipy.stats.bootstrap(method="percentile")`, column by column
- large: 100,000 items; ours alone, since the peer needs gigabytes

Both alternate in one process; wall and CPU seconds are medians, memory is the peak of
this process so far.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import resource
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars
import scipy.stats

from jurydesk.core.competition.task import JsonEvidence
from jurydesk.core.desk import Desk
from jurydesk.core.execution.input_hashes import InputHasher
from jurydesk.core.model.evaluation import Evaluation, ItemTable, Score
from jurydesk.core.statistics.bootstrap import ResamplingPlan, percentile_interval, resampled_means

ITEMS, COLUMNS = 300_000, 12
HASHED_BYTES = 500 << 20
REPEATS = 3

Action = Callable[[], object]


def evaluation(items: int = ITEMS) -> Evaluation:
    """Return an evaluation whose columns are half real numbers and half small counts."""
    dice = np.random.default_rng(1)
    columns = {
        f"c{i}": dice.random(items) if i % 2 else dice.integers(0, 50, items).astype(np.float64)
        for i in range(COLUMNS)
    }
    ids = tuple(f"query-{i:07d}" for i in range(items))
    table = ItemTable(ids, columns, lambda i: JsonEvidence(typical_evidence(i)))
    return Evaluation("bench", "cyan", "published", (Score("c1", 0.5, items),), table)


def typical_evidence(item: int) -> dict[str, object]:
    """Return evidence of a typical size: a short ranked list."""
    words = [f"document-{(item * 7919 + k) % 100_003}" for k in range(6)]
    return {"item": item, "ranked": words, "hits": [k for k in range(6) if (item + k) % 3 == 0]}


def timed(action: Action) -> tuple[float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    action()
    return time.perf_counter() - wall, time.process_time() - cpu


def compare(name: str, peer: Action | None, ours: Action, repeats: int = REPEATS) -> None:
    """Run both alternately and print a line of the table."""
    actions = [action for action in (peer, ours) if action is not None]
    times: list[list[tuple[float, float]]] = [[] for _ in actions]
    for _ in range(repeats):
        for action, taken in zip(actions, times, strict=True):
            taken.append(timed(action))
    medians = [tuple(map(statistics.median, zip(*taken, strict=True))) for taken in times]
    wall, cpu = medians[-1]
    line = f"{name:34s}"
    if peer is None:
        line += f"{'':>21s}"
    else:
        line += f"{medians[0][0]:9.3f} s {medians[0][1]:8.3f} s"
    line += f"{wall:9.3f} s {cpu:8.3f} s"
    ratio = f"{medians[0][0] / wall:8.2f}" if peer is not None else f"{'':8s}"
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{line}{ratio}{memory:9.0f} MiB", flush=True)


def store(folder: Path) -> None:
    """Time writing an evaluation of 300,000 items with evidence."""
    kept = evaluation()
    with Desk.create(folder / "bench.jurydesk") as desk:
        compare(f"store {ITEMS:,} items", lambda: write_peer(kept, folder), lambda: desk.add(kept))
    sizes = [(folder / name).stat().st_size >> 20 for name in ("peer.json.gz", "peer.npz")]
    ours = (folder / "bench.jurydesk").stat().st_size >> 20
    print(f"{'':34s}peer {sum(sizes)} MiB, ours {ours} MiB")


def write_peer(kept: Evaluation, folder: Path) -> None:
    with gzip.open(folder / "peer.json.gz", "wt", compresslevel=1) as file:
        json.dump(
            {"ids": kept.items.ids, "evidence": list(map(typical_evidence, range(ITEMS)))}, file
        )
    np.savez_compressed(folder / "peer.npz", **kept.items.columns)  # type: ignore[arg-type]


def time_opening(folder: Path) -> None:
    """Time opening it and reading one item."""
    path = folder / "bench.jurydesk"
    if not path.exists():
        store(folder)

    def ours() -> None:
        with Desk.open(path, read_only=True) as desk:
            desk.load(desk.evaluations()[0].id).items.show(ITEMS // 2)

    def peer() -> None:
        with gzip.open(folder / "peer.json.gz", "rt") as file:
            json.load(file)["evidence"][ITEMS // 2]
        with np.load(folder / "peer.npz") as columns:
            for name in columns:
                columns[name].sum()

    compare(f"open {ITEMS:,} items, show one", peer, ours)


def hashing(folder: Path) -> None:
    """Time reading 500 MB of ranked lists with polars, without and with a hash."""
    path = folder / "run.txt"
    lines = (f"q{i % 997} 0 document-{i:07d} {i % 1000} {i / 7:.6f} run\n" for i in range(100_000))
    block = "".join(lines).encode()
    with path.open("wb") as file:
        for _ in range(HASHED_BYTES // len(block)):
            file.write(block)

    def read() -> None:
        polars.read_csv(path, has_header=False, separator=" ")

    def both() -> None:
        with InputHasher(lambda: None) as prints:
            prints.begin("results", [path])
            read()
            prints.source("results", path)

    compare("read 500 MB; the same, hashed", read, both)
    path.unlink()


def intervals(items: int, columns: int, *, peer: bool) -> None:
    """Time the intervals of every column."""
    values = np.random.default_rng(3).random((items, columns))

    def ours() -> None:
        means = resampled_means(values, ResamplingPlan(items))
        for column in range(columns):
            percentile_interval(means[:, column])

    def theirs() -> None:
        for column in range(columns):
            scipy.stats.bootstrap(
                (values[:, column],),
                np.mean,
                n_resamples=1000,
                method="percentile",
                batch=100,
                rng=1,
            )

    compare(f"intervals, {items:,} x {columns}", theirs if peer else None, ours)


def main() -> None:
    """Run the chosen parts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    names = ("store", "open", "hash", "intervals", "large")
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(names))
    wanted = parser.parse_args().parts or names
    print(f"{'':34s}{'peer wall':>11s}{'cpu':>10s}{'ours wall':>11s}{'cpu':>10s}{'ratio':>8s}")
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as name:
        folder = Path(name)
        parts: dict[str, Action] = {
            "store": lambda: store(folder),
            "open": lambda: time_opening(folder),
            "hash": lambda: hashing(folder),
            "intervals": lambda: intervals(5_000, 30, peer=True),
            "large": lambda: intervals(100_000, 30, peer=False),
        }
        for part in wanted:
            parts[part]()


if __name__ == "__main__":
    main()
