"""Speed of METEOR compared with meteor-1.5.jar, driven by -stdio as pycocoevalcap does.

Run as `python tests/bench/meteor.py [--repeats 3] [--scale 1.0] [PART ...]`. PART is stories,
captions, single, ready, python, index or memory; the default is all. Needs Java.

Each program is a cold process that scores the same pairs; ours is the command `jurydesk meteor`,
which also writes the counts and matches that the jar does not print. The jar runs twice: a pair at
a time as its wrappers drive it, and fed by a pipe without waiting. The programs take turns at being
first, and a different score ends the benchmark with an error. Our index is built beforehand; we use
all cores. The texts are made from the project's recorded sentences by a seeded generator, so that
their words have stems, synonyms and paraphrases as often as real ones. Wall and CPU seconds are
medians; memory is the peak.

The jar's seconds divided by ours, medians of five rounds on two processors:

| | CPU | wall |
|---|---|---|
| 10,000 story pairs (0.58 CPU s), -stdio | 32.5 | 32.9 |
| the same, piped | 32.3 | 31.6 |
| 50,000 captions with two references (0.89 CPU s), -stdio | 31.2 | 36.8 |
| the same, piped | 29.6 | 32.2 |

A quarter of our time for stories is the start of Python and NumPy.

The same pairs in a running process, before and after word lookup, text splitting and the merging
of paths were compiled (CPU seconds, medians of three alternating runs):

| | before | after | |
|---|---|---|---|
| preparing 20,000 texts with 24,000 different words | 0.444 | 0.157 | 2.8 times |
| aligning | 0.464 | 0.332 | 1.4 times |
| both | 0.909 | 0.488 | 1.9 times |

Aligning a pair takes 164,000 instructions instead of 228,000, and a quarter fewer branches.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

STORIES, CAPTIONS, MANY_CAPTIONS = 10_000, 50_000, 200_000
STORY_FLAGS = ("-l", "en", "-t", "hter")
CAPTION_FLAGS = ("-l", "en", "-norm")
ROUND_TRIPS = 300

Pair = tuple[str, list[str]]


# The texts


def sentences() -> list[str]:
    """Return the recorded sentences of ordinary length."""
    found: dict[str, None] = {}
    for line in (ROOT / "tests/oracles/meteor/own.jsonl").open(encoding="utf-8", newline="\n"):
        record = json.loads(line)
        for text in (record["hyp"], *record["refs"]):
            if text.isascii() and 6 <= len(text.split()) <= 16:
                found[text.strip()] = None
    return list(found)


def vocabulary() -> list[str]:
    """Return words with synonyms or paraphrases, short ones as in ordinary text."""
    from jurydesk.core.metrics.meteor import open_or_build_index

    arrays = open_or_build_index().arrays
    text, starts = arrays.text.tobytes(), arrays.text_start
    known = [
        text[starts[place] : starts[place + 1]].decode("utf-8")
        for place in (arrays.word_paraphrase >= 0).nonzero()[0]
    ]
    return [word for word in known if word.isalpha() and word.isascii() and 3 <= len(word) <= 8]


class Writer:
    """Generator of texts, which mixes sentences and exchanges some of their words."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._sentences = sentences()
        self._words = vocabulary()

    def _sentence(self) -> str:
        words = self._random.choice(self._sentences).split()
        return " ".join(
            self._random.choice(self._words) if self._random.random() < 0.15 else word
            for word in words
        )

    def story(self, length: int = 46) -> str:
        """Return about `length` words in lower case with separated punctuation, as in VIST."""
        words: list[str] = []
        while len(words) < length:
            words += self._sentence().lower().replace(".", " .").replace(",", " ,").split()
        return " ".join(words[: length + self._random.randint(-6, 6)])

    def stories(self, number: int) -> list[Pair]:
        """Return pairs of stories."""
        return [(self.story(), [self.story()]) for _ in range(number)]

    def captions(self, number: int) -> list[Pair]:
        """Return captions with two references."""
        return [(self._sentence(), [self._sentence(), self._sentence()]) for _ in range(number)]


# The two sides


class Jar:
    """The jar as pycocoevalcap starts it."""

    def __init__(self, flags: Sequence[str]) -> None:
        import importlib.util

        spec = importlib.util.find_spec("pycocoevalcap")
        if spec is None or not spec.submodule_search_locations:
            sys.exit("pycocoevalcap, which carries the jar, is not installed.")
        self._process = subprocess.Popen(
            ["java", "-jar", "-Xmx2G", "meteor-1.5.jar", "-", "-", "-stdio", *flags],
            cwd=Path(spec.submodule_search_locations[0]) / "meteor",
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        )
        assert self._process.stdin
        assert self._process.stdout
        self._in: TextIO = self._process.stdin
        self._out: TextIO = self._process.stdout

    def counts(self, pair: Pair) -> str:
        """Return the counts of a pair by one round trip."""
        hypothesis, references = pair
        self._in.write(" ||| ".join(("SCORE", *references, hypothesis)) + "\n")
        self._in.flush()
        return self._out.readline().strip()

    def scores(self, pairs: Sequence[Pair], *, piped: bool = False) -> list[float]:
        """Return a score for every pair, by one EVAL at the end.

        `piped` writes all pairs without waiting for answers, the jar's fastest way.
        """
        rows = self._piped_counts(pairs) if piped else [self.counts(pair) for pair in pairs]
        self._in.write(" ||| ".join(("EVAL", *rows)) + "\n")
        self._in.flush()
        scores = [float(self._out.readline()) for _ in rows]
        self._out.readline()
        return scores

    def _piped_counts(self, pairs: Sequence[Pair]) -> list[str]:
        def write() -> None:
            for hypothesis, references in pairs:
                self._in.write(" ||| ".join(("SCORE", *references, hypothesis)) + "\n")
            self._in.flush()

        writer = threading.Thread(target=write)
        writer.start()
        rows = [self._out.readline().strip() for _ in pairs]
        writer.join()
        return rows

    def close(self) -> Usage:
        """End the process; return its resource usage."""
        self._in.close()
        _, _, usage = os.wait4(self._process.pid, 0)
        self._process.returncode = 0
        return Usage(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


@dataclass(frozen=True)
class Usage:
    """CPU seconds and peak memory in MB of a process."""

    cpu: float
    memory: float


@dataclass(frozen=True)
class Timed:
    """Wall seconds and resource usage of one run."""

    wall: float
    usage: Usage
    scores: list[float]


def jar(pairs: Sequence[Pair], flags: Sequence[str], *, piped: bool = False) -> Timed:
    """Start the jar, score all pairs, and end it."""
    began = time.perf_counter()
    process = Jar(flags)
    scores = process.scores(pairs, piped=piped)
    wall = time.perf_counter() - began
    return Timed(wall, process.close(), scores)


def ours(pairs_file: Path, profile: str, *, engine: str = "") -> Timed:
    """Run `jurydesk meteor`, which writes scores, counts and matches."""
    out = pairs_file.with_suffix(".scores")
    environment = dict(os.environ, **({"JURYDESK_METEOR_ENGINE": engine} if engine else {}))
    command = [sys.executable, "-m", "jurydesk.core.cli", "meteor", "--profile", profile]
    began = time.perf_counter()
    process = subprocess.Popen(
        [*command, "--pairs", str(pairs_file), "--out", str(out)], cwd=ROOT, env=environment
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - began
    if process.returncode:
        sys.exit(f"jurydesk meteor ended with {process.returncode}.")
    with out.open(encoding="utf-8") as lines:
        scores = [json.loads(line)["score"] for line in lines]
    return Timed(wall, Usage(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024), scores)


# The parts


def write(pairs: Sequence[Pair], folder: Path) -> Path:
    """Write the pairs as JSON lines."""
    path = folder / "pairs.jsonl"
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(json.dumps({"hyp": hyp, "refs": refs}) + "\n" for hyp, refs in pairs)
    return path


def show(name: str, runs: Sequence[Timed]) -> None:
    """Print a line of the table."""
    wall = statistics.median(run.wall for run in runs)
    cpu = statistics.median(run.usage.cpu for run in runs)
    memory = max(run.usage.memory for run in runs)
    print(f"  {name:34} {wall:8.2f} s wall {cpu:8.2f} s CPU {memory:7.0f} MB")


def compare(
    title: str, pairs: list[Pair], profile: str, flags: Sequence[str], repeats: int
) -> None:
    """Run the jar in both modes and ours, each first in turn; exit if a score differs."""
    print(title)
    with tempfile.TemporaryDirectory() as folder:
        path = write(pairs, Path(folder))
        sides: dict[str, Callable[[], Timed]] = {
            "meteor-1.5.jar -stdio": lambda: jar(pairs, flags),
            "meteor-1.5.jar -stdio, piped": lambda: jar(pairs, flags, piped=True),
            "jurydesk": lambda: ours(path, profile),
        }
        runs: dict[str, list[Timed]] = {name: [] for name in sides}
        for number in range(repeats):
            names = list(sides)
            first = number % len(names)
            for name in names[first:] + names[:first]:
                runs[name].append(sides[name]())
    mine = runs.pop("jurydesk")
    for name, theirs in runs.items():
        show(name, theirs)
    show("jurydesk", mine)
    for name, theirs in runs.items():
        wall, cpu = ratios(theirs, mine)
        print(f"  against {name}: {wall:.1f} times as fast, {cpu:.1f} times less CPU")
    unequal = sum(
        one != two
        for theirs in runs.values()
        for run, own in zip(theirs, mine, strict=True)
        for one, two in zip(run.scores, own.scores, strict=True)
    )
    if unequal:
        sys.exit(f"{unequal:,} scores of {len(pairs):,} pairs differ from the jar's.")
    print(f"  all {len(pairs):,} scores equal in every run")


def ratios(theirs: Sequence[Timed], mine: Sequence[Timed]) -> tuple[float, float]:
    """Return the ratios of the median wall and CPU times of two programs."""
    rounds = list(zip(theirs, mine, strict=True))
    return (
        statistics.median(one.wall / two.wall for one, two in rounds),
        statistics.median(one.usage.cpu / two.usage.cpu for one, two in rounds),
    )


def stories(options: argparse.Namespace) -> None:
    """Time story pairs end to end in cold processes."""
    pairs = Writer(1).stories(round(STORIES * options.scale))
    compare(f"{len(pairs):,} story pairs", pairs, "vist", STORY_FLAGS, options.repeats)


def captions(options: argparse.Namespace) -> None:
    """Time captions with two references end to end in cold processes."""
    pairs = Writer(2).captions(round(CAPTIONS * options.scale))
    title = f"{len(pairs):,} captions with two references"
    compare(title, pairs, "coco", CAPTION_FLAGS, options.repeats)


def single(options: argparse.Namespace) -> None:
    """Time single pairs in a running process."""
    from jurydesk.core.metrics.meteor import score

    writer = Writer(3)
    for name, profile, flags, pairs in (
        ("stories", "vist", STORY_FLAGS, writer.stories(2 * ROUND_TRIPS)),
        ("captions", "coco", CAPTION_FLAGS, writer.captions(2 * ROUND_TRIPS)),
    ):
        pairs = [(hypothesis, references[:1]) for hypothesis, references in pairs]
        process = Jar(flags)
        for pair in pairs[:ROUND_TRIPS]:
            process.counts(pair)
            score(*pair, profile)
        theirs = median_of(process.counts, pairs[ROUND_TRIPS:])
        mine = median_of(lambda pair, profile=profile: score(*pair, profile), pairs[ROUND_TRIPS:])
        process.close()
        print(f"One pair in a running process, {name}")
        print(f"  round trip of the jar {theirs * 1e6:8.0f} us, ours {mine * 1e6:8.0f} us:"
              f" {theirs / mine:.1f} times faster")  # fmt: skip


def median_of(action: Callable[[Pair], object], pairs: Sequence[Pair]) -> float:
    """Return the median seconds of an action."""
    times = []
    for pair in pairs:
        began = time.perf_counter()
        action(pair)
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def time_start(options: argparse.Namespace) -> None:
    """Time the start up to the first score; measure memory after ten sentences."""
    pairs = Writer(4).captions(10)
    theirs, mine = [], []
    with tempfile.TemporaryDirectory() as folder:
        path = write(pairs, Path(folder))
        for _ in range(max(3, options.repeats)):
            theirs.append(jar(pairs, CAPTION_FLAGS))
            mine.append(ours(path, "coco"))
    print("Ready, and ten sentences scored")
    show("meteor-1.5.jar -stdio", theirs)
    show("jurydesk", mine)
    ratio = statistics.median(one.wall / two.wall for one, two in zip(theirs, mine, strict=True))
    print(f"  {ratio:.1f} times sooner")


def python(options: argparse.Namespace) -> None:
    """Compare the Python aligner with the jar."""
    pairs = Writer(5).captions(round(5_000 * options.scale))
    print(f"The Python aligner, {len(pairs):,} captions with two references")
    process = Jar(CAPTION_FLAGS)
    process.scores(pairs[:500])
    began = time.perf_counter()
    process.scores(pairs)
    theirs = time.perf_counter() - began
    process.close()
    with tempfile.TemporaryDirectory() as folder:
        mine = ours(write(pairs, Path(folder)), "coco", engine="python")
    show("jurydesk, cold, Python aligner", [mine])
    print(f"  {'jar, warm, round trips only':34} {theirs:8.2f} s wall")
    print(f"  {len(pairs) / theirs:,.0f} /s of the jar, {len(pairs) / mine.wall:,.0f} /s ours")


def index(options: argparse.Namespace) -> None:
    """Compare building the index with starting the jar."""
    from jurydesk.core.metrics.meteor.language_data import source_files
    from jurydesk.core.metrics.meteor.language_data.build_index import build_index_file

    began = time.perf_counter()
    process = Jar(CAPTION_FLAGS)
    process.counts(("a", ["a"]))
    load = time.perf_counter() - began
    process.close()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "meteor.index"
        began = time.perf_counter()
        build_index_file(source_files.installed_language_data(), path)
        built = time.perf_counter() - began
        size = path.stat().st_size / 1e6
    print("The index")
    print(f"  built in {built:.1f} s, {built / load:.1f} start times of the jar ({load:.1f} s);"
          f" {size:.0f} MB on disk")  # fmt: skip


def memory(options: argparse.Namespace) -> None:
    """Measure the peak memory of many captions, which grows only with the input's strings."""
    pairs = Writer(6).captions(round(MANY_CAPTIONS * options.scale))
    print(f"{len(pairs):,} captions with two references, ours alone")
    with tempfile.TemporaryDirectory() as folder:
        show("jurydesk", [ours(write(pairs, Path(folder)), "coco")])


PARTS = {
    part.__name__: part for part in (stories, captions, single, time_start, python, index, memory)
}


def chosen(names: Sequence[str]) -> Iterator[Callable[[argparse.Namespace], None]]:
    """Return the parts of these names, or all."""
    for name in names or PARTS:
        if name not in PARTS:
            sys.exit(f"There is no part {name!r}; there are {', '.join(PARTS)}.")
        yield PARTS[name]


def main() -> None:
    """Measure the chosen parts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--scale", type=float, default=1.0)
    options = parser.parse_args()
    for part in chosen(options.parts):
        part(options)


if __name__ == "__main__":
    main()
