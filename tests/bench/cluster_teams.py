"""What many teams cost the desk and the workers of a cluster, and up to how many machines gain.

Run as `python tests/bench/cluster_teams.py [--few 2] [--many 5] [COMPETITION ...]`. Needs the extra
`cluster`.

Teams are scored into a desk by two workers on this machine, once in whole submissions and once in
chunks of them. Processor seconds of the desk's process and of the workers are measured with few and
with more teams; their difference is what one more team costs. From that follows the time of 100
teams on so many machines: the longest of the desk's seconds, those of a line of 1 Gbit/s, and the
workers' seconds divided by the machines. The numbers of both ways and of no cluster are compared.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import cluster  # first: it puts the tests' folder on the path
import fusionbrain_text
import trec
import vist
from densecap import write_scenes

from jurydesk.core.competition.task_registry import find_competition
from jurydesk.core.desk import Desk
from jurydesk.core.execution import engine
from jurydesk.core.execution.engine import CompetitionResult, score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.execution.workers.dask_workers import dask_opener
from support.execution.dask_cluster import LoopbackCluster, loopback

TEAMS = 100
IDLE_SECONDS = 4.0
MACHINES = (1, 2, 4, 8, 16, 32)
WORTH = 0.9
"""A doubling of machines that leaves more of the time than this gains nothing."""


@dataclass(frozen=True)
class Competition:
    """A competition: its submission, other files by role, options, and what a team has."""

    task: str
    submission: Path
    others: dict[str, Path]
    options: dict[str, Any]
    team: str


@dataclass(frozen=True)
class Cost:
    """Processor seconds of the desk's process and of all workers, and bytes of results."""

    desk: float
    workers: float
    received: float

    def __sub__(self, other: Cost) -> Cost:
        return Cost(
            self.desk - other.desk, self.workers - other.workers, self.received - other.received
        )

    def times(self, factor: float) -> Cost:
        """So many times the cost."""
        return Cost(self.desk * factor, self.workers * factor, self.received * factor)


def competitions(folder: Path) -> dict[str, Callable[[], Competition]]:
    """Write the files of a competition when it is measured."""

    def stories() -> Competition:
        files = vist.make(folder, 2000)
        return Competition(
            "vist", files.submission, {"references": files.gold}, {}, "2,000 stories against 5"
        )

    def scenes() -> Competition:
        path = folder / "scenes.json"
        write_scenes(path, 1000)
        return Competition("densecap", path, {"ground-truth": path}, {}, "100,000 detections")

    def answers() -> Competition:
        mine, references = cluster.write_answers(folder, 2000)
        return Competition(
            "visdial", mine, {"references": references}, {}, "2,000 answers against 20"
        )

    def texts() -> Competition:
        files = dict(fusionbrain_text.write_files(folder, 5000))
        network = cluster.ROOT / "resources" / "examples" / "fusionbrain" / "ruwordnet.db"
        mine = files.pop("predictions")
        options = {"ruwordnet": str(network)}
        return Competition("fusionbrain", mine, files, options, "5,000 texts")

    def lists() -> Competition:
        judged, run = folder / "judged.txt", folder / "run.txt"
        trec.write_pair(judged, run, 1_000_000, 1000)
        return Competition("keyword-spotting", run, {"relevance": judged}, {}, "1,000,000 lines")

    return {
        "stories": stories,
        "dense captions": scenes,
        "dialogues": answers,
        "FusionBrain's texts": texts,
        "keyword spotting": lists,
    }


def teams_of(competition: Competition, folder: Path, count: int) -> list[Path]:
    """Copies of the submission that differ in their bytes."""
    content, paths = competition.submission.read_bytes(), []
    for number in range(count):
        path = folder / f"team{number:03}{competition.submission.suffix}"
        path.write_bytes(content + b"\n" * number)
        paths.append(path)
    return paths


def score(
    competition: Competition, teams: Sequence[Path], run: Run, folder: Path
) -> CompetitionResult:
    """Score the teams into a new desk, as `jurydesk score --desk` does."""
    task = find_competition(competition.task)
    assert task is not None
    inputs = {role: [path] for role, path in competition.others.items()}
    inputs[task.submission_input().role] = list(teams)
    path = folder / f"{time.monotonic_ns()}.jurydesk"
    with Desk.create(path) as desk:
        run.cache = desk.cache

        def keep(entry: Any) -> None:
            desk.add(entry.evaluation)

        found = score_submissions(
            task, inputs, task.scoring.options(**competition.options), run, on_entry=keep
        )
        desk.cache.clear()
    path.unlink()
    assert len(found.evaluations) == len(teams)
    return found


@contextmanager
def in_chunks() -> Iterator[None]:
    """Send chunks of submissions within the block."""
    with patch.object(engine, "_score_remotely", lambda scorer, jobs, log: jobs):
        yield


def idle(own: LoopbackCluster) -> Cost:
    """Processor seconds a second while nothing is scored: Dask's processes tick."""
    before, mine = cluster.processors(own.workers), time.process_time()
    time.sleep(IDLE_SECONDS)
    desk, workers = time.process_time() - mine, cluster.processors(own.workers) - before
    return Cost(desk, workers, 0).times(1 / IDLE_SECONDS)


def cost(action: Callable[[], CompetitionResult], own: LoopbackCluster, ticking: Cost) -> Cost:
    """What the desk's process and the workers took beyond `ticking` a second."""
    received = 0
    unpack = engine.unpack_submission

    def counted(task: Any, packed: Any) -> Any:
        nonlocal received
        received += packed.columns.nbytes + packed.evidence.nbytes + packed.members.nbytes
        return unpack(task, packed)

    with patch.object(engine, "unpack_submission", counted):
        before, mine, began = cluster.processors(own.workers), time.process_time(), time.monotonic()
        action()
        desk, workers = time.process_time() - mine, cluster.processors(own.workers) - before
        return Cost(desk, workers, received) - ticking.times(time.monotonic() - began)


def numbers(found: CompetitionResult) -> list[Any]:
    """Scores with intervals, and the bytes of every column."""
    return [
        (one.scores, [column.tobytes() for column in one.items.columns.values()])
        for one in found.evaluations
    ]


def seconds(fixed: Cost, team: Cost, sent: int, machines: int) -> float:
    """Seconds of 100 teams on so many machines."""
    line = (sent + team.received) * TEAMS / cluster.LINE_BYTES
    return max(fixed.desk, 0) + max(
        team.desk * TEAMS, line, team.workers * TEAMS / machines + max(fixed.workers, 0)
    )


def gains(fixed: Cost, team: Cost, sent: int) -> int:
    """The number of machines whose doubling saves less than a tenth."""
    machines = 1
    while machines < 1024 and seconds(fixed, team, sent, 2 * machines) <= WORTH * seconds(
        fixed, team, sent, machines
    ):
        machines *= 2
    return machines


def measure(name: str, competition: Competition, folder: Path, few: int, many: int) -> None:
    """Measure a competition in both ways and print a row for each."""
    teams = teams_of(competition, folder, many)
    alone = numbers(score(competition, teams[:few], Run(jobs=1), folder))
    sent = competition.submission.stat().st_size
    with (
        loopback(folder / "cluster") as own,
        Run(workers=dask_opener(own.address, "chunks")) as run,
    ):

        def action(count: int) -> CompetitionResult:
            return score(competition, teams[:count], run, folder)

        for way, sending in (("submissions", nullcontext), ("chunks", in_chunks)):
            with sending():
                found = numbers(action(few))  # opens METEOR's index on both workers
                assert found == alone, f"{name}: the numbers of the cluster differ"
                ticking = idle(own)
                little = cost(lambda: action(few), own, ticking)
                much = cost(lambda: action(many), own, ticking)
            team = (much - little).times(1 / (many - few))
            fixed = little - team.times(few)
            times = " | ".join(f"{seconds(fixed, team, sent, one):.0f}" for one in MACHINES)
            print(
                f"| {name} | {competition.team} | {way} | {team.desk:.3f} | {team.workers:.2f} | "
                f"{sent / 1e6:.1f} | {team.received / 1e6:.1f} | {times} | "
                f"{gains(fixed, team, sent)} |",
                flush=True,
            )


def main() -> None:
    """Measure the competitions that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("competitions", nargs="*")
    parser.add_argument("--few", type=int, default=2)
    parser.add_argument("--many", type=int, default=5)
    chosen = parser.parse_args()
    machines = " | ".join(f"{one}" for one in MACHINES)
    print(
        "| competition | a team | sent as | CPU s of the desk | of workers | MB out | MB back | "
        f"{machines} | gains up to |"
    )
    print("|---" * (8 + len(MACHINES)) + "|")
    with tempfile.TemporaryDirectory() as name:
        for number, (title, write) in enumerate(competitions(Path(name)).items()):
            if not chosen.competitions or title in chosen.competitions:
                folder = Path(name, str(number))
                folder.mkdir()
                measure(title, write(), folder, chosen.few, chosen.many)


if __name__ == "__main__":
    main()
