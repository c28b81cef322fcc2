"""Cost of chunks, overhead of a Dask cluster on this machine, and the limit of more machines.

Run as `python tests/bench/cluster.py [--rounds 5] [--stories 10000] [PART ...]`. PART is overhead
or machines; the default is both. Needs the extra `cluster`, and PyTorch for pictures.

`overhead` scores the same stories by two threads of this process and by two worker processes on
loopback, in turn, and prints medians and their ratio; every worker is warm. `machines` scores a
few teams of each competition into a desk, with workers that are this thread, and measures the
processor seconds of what workers do and of what is left to the desk, and the bytes that go out and
come back: once in whole submissions, as a cluster does, and once in chunks of them, as it does with
one system. From that a simulation says how long 100 teams take on so many machines, where doubling
them saves less than a tenth, and why. The desk hands out one chunk after the other over a line of
1 Gbit/s; every machine has one worker.
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
from unittest.mock import patch

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import fusionbrain_text  # noqa: E402 - after the path
import trec  # noqa: E402
import vist  # noqa: E402
from densecap import write_scenes  # noqa: E402
from meteor import Writer  # noqa: E402

from jurydesk.core.competition.task_registry import registry  # noqa: E402
from jurydesk.core.desk import Desk  # noqa: E402
from jurydesk.core.execution import engine  # noqa: E402
from jurydesk.core.execution.cache import Cache, NoCache  # noqa: E402
from jurydesk.core.execution.chunk_flow import AHEAD  # noqa: E402
from jurydesk.core.execution.engine import score_submissions  # noqa: E402
from jurydesk.core.execution.run import Run  # noqa: E402
from jurydesk.core.execution.workers.dask_workers import dask_opener  # noqa: E402
from jurydesk.core.execution.workers.local_workers import LocalWorkers  # noqa: E402
from jurydesk.core.model.input_file import files_by_role  # noqa: E402
from support.execution.dask_cluster import loopback  # noqa: E402

LINE_BYTES = 125e6
"""Bytes a second of the line."""
LATENCY = 0.002
WORTH = 0.9
"""Share of the time left by a doubling of machines, above which it counts as no gain."""
MOST = 1024
SHOWN = (1, 2, 4, 8, 16, 32)
TEAMS, FEW = 100, 6
PICTURE_CHUNKS = 470


@dataclass(frozen=True)
class Cost:
    """Processor seconds of the desk itself and of all its chunks, their number and their bytes.

    `start` are the seconds that every worker needs before its first chunk.
    """

    desk: float
    work: float
    chunks: float
    sent: float
    received: float
    start: float = 0.0

    @property
    def seconds(self) -> float:
        """Seconds of one chunk."""
        return self.work / self.chunks

    @property
    def line(self) -> float:
        """Seconds of the line for one chunk."""
        return (self.sent + self.received) / self.chunks / LINE_BYTES

    def extended(self, more: Cost, teams: int, number: int) -> Cost:
        """The cost of `number` teams, if this one is of `teams` and `more` of twice as many."""
        team = Cost(
            *(
                (getattr(more, name) - getattr(self, name)) / teams
                for name in ("desk", "work", "chunks", "sent", "received")
            )
        )
        fixed = max(0.0, self.desk - teams * team.desk)
        start = max(0.0, self.work - teams * team.work)
        return replace(team.times(number), desk=fixed + team.desk * number, start=start)

    def times(self, number: int) -> Cost:
        """So many times the cost."""
        return Cost(
            self.desk * number,
            self.work * number,
            self.chunks * number,
            self.sent * number,
            self.received * number,
        )


class Forgetful:
    """The desk's cache, which finds nothing: the teams' texts are the same."""

    is_empty = True

    def __init__(self, cache: Cache) -> None:
        self.put, self.put_all = cache.put, cache.put_all

    def get(self, key: str) -> None:
        """Find nothing."""


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
    """One worker, this thread, which notes what all chunks take and how large they are."""

    place = "measured here"

    def __init__(self) -> None:
        super().__init__(1)
        self.chunks = self.sent = self.received = 0
        self.seconds = self.weighing = 0.0

    def submit(self, request: Any, chunk: Any, check: Any) -> Future[Any]:
        """Run the chunk immediately on this thread."""
        from jurydesk.core.model.chunk import run_chunk

        future: Future[Any] = Future()
        kind = request.kind
        parcel = chunk if kind.embed_files is None else kind.embed_files(chunk, False)
        began = time.process_time()
        done = run_chunk(kind, request.settings, parcel, check)
        ended = time.process_time()
        self.seconds += ended - began
        self.chunks += 1
        self.sent += len(pickle.dumps(parcel))
        self.received += len(pickle.dumps(done.statistics))
        self.weighing += time.process_time() - ended
        future.set_result(done)
        return future


def measured(action: Callable[[Run], object]) -> Cost:
    """What an action costs whose chunks are done here."""
    workers = Measuring()
    began = time.process_time()
    action(Run(jobs=1, workers=lambda: workers))
    whole = time.process_time() - began
    desk = whole - workers.seconds - workers.weighing
    return Cost(desk, workers.seconds, workers.chunks, workers.sent, workers.received)


@dataclass(frozen=True)
class Teams:
    """Teams of a competition: a submission that all have, the other files, and the options.

    `different` are submissions of their own, in place of that of all.
    """

    name: str
    submission: Path
    others: dict[str, Path]
    options: dict[str, Any]
    different: Sequence[bytes] = ()

    def score(self, count: int, run: Run) -> None:
        """Score so many teams into a new desk, as `jurydesk score --desk` does."""
        task = registry().tasks[self.name]
        inputs = {role: [path] for role, path in self.others.items()}
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            inputs[task.submission_input().role] = teams = []
            for number in range(count):
                team = folder / f"team{number:03}{self.submission.suffix}"
                content = self.different[number] if self.different else self._content(number)
                team.write_bytes(content)
                teams.append(team)
            with Desk.create(folder / "teams.jurydesk") as desk:
                run.cache = Forgetful(desk.cache)
                found = score_submissions(
                    task,
                    files_by_role(inputs),
                    task.scoring.options(**self.options),
                    run,
                    on_entry=lambda entry: desk.add(entry.evaluation),
                )
        assert len(found.evaluations) == count

    def _content(self, number: int) -> bytes:
        return self.submission.read_bytes() + b"\n" * number

    def cost(self) -> Cost:
        """The cost of all teams, from that of a few and of twice as many."""
        few = measured(partial(self.score, FEW))
        return few.extended(measured(partial(self.score, 2 * FEW)), FEW, TEAMS)

    def cost_in_chunks(self) -> Cost:
        """The same where chunks of submissions are sent and not whole ones."""
        with patch.object(engine, "_score_remotely", lambda scorer, jobs, log: jobs):
            return self.cost()


@contextmanager
def competitions() -> Iterator[dict[str, tuple[Callable[[], Teams], str]]]:
    """Teams by the name of their competition, written when they are measured, in words, too."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)

        def stories() -> Teams:
            files = vist.make(folder, 2000)
            base = json.loads(files.submission.read_text())["output_stories"]
            teams = []
            for number in range(2 * FEW):
                writer = Writer(number)
                told = [{**one, "story_text_normalized": writer.story()} for one in base]
                teams.append(json.dumps({"output_stories": told}).encode())
            references = {"references": files.gold}
            return Teams("vist", files.submission, references, {}, teams)

        def scenes() -> Teams:
            path = folder / "scenes.json"
            write_scenes(path, 1000)
            return Teams("densecap", path, {"ground-truth": path}, {})

        def answers() -> Teams:
            mine, references = write_answers(folder, 2000)
            return Teams("visdial", mine, {"references": references}, {})

        def texts() -> Teams:
            files = dict(fusionbrain_text.write_files(folder, 5000))
            mine = files.pop("predictions")
            network = ROOT / "resources" / "examples" / "fusionbrain" / "ruwordnet.db"
            return Teams("fusionbrain", mine, files, {"ruwordnet": str(network)})

        def lists() -> Teams:
            judged, run = folder / "judged.txt", folder / "run.txt"
            trec.write_pair(judged, run, 1_000_000, 1000)
            return Teams("keyword-spotting", run, {"relevance": judged}, {})

        yield {
            "stories": (stories, "2,000 stories against 5 each"),
            "dialogues": (answers, "2,000 answers against 20 each"),
            "FusionBrain's texts": (texts, "5,000 texts"),
            "dense captions": (scenes, "100,000 detections"),
            "keyword spotting": (lists, "1,000,000 lines"),
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
    """The seconds of a run on so many machines; the desk's own work is between its chunks."""
    chunks = round(cost.chunks)
    between = hand_out + cost.line + cost.desk / chunks
    now = 0.0
    free = [cost.start] * machines
    out: deque[float] = deque()
    for _ in range(chunks):
        if len(out) == (AHEAD + 1) * machines:
            now = max(now, out.popleft())
        now += between
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
        "the desk's own work": cost.desk,
        "the desk hands out one chunk after the other": cost.chunks * hand_out,
        "the line is full": cost.chunks * cost.line,
        "a worker's first chunk and its start": cost.seconds + cost.start,
    }
    word, most = max(shares.items(), key=lambda share: share[1])
    return f"{word} ({most / whole:.0%})"


def machines(hand_out: float, names: Sequence[str]) -> None:
    """Measure every kind of competition, and print what the simulation says."""
    shown = " | ".join(map(str, SHOWN))
    print(f"Handing out: {1000 * hand_out:.1f} ms a chunk.\n")
    print(
        "| competition | sent as | desk, CPU s a team | workers, CPU s | MB out | MB back "
        f"| {shown} | gains up to | since then |"
    )
    print("|---" * (8 + len(SHOWN)) + "|")
    with competitions() as known:
        for name, (write, team) in known.items():
            if names and name not in names:
                continue
            teams = write()
            teams.score(FEW, Run(jobs=1))
            title = f"{name}: {TEAMS} teams, {team}"
            row(title, "submissions", teams.cost(), TEAMS, hand_out)
            row(title, "chunks", teams.cost_in_chunks(), TEAMS, hand_out)
    if not names or "pictures" in names:
        with tempfile.TemporaryDirectory() as folder:
            read = inception(Path(folder, "pictures"))
            read(Run(jobs=1))
            cost = measured(read)
            row("FID of 30,000 pictures", "chunks", cost.times(PICTURE_CHUNKS), 1, hand_out)


def row(title: str, way: str, cost: Cost, teams: int, hand_out: float) -> None:
    """Print a row of the table."""
    times = " | ".join(f"{simulated(cost, one, hand_out):,.0f}" for one in SHOWN)
    most = limit(cost, hand_out)
    print(
        f"| {title} | {way} | {cost.desk / teams:.3f} | {cost.work / teams:.2f} | "
        f"{cost.sent / teams / 1e6:.1f} | {cost.received / teams / 1e6:.1f} | {times} | {most} | "
        f"{reason(cost, most, hand_out)} |",
        flush=True,
    )


def main() -> None:
    """Run the chosen parts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", default=["overhead", "machines"])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--stories", type=int, default=10_000)
    parser.add_argument("--hand-out", type=float, default=0.004, help="without overhead")
    parser.add_argument("--only", nargs="*", default=[], help="competitions of `machines`")
    chosen = parser.parse_args()
    hand_out = chosen.hand_out
    if "overhead" in chosen.parts:
        hand_out = overhead(chosen.stories, chosen.rounds)
    if "machines" in chosen.parts:
        machines(hand_out, chosen.only)


if __name__ == "__main__":
    main()
