"""Cost of chunks, overhead of a Dask cluster on this machine, and the limit of more machines.

Run as `python tests/bench/cluster.py [--rounds 5] [--stories 10000] [PART ...]`. PART is overhead
or machines; the default is both. Needs the extra `cluster`, and PyTorch for pictures.

`overhead` scores the same stories with two threads of this process and with two warm worker
processes on loopback, alternately, and prints medians and their ratio. `machines` scores one
competition of each kind on this machine, chunk by chunk, and measures the time of a chunk, the
bytes sent and received, and the time of the desk's own part. A simulation then estimates the time
of a large competition on several machines, the number from which doubling them saves less than a
tenth, and the bottleneck there. The desk sends one chunk after the other over a line of 1 Gbit/s;
every machine has one worker.
"""

from __future__ import annotations

import argparse
import heapq
import json
import os
import pickle
import statistics
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import fusionbrain_text  # noqa: E402 - after the path
import trec  # noqa: E402
import vist  # noqa: E402
from densecap import write_scenes  # noqa: E402
from meteor import Writer  # noqa: E402

from jurydesk.core.competition.task_registry import registry  # noqa: E402
from jurydesk.core.execution.cache import NoCache  # noqa: E402
from jurydesk.core.execution.chunk_flow import AHEAD  # noqa: E402
from jurydesk.core.execution.engine import score_submissions  # noqa: E402
from jurydesk.core.execution.run import Run  # noqa: E402
from jurydesk.core.execution.workers.dask_workers import dask_opener  # noqa: E402
from jurydesk.core.execution.workers.local_workers import LocalWorkers  # noqa: E402
from support.execution.dask_cluster import loopback  # noqa: E402

LINE_BYTES = 125e6
"""Bytes a second of the line."""
LATENCY = 0.002
WORTH = 0.9
"""Share of the time left by a doubling of machines, above which it counts as no gain."""
MOST = 1024


@dataclass(frozen=True)
class Cost:
    """Cost of a competition on this machine: seconds of the desk's own part and of its chunks."""

    desk: float
    chunks: int
    seconds: float
    sent: float
    received: float

    def times(self, number: int) -> Cost:
        """Return the cost of this number of such systems."""
        return replace(self, desk=self.desk * number, chunks=self.chunks * number)


# Overhead


def overhead(stories: int, rounds: int) -> float:
    """Time local and cluster runs alternately; return the driver's seconds per chunk."""
    from jurydesk.core.metrics import meteor
    from jurydesk.core.metrics.meteor.meteor_chunks import CHUNK

    pairs = Writer(1).stories(stories)
    meteor.score_many(pairs, "vist", Run(jobs=2))
    with tempfile.TemporaryDirectory() as name, loopback(Path(name)) as cluster:
        began = time.perf_counter()
        there = Run(workers=dask_opener(cluster.address, "chunks"))
        with there:
            there.workers  # noqa: B018 - opens the connection
            connecting = time.perf_counter() - began
            first = _timed(pairs, there)
            taken = []
            processors = 0.0
            for _ in range(rounds):
                here = _timed(pairs, Run(jobs=2))
                before = processors(cluster.processes)
                taken.append((here, _timed(pairs, there)))
                processors += processors(cluster.processes) - before
    heres, cluster_ = zip(*taken, strict=True)
    local, away = (statistics.median(one.wall for one in side) for side in (heres, cluster_))
    mine, theirs = (sum(one.cpu for one in side) / rounds for side in (heres, cluster_))
    all_of_it = theirs + processors / rounds
    chunks = -(-stories // CHUNK)
    driver = statistics.median(one.cpu for one in cluster_) / chunks
    print(f"{stories:,} stories in {chunks} chunks, medians of {rounds} rounds in turn")
    print(f"two threads: {local:.3f} s; two workers: {away:.3f} s; ratio {away / local:.2f}")
    print(
        f"processor seconds: {mine:.2f} by threads, {all_of_it:.2f} by driver, scheduler and "
        f"workers; ratio {all_of_it / mine:.2f}"
    )
    print(f"connecting {connecting:.2f} s, first run {first.wall:.2f} s (workers open METEOR)")
    print(f"driver: {1000 * driver:.1f} ms of processor a chunk")
    return driver


def processors(processes: Sequence[subprocess.Popen[bytes]]) -> float:
    """Return the CPU seconds of these processes so far (Linux)."""
    ticks = 0
    for process in processes:
        fields_ = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields_[11]) + int(fields_[12])
    return ticks / os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Timed:
    """Wall seconds, and CPU seconds of this process."""

    wall: float
    cpu: float


def _timed(pairs: Any, run: Run) -> Timed:
    from jurydesk.core.metrics import meteor

    wall, cpu = time.perf_counter(), time.process_time()
    meteor.score_many(pairs, "vist", run)
    return Timed(time.perf_counter() - wall, time.process_time() - cpu)


# Costs


class Measuring(LocalWorkers):
    """Workers that run chunks on this thread and record the time and size of each."""

    def __init__(self) -> None:
        super().__init__(1)
        self.seconds: list[float] = []
        self.sent: list[int] = []
        self.received: list[int] = []
        self.weighing = 0.0

    def submit(self, request: Any, chunk: Any, check: Any) -> Future[Any]:
        """Run the chunk immediately on this thread."""
        from jurydesk.core.model.chunk import run_chunk

        future: Future[Any] = Future()
        done = run_chunk(request.kind, request.settings, chunk, check)
        self.seconds.append(done.seconds)
        began = time.perf_counter()
        parcel = (
            chunk if request.kind.embed_files is None else request.kind.embed_files(chunk, False)
        )
        self.sent.append(len(pickle.dumps(parcel)))
        self.received.append(len(pickle.dumps(done.statistics)))
        self.weighing += time.perf_counter() - began
        future.set_result(done)
        return future


def measured(action: Callable[[Run], object]) -> Cost:
    """Return the cost of the second run of an action whose chunks run on this thread."""
    action(Run(jobs=1))
    workers = Measuring()
    began = time.perf_counter()
    action(Run(jobs=1, workers=lambda: workers))
    whole = time.perf_counter() - began
    desk = whole - sum(workers.seconds) - workers.weighing
    means = (statistics.fmean(one) for one in (workers.seconds, workers.sent, workers.received))
    return Cost(desk, len(workers.seconds), *means)


def scoring(name: str, inputs: dict[str, list[Path]], **options: Any) -> Callable[[Run], object]:
    """Return the action that scores one system with its intervals."""
    task = registry().tasks[name]
    return partial(_score, task, inputs, task.scoring.options(**options))


def _score(task: Any, inputs: Any, options: Any, run: Run) -> None:
    assert score_submissions(task, inputs, options, run).evaluations


@contextmanager
def competitions() -> Iterator[dict[str, tuple[Callable[[Run], object], int, str]]]:
    """Return the measured actions (scoring one system or part of it), and their number in a job."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        judged, run = folder / "judged.txt", folder / "run.txt"
        trec.write_pair(judged, run, 1_000_000, 1000)
        stories = vist.make(folder, 2000)
        scenes = folder / "scenes.json"
        write_scenes(scenes, 1000)
        texts = fusionbrain_text.write_files(folder, 5000)
        answers = write_answers(folder, 2000)
        wordnet = ROOT / "resources" / "examples" / "fusionbrain" / "ruwordnet.db"
        yield {
            "keyword spotting": (
                scoring("keyword-spotting", {"relevance": [judged], "results": [run]}),
                100,
                "100 runs of 1,000,000 lines",
            ),
            "stories": (
                scoring("vist", {"submission": [stories.submission], "references": [stories.gold]}),
                100,
                "100 teams, 2,000 stories against 5 each",
            ),
            "dense captions": (
                scoring("densecap", {"ground-truth": [scenes], "detections": [scenes]}),
                500,
                "100 teams, 500,000 detections each",
            ),
            "dialogues": (
                scoring("visdial", {"generations": [answers[0]], "references": [answers[1]]}),
                100,
                "100 teams, 2,000 answers against 20 each",
            ),
            "FusionBrain's texts": (
                scoring(
                    "fusionbrain",
                    {role: [path] for role, path in texts.items()},
                    ruwordnet=str(wordnet),
                ),
                100,
                "100 teams, 5,000 texts each",
            ),
            "pictures": (inception(folder / "pictures"), 470, "FID of 30,000 pictures"),
        }


def write_answers(folder: Path, questions: int) -> tuple[Path, Path]:
    """Write answers to this number of questions, and twenty references of each."""
    writer = Writer(3)
    said = [writer._sentence() for _ in range(4 * questions)]
    generations, references = [], []
    for number in range(questions):
        place = {"image_id": number, "round_id": 1}
        mine = [said[(number * 7 + k * 13) % len(said)] for k in range(20)]
        generations.append({**place, "generations": [said[(number * 11) % len(said)]]})
        references.append({**place, "refs": mine})
    paths = folder / "answers.json", folder / "sets.json"
    for path, content in zip(paths, (generations, references), strict=True):
        path.write_text(json.dumps(content), encoding="utf-8")
    return paths


def inception(folder: Path, pictures: int = 64) -> Callable[[Run], object]:
    """Return the action that computes features of pictures of 640 x 480 with random weights."""
    from jurydesk.core.neural.inception.fid_score import FidCalculator
    from jurydesk.core.neural.weights.weight_roles import weight_arguments
    from support.tiny_models import picture

    for number in range(pictures):
        picture(folder / f"{number}.jpg", number, size=(640, 480))
    distances = FidCalculator(weight_arguments(["inception=random-numbers"]), cache=NoCache())
    readers: list[Any] = []

    def read(run: Run) -> None:
        readers[:] = readers or [distances.reader(run)]
        readers[0].read(folder, run)

    return read


# The simulation


def simulated(cost: Cost, machines: int, hand_out: float) -> float:
    """Return the seconds of a run on this number of machines."""
    now = cost.desk
    free = [now] * machines
    out: deque[float] = deque()
    each = hand_out + (cost.sent + cost.received) / LINE_BYTES
    for _ in range(cost.chunks):
        if len(out) == (AHEAD + 1) * machines:
            now = max(now, out.popleft())
        now += each
        end = max(now + LATENCY, heapq.heappop(free)) + cost.seconds
        heapq.heappush(free, end)
        out.append(end)
    return max(now, *free)


def limit(cost: Cost, hand_out: float) -> int:
    """Return the number of machines whose doubling saves less than a tenth."""
    machines = 1
    while machines < MOST:
        if simulated(cost, 2 * machines, hand_out) > WORTH * simulated(cost, machines, hand_out):
            break
        machines *= 2
    return machines


def reason(cost: Cost, machines: int, hand_out: float) -> str:
    """Return the bottleneck with this number of machines."""
    whole = simulated(cost, machines, hand_out)
    shares = {
        "the desk reads, checks and draws intervals itself": cost.desk,
        "the desk hands out one chunk after the other": cost.chunks * hand_out,
        "the line is full": cost.chunks * (cost.sent + cost.received) / LINE_BYTES,
        "there are few chunks for so many": cost.seconds,
    }
    word, most = max(shares.items(), key=lambda share: share[1])
    return f"{word} ({most / whole:.0%})"


def machines(hand_out: float) -> None:
    """Measure every kind of competition, and print the results of the simulation."""
    print(f"Handing out: {1000 * hand_out:.1f} ms a chunk.\n")
    print("| competition | ms a chunk | KB out | KB back | s on the desk | chunks | the job |")
    print("|---|---|---|---|---|---|---|")
    found: dict[str, Cost] = {}
    with competitions() as known:
        for name, (action, number, job) in known.items():
            cost = measured(action)
            found[name] = cost.times(number)
            print(
                f"| {name} | {1000 * cost.seconds:.0f} | {cost.sent / 1e3:.0f} | "
                f"{cost.received / 1e3:.0f} | {found[name].desk:.0f} | {found[name].chunks:,} | "
                f"{job} |"
            )
    print("\n| competition | 1 machine | 4 | 16 | 64 | gains up to | since then |")
    print("|---|---|---|---|---|---|---|")
    for name, cost in found.items():
        times = " | ".join(f"{simulated(cost, one, hand_out):,.0f} s" for one in (1, 4, 16, 64))
        most = limit(cost, hand_out)
        print(f"| {name} | {times} | {most} | {reason(cost, most, hand_out)} |")


def main() -> None:
    """Run the chosen parts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", default=["overhead", "machines"])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--stories", type=int, default=10_000)
    parser.add_argument("--hand-out", type=float, default=0.004, help="without overhead")
    chosen = parser.parse_args()
    hand_out = chosen.hand_out
    if "overhead" in chosen.parts:
        hand_out = overhead(chosen.stories, chosen.rounds)
    if "machines" in chosen.parts:
        machines(hand_out)


if __name__ == "__main__":
    main()
