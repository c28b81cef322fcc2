"""Costs of the program compared with its peers in one table: CPU and wall ratios, memory, commit.

Run as `python tests/bench/all.py [--rounds 3] [--scale 1.0] [WORK ...]`. WORK is desk, scenes,
stories or trec; the default is all. Stories need Java and pycocoevalcap, trec needs pytrec_eval.

Every run is a cold process, and the programs take turns at being first. A ratio is the median over
the rounds of the peer's seconds divided by ours; memory is our largest peak. The scores of both are
compared in the first round; a difference ends the benchmark with an error. Peers run in their best
mode: METEOR's jar is run both as its wrapper drives it and fed by a pipe without waiting; the peer
of a desk is the same scoring without a desk.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from usage import Usage, in_turn, of_process

TEAMS, SEQUENCES, IMAGES, PAIRS, LINES = 40, 1900, 2000, 10_000, 1_000_000

Numbers = list[float]
Program = Callable[[], Usage]
SCORE = (sys.executable, "-m", "jurydesk", "score")


@dataclass(frozen=True)
class Work:
    """A workload: its peers and our program by name (ours last), and the scores of each."""

    title: str
    programs: Mapping[str, Program]
    numbers: Callable[[str], Numbers]
    tolerance: float = 0.0


def means_of(path: Path) -> Numbers:
    """Return the scores of all systems in a file of `score --json`."""
    systems = json.loads(path.read_text())["systems"]
    return [value for one in systems for value in one["scores"].values() if value is not None]


def with_and_without_a_desk(title: str, folder: Path, arguments: Sequence[str]) -> Work:
    """Score the same files without a desk and with one."""

    def program(name: str) -> Program:
        command = [*SCORE, *arguments, "--quiet", "--json", str(folder / f"{name}.json")]

        def run() -> Usage:
            desk = folder / "bench.jurydesk"
            desk.unlink(missing_ok=True)
            kept = ["--desk", str(desk), "--reveal"] if name == "with a desk" else []
            return of_process([*command, *kept])

        return run

    names = ("without a desk", "with a desk")
    return Work(
        title,
        {name: program(name) for name in names},
        lambda name: means_of(folder / f"{name}.json"),
    )


def desk(folder: Path, scale: float) -> Work:
    """Return the workload of many teams' stories."""
    import vist
    from meteor import Writer

    files, sequences = vist.make(folder, round(SEQUENCES * scale)), round(SEQUENCES * scale)
    base, writer = json.loads(files.submission.read_text())["output_stories"], Writer(99)
    arguments = ["vist", "--references", str(files.gold)]
    for team in range(TEAMS):
        stories = [{**one, "story_text_normalized": writer.story()} for one in base]
        path = folder / f"team{team:02}.json"
        path.write_text(json.dumps({"output_stories": stories}))
        arguments += ["--submission", str(path)]
    title = f"{TEAMS} teams of {sequences:,} stories"
    return with_and_without_a_desk(title, folder, arguments)


def scenes(folder: Path, scale: float) -> Work:
    """Return the workload of detections in many images."""
    from densecap import write_scenes

    images, path = round(IMAGES * scale), folder / "scenes.json"
    write_scenes(path, images)
    arguments = ["densecap", "--ground-truth", str(path), "--detections", str(path)]
    return with_and_without_a_desk(f"{images:,} images of 100 detections", folder, arguments)


def stories(folder: Path, scale: float) -> Work:
    """Return the workload of METEOR on story pairs, with the jar in both modes."""
    from meteor import STORY_FLAGS, Timed, Writer, jar, ours, write

    pairs = Writer(1).stories(round(PAIRS * scale))
    path, found = write(pairs, folder), {}

    def program(name: str, side: Callable[[], Timed]) -> Program:
        def run() -> Usage:
            timed = side()
            found[name] = timed.scores
            return Usage(timed.wall, timed.usage.cpu, timed.usage.memory)

        return run

    sides: dict[str, Callable[[], Timed]] = {
        "meteor-1.5.jar by stdio": lambda: jar(pairs, STORY_FLAGS),
        "meteor-1.5.jar by a pipe": lambda: jar(pairs, STORY_FLAGS, piped=True),
        "jurydesk meteor": lambda: ours(path, "vist"),
    }
    programs = {name: program(name, side) for name, side in sides.items()}
    return Work(f"METEOR of {len(pairs):,} story pairs", programs, found.__getitem__)


def trec(folder: Path, scale: float) -> Work:
    """Return the workload of a run in trec_eval's format, with pytrec_eval."""
    from trec import DEPTH, PEER, write_pair

    lines, judged, run = round(LINES * scale), folder / "judged.txt", folder / "run.txt"
    write_pair(judged, run, lines, DEPTH)
    peer = PEER + PRINTED
    arguments = ["--relevance", str(judged), "--results", str(run)]
    own = [*SCORE, "keyword-spotting", *arguments, "--quiet", "--json", str(folder / "own.json")]

    def numbers(name: str) -> Numbers:
        theirs = json.loads((folder / "peer.json").read_text())
        if name == "pytrec_eval":
            return [theirs[key] for key in COMPARED]
        (system,) = json.loads((folder / "own.json").read_text())["systems"]
        return [system["scores"][key] for key in COMPARED]

    return Work(
        f"ranked lists of {lines:,} lines",
        {
            "pytrec_eval": lambda: of_process(
                [sys.executable, "-c", peer, str(judged), str(run)], folder / "peer.json"
            ),
            "jurydesk score": lambda: of_process(own),
        },
        numbers,
        1e-9,
    )


COMPARED = ("map", "P_5", "P_10", "ndcg", "ndcg_cut_10", "recip_rank", "Rprec", "bpref")
PRINTED = """
import json
json.dump({
    name: pytrec_eval.compute_aggregated_measure(name, [one[name] for one in found.values()])
    for name in next(iter(found.values()))
}, sys.stdout)
"""

WORKS: Mapping[str, Callable[[Path, float], Work]] = {
    "desk": desk,
    "scenes": scenes,
    "stories": stories,
    "trec": trec,
}


def rows(work: Work, rounds: int) -> Iterator[tuple[str, ...]]:
    """Yield a row of the table per peer; exit if the scores differ."""
    usages = in_turn(work.programs, rounds)
    *peers, own = work.programs
    mine = work.numbers(own)
    for peer in peers:
        theirs = work.numbers(peer)
        pairs = zip(theirs, mine, strict=True)
        if not mine or not all(math.isclose(*two, rel_tol=work.tolerance) for two in pairs):
            sys.exit(f"{work.title}: the numbers of {peer} and {own} differ.")
        turns = list(zip(usages[peer], usages[own], strict=True))
        cpu = statistics.median(one.cpu / two.cpu for one, two in turns)
        wall = statistics.median(one.wall / two.wall for one, two in turns)
        seconds = statistics.median(one.cpu for one in usages[own])
        memory = max(one.memory for one in usages[own])
        yield work.title, peer, f"{seconds:.2f}", f"{cpu:.2f}", f"{wall:.2f}", f"{memory:.0f}"


def commit() -> str:
    """Return the measured commit, with a mark if files have been changed since."""
    command = ["git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def main() -> None:
    """Run the named workloads and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("works", nargs="*", choices=[*WORKS, []], metavar="WORK")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--scale", type=float, default=1.0)
    chosen = parser.parse_args()
    print(f"commit {commit()}, {chosen.rounds} rounds, scale {chosen.scale:g}\n")
    print("| work | peer | our CPU s | CPU ratio | wall ratio | our peak MB |")
    print("|---|---|---|---|---|---|", flush=True)
    for name in chosen.works or WORKS:
        with tempfile.TemporaryDirectory(prefix="jurydesk-bench-") as folder:
            for row in rows(WORKS[name](Path(folder), chosen.scale), chosen.rounds):
                print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
