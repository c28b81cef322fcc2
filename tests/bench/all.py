"""Costs of the program compared with its peers in one table: CPU and wall ratios, memory, commit.

Run as `python tests/bench/all.py [--rounds 3] [--scale 1.0] [WORK ...]`. WORK is one of those at
the end of this file; the default is all. Stories and captions need Java and pycocoevalcap, images
also pycocotools, trec needs pytrec_eval.

Every run is a cold process, and the programs take turns at being first. A ratio is the median over
the rounds of the peer's seconds divided by ours; memory is our largest peak. The scores of both are
compared; a difference ends the benchmark with an error. Peers run in their best mode: METEOR's jar
is run both as its wrapper drives it and fed by a pipe without waiting. Three peers are parts of the
work itself: the same scoring without a desk, with one job instead of two, and a bare pass of expat
over the file, which takes as long as rusteval. The window's peer is a bare QMainWindow. What is no
whole program is in benchmarks of its own: `cluster.py`, `board.py`, `responsiveness.py`.
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

TEAMS, SEQUENCES, IMAGES = 40, 1900, 2000
PAIRS, CAPTIONS, LINES = 10_000, 50_000, 1_000_000

Numbers = list[float]
Pair = tuple[str, list[str]]
Program = Callable[[], Usage]
SCORE = (sys.executable, "-m", "jurydesk", "score")


@dataclass(frozen=True)
class Work:
    """A workload: its peers and our program by name (ours last), and the scores of each."""

    title: str
    programs: Mapping[str, Program]
    numbers: Callable[[str], Numbers] | None
    """None if the peer computes no scores."""
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
    sequences = round(SEQUENCES * scale)
    title = f"{TEAMS} teams of {sequences:,} stories"
    return with_and_without_a_desk(title, folder, team_files(folder, sequences, TEAMS))


def team_files(folder: Path, sequences: int, teams: int) -> list[str]:
    """Write the stories of some teams; return the arguments that name them."""
    import vist
    from meteor import Writer

    files = vist.make(folder, sequences)
    base, writer = json.loads(files.submission.read_text())["output_stories"], Writer(99)
    arguments = ["vist", "--references", str(files.gold)]
    for team in range(teams):
        stories = [{**one, "story_text_normalized": writer.story()} for one in base]
        path = folder / f"team{team:02}.json"
        path.write_text(json.dumps({"output_stories": stories}))
        arguments += ["--submission", str(path)]
    return arguments


def scenes(folder: Path, scale: float) -> Work:
    """Return the workload of detections in many images."""
    from densecap import write_scenes

    images, path = round(IMAGES * scale), folder / "scenes.json"
    write_scenes(path, images)
    arguments = ["densecap", "--ground-truth", str(path), "--detections", str(path)]
    return with_and_without_a_desk(f"{images:,} images of 100 detections", folder, arguments)


def stories(folder: Path, scale: float) -> Work:
    """Return the workload of METEOR on story pairs."""
    from meteor import STORY_FLAGS, Writer

    pairs = Writer(1).stories(round(PAIRS * scale))
    return meteor_pairs(f"METEOR of {len(pairs):,} story pairs", pairs, "vist", STORY_FLAGS, folder)


def captions(folder: Path, scale: float) -> Work:
    """Return the workload of METEOR on captions with two references."""
    from meteor import CAPTION_FLAGS, Writer

    pairs = Writer(2).captions(round(CAPTIONS * scale))
    title = f"METEOR of {len(pairs):,} captions, 2 references"
    return meteor_pairs(title, pairs, "coco", CAPTION_FLAGS, folder)


def meteor_pairs(
    title: str, pairs: Sequence[Pair], profile: str, flags: Sequence[str], folder: Path
) -> Work:
    """Return the workload of METEOR on pairs, with the jar in both modes."""
    from meteor import Timed, jar, ours, write

    path, found = write(pairs, folder), {}

    def program(name: str, side: Callable[[], Timed]) -> Program:
        def run() -> Usage:
            timed = side()
            found[name] = timed.scores
            return Usage(timed.wall, timed.usage.cpu, timed.usage.memory)

        return run

    sides: dict[str, Callable[[], Timed]] = {
        "meteor-1.5.jar by stdio": lambda: jar(pairs, flags),
        "meteor-1.5.jar by a pipe": lambda: jar(pairs, flags, piped=True),
        "jurydesk meteor": lambda: ours(path, profile),
    }
    programs = {name: program(name, side) for name, side in sides.items()}
    return Work(title, programs, found.__getitem__)


def images(folder: Path, scale: float) -> Work:
    """Return the workload of all scores of image captions, with pycocoevalcap."""
    from captions import ORIGINAL, make, measured

    number, printed = round(IMAGES * scale), {}
    files = [str(path) for path in make(number, folder)]
    script = folder / "original.py"
    script.write_text(ORIGINAL)

    def program(name: str, *command: str) -> Program:
        def run() -> Usage:
            used = measured([sys.executable, *command, *files])
            printed[name] = [float(line.partition(": ")[2]) for line in sorted(used.printed)]
            return Usage(used.wall, used.cpu, used.peak)

        return run

    own = ("-m", "jurydesk", "coco-caption", "--images", "all", "--quiet")
    programs = {
        "pycocoevalcap": program("pycocoevalcap", str(script)),
        "jurydesk coco-caption": program("jurydesk coco-caption", *own),
    }
    return Work(f"captions of {number:,} images", programs, printed.__getitem__)


def jobs(folder: Path, scale: float) -> Work:
    """Return the workload of many teams' stories, by one job and by two."""
    arguments = team_files(folder, round(SEQUENCES * scale), TEAMS)

    def program(number: str) -> Program:
        out = str(folder / f"{number}.json")
        return lambda: of_process([*SCORE, *arguments, "--quiet", "--jobs", number, "--json", out])

    return Work(
        f"{TEAMS} teams of {round(SEQUENCES * scale):,} stories, --jobs",
        {f"--jobs {number}": program(number) for number in ("1", "2")},
        lambda name: means_of(folder / f"{name.removeprefix('--jobs ')}.json"),
    )


def icfhr(folder: Path, scale: float) -> Work:
    """Return the workload of a large result file of ICFHR 2014."""
    from icfhr import BENTHAM, EXPAT_PASS, same_words, write_results, written_relevance

    from jurydesk.core.execution.run import Run
    from jurydesk.core.tasks.keyword_spotting.icfhr.icfhr_reader import read_word_judgements

    relevance = BENTHAM if BENTHAM.exists() else written_relevance(folder, 320)
    judgements = read_word_judgements(relevance, Run()).data
    assert judgements is not None
    results, length = folder / "results.xml", round(5000 * scale)
    write_results(results, judgements.queries[:320], same_words(judgements, length), length)
    own = ["keyword-spotting", "--relevance", str(relevance), "--results", str(results)]
    return Work(
        f"ICFHR 2014, {results.stat().st_size / 1e6:.0f} MB",
        {
            "bare expat pass": lambda: of_process([sys.executable, "-c", EXPAT_PASS, str(results)]),
            "jurydesk score": lambda: of_process([*SCORE, *own, "--quiet"]),
        },
        None,
    )


def window(folder: Path, scale: float) -> Work:
    """Return the workload of a start up to the first paint."""
    from window import BARE, OURS, measure

    def program(code: str) -> Program:
        def run() -> Usage:
            report, *_ = measure(code)
            return Usage(report["wall"], report["cpu"], report["peak"])

        return run

    programs = {"bare QMainWindow": program(BARE), "first window": program(OURS)}
    return Work("start to first paint", programs, None)


def trec(folder: Path, scale: float) -> Work:
    """Return the workload of a run of a million lines in trec_eval's format, with pytrec_eval."""
    return ranked_lists(folder, round(LINES * scale))


def long_trec(folder: Path, scale: float) -> Work:
    """Return the workload of a run of ten million lines, with pytrec_eval."""
    return ranked_lists(folder, round(10 * LINES * scale))


def ranked_lists(folder: Path, lines: int) -> Work:
    """Return the workload of a run in trec_eval's format, with pytrec_eval."""
    from trec import DEPTH, PEER, write_pair

    judged, run = folder / "judged.txt", folder / "run.txt"
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
    "jobs": jobs,
    "scenes": scenes,
    "stories": stories,
    "captions": captions,
    "images": images,
    "trec": trec,
    "long-trec": long_trec,
    "icfhr": icfhr,
    "window": window,
}


def rows(work: Work, rounds: int) -> Iterator[tuple[str, ...]]:
    """Yield a row of the table per peer; exit if the scores differ."""
    usages = in_turn(work.programs, rounds)
    *peers, own = work.programs
    for peer in peers:
        if work.numbers is not None and not are_equal(work, work.numbers(peer), work.numbers(own)):
            sys.exit(f"{work.title}: the numbers of {peer} and {own} differ.")
        turns = list(zip(usages[peer], usages[own], strict=True))
        cpu = statistics.median(one.cpu / two.cpu for one, two in turns)
        wall = statistics.median(one.wall / two.wall for one, two in turns)
        seconds = statistics.median(one.cpu for one in usages[own])
        memory = max(one.memory for one in usages[own])
        yield work.title, peer, f"{seconds:.2f}", f"{cpu:.2f}", f"{wall:.2f}", f"{memory:.0f}"


def are_equal(work: Work, theirs: Numbers, mine: Numbers) -> bool:
    """Return whether both computed the same numbers, and some."""
    pairs = zip(theirs, mine, strict=True)
    return bool(mine) and all(math.isclose(*two, rel_tol=work.tolerance) for two in pairs)


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
