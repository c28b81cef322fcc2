"""Speed of visual dialogue scoring compared with the published programs on the same inputs.

Run as `python tests/bench/visdial.py [--repeats 3] [PART ...]`. PART is lexical, whole, shift or
fasttext; the default is all. `lexical` needs Java, `shift` scikit-learn; `--gensim PYTHON` is an
interpreter with gensim, which then reads a smaller model. The model of `fasttext` is a sparse file
in JURYDESK_SPACE; with JURYDESK_SOLID=1 all its 8.5 GB are written.

The answers are the real ones of `visdial/gens.json` (JURYDESK_DATA names its folder), the 20
references of each are drawn from all answers by a fixed rule. The published loop is plain Python:
CIDEr from dictionaries of n-grams, METEOR by one SCORE and one EVAL through the jar's -stdio.
Times are medians of wall and CPU seconds; memory is the peak. Recorded figures: `visdial.md`.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import resource
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from meteor import Jar  # noqa: E402 - after the path

REFERENCES = 20
SLICE = 2_000
LONGEST = 4
QUESTIONS, OTHERS = 10_000, 99
PEER_QUESTIONS = 200
WORDS, BUCKETS, DIM = 2_519_370, 2_000_000, 300

Item = tuple[str, list[str]]


def answers() -> list[dict[str, Any]]:
    """Return the real answers."""
    folder = Path(os.environ.get("JURYDESK_DATA", ROOT.parent / "shared" / "data"))
    path = folder / "visdial" / "gens.json"
    if not path.is_file():
        sys.exit(f"{path} is not there: set JURYDESK_DATA.")
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return sorted(found, key=lambda one: (one["image_id"], one["round_id"]))


def references(found: Sequence[dict[str, Any]]) -> list[list[str]]:
    """Return twenty references for each question, drawn from all answers."""
    chance = random.Random(7)
    pool = [text for one in found for text in one["generations"]]
    return [[chance.choice(pool) for _ in range(REFERENCES)] for _ in found]


# The published loop


def grams(text: str) -> Counter[tuple[str, ...]]:
    """Return the count of each n-gram of up to four words in a text."""
    words = text.split()
    return Counter(
        tuple(words[i : i + n]) for n in range(1, LONGEST + 1) for i in range(len(words) - n + 1)
    )


def published_cider(items: Sequence[Item]) -> list[list[float]]:
    """Return CIDEr-1 to CIDEr-4 of each item, the means over its references."""
    cooked = [[grams(text) for text in texts] for _, texts in items]
    frequency: dict[tuple[str, ...], float] = defaultdict(float)
    for sets in cooked:
        for gram in {gram for counts in sets for gram in counts}:
            frequency[gram] += 1
    length = math.log(float(len(items)))

    def vector(counts: Counter[tuple[str, ...]]) -> tuple[list[dict[Any, float]], list[float]]:
        weights: list[dict[Any, float]] = [defaultdict(float) for _ in range(LONGEST)]
        norms = [0.0] * LONGEST
        for gram, times in counts.items():
            n = len(gram) - 1
            weights[n][gram] = times * (length - math.log(max(1.0, frequency[gram])))
            norms[n] += weights[n][gram] ** 2
        return weights, [math.sqrt(norm) for norm in norms]

    scores = []
    for (answer, _), sets in zip(items, cooked, strict=True):
        said, said_norms = vector(grams(answer))
        totals = [0.0] * LONGEST
        for counts in sets:
            meant, meant_norms = vector(counts)
            for n in range(LONGEST):
                value = sum(weight * meant[n][gram] for gram, weight in said[n].items())
                if said_norms[n] and meant_norms[n]:
                    value /= said_norms[n] * meant_norms[n]
                totals[n] += value
        means = [total / len(sets) for total in totals]
        scores.append([sum(means[: n + 1]) / (n + 1) for n in range(LONGEST)])
    return scores


class PublishedMeteor(Jar):
    """The jar, driven as by the published program."""

    def of(self, answer: str, texts: Sequence[str]) -> float:
        """Return METEOR of an answer by one SCORE and one EVAL."""
        said = " ".join(answer.replace("|||", "").split())
        self._in.write(f"SCORE ||| {' ||| '.join(text.strip() for text in texts)} ||| {said}\n")
        self._in.flush()
        counts = self._out.readline().strip()
        self._in.write(f"EVAL ||| {counts}\n")
        self._in.flush()
        self._out.readline()
        return float(self._out.readline())

    def cpu(self) -> float:
        """Return the CPU seconds that the process has used (Linux)."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# Ours


def our_scores(items: Sequence[Item]) -> tuple[Any, Any]:
    """Return CIDEr (items, 4) and METEOR (items,) of the same items."""
    import numpy as np

    from jurydesk.core.execution.run import Run
    from jurydesk.core.metrics.captioning.cider import cider_pair_scores
    from jurydesk.core.metrics.meteor import score_many

    run = Run()
    found = cider_pair_scores(
        [answer for answer, _ in items], range(len(items)), [texts for _, texts in items]
    )
    return found.means(len(items)), np.asarray(score_many(items, "coco", run).scores)


# The parts


def lexical(repeats: int) -> None:
    """Time CIDEr-1..4 and METEOR of a slice with the published loop and ours, both warm."""
    import numpy as np

    found = answers()
    items = [
        (one["generations"][0], texts) for one, texts in zip(found, references(found), strict=True)
    ]
    part = random.Random(3).sample(items, SLICE)
    jar = PublishedMeteor(("-l", "en", "-norm"))
    from jurydesk.core.tasks.visdial.tokenizer import prepare_answer

    part = [(prepare_answer(answer), texts) for answer, texts in part]
    jar.of(*part[0])
    our_scores(part[:1])
    peer, ours = [], []
    for _ in range(repeats):
        before = jar.cpu()
        wall, cpu, found_there = timed(
            lambda: (published_cider(part), [jar.of(*one) for one in part])
        )
        peer.append((wall, cpu + jar.cpu() - before, found_there))
        ours.append(timed(lambda: our_scores(part)))
    (peer_cider, meteor), (our_cider, our_meteor) = peer[0][2], ours[0][2]
    apart = max(
        float(np.abs(np.array(peer_cider) - our_cider).max()),
        float(np.abs(np.array(meteor) - our_meteor).max()),
    )
    print(f"CIDEr-1..4 and METEOR, {SLICE:,} answers x {REFERENCES} references")
    slow = show("  published loop (plain Python, jar -stdio)", peer)
    fast = show("  ours", ours)
    print(f"  {ratio(slow, fast)}; greatest difference {apart:.1e}")


def whole(repeats: int) -> None:
    """Time scoring all answers with the command line in cold processes."""
    found = answers()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "generations.json").write_text(json.dumps(found))
        sets = [
            {"image_id": one["image_id"], "round_id": one["round_id"], "refs": texts}
            for one, texts in zip(found, references(found), strict=True)
        ]
        (folder / "references.json").write_text(json.dumps(sets))
        command = [
            sys.executable, "-m", "jurydesk.core.cli", "score", "visdial", "--quiet",
            "--references", str(folder / "references.json"),
            "--generations", str(folder / "generations.json"), "--json", str(folder / "out.json"),
        ]  # fmt: skip
        runs = [timed_process(command) for _ in range(repeats)]
    print(f"jurydesk score visdial, {len(found):,} answers x {REFERENCES} references")
    seconds = statistics.median(wall for wall, _, _ in runs)
    cpu, peak = statistics.median(c for _, c, _ in runs), max(m for _, _, m in runs)
    print(f"  whole run {seconds:8.2f} s wall {cpu:8.2f} s CPU, peak {peak:,.0f} MB")


def shift(repeats: int) -> None:
    """Time method M on random questions: scikit-learn on some, ours on all; compare the sets."""
    import warnings

    import numpy as np
    from sklearn.cluster import MeanShift

    from jurydesk.core.tasks.visdial.reference_sets.methods import by_mean_shift, top_clusters

    points = random_correlations(QUESTIONS)

    def peer_mask(row: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            labels = MeanShift().fit(row[:, None])
        return labels.labels_ == labels.cluster_centers_.argmax()

    peer, ours = [], []
    for number in range(repeats):
        rows = points[number * PEER_QUESTIONS : (number + 1) * PEER_QUESTIONS]
        peer.append(timed(lambda rows=rows: [peer_mask(row) for row in rows]))
        ours.append(timed(lambda rows=rows: by_mean_shift(rows)))
    print(f"method M, {PEER_QUESTIONS} questions of {OTHERS} candidates")
    slow, fast = show("  scikit-learn's MeanShift", peer), show("  ours", ours)
    print(f"  {ratio(slow, fast)}")
    began = time.perf_counter()
    masks = by_mean_shift(points)
    print(f"  ours on all {QUESTIONS:,}: {time.perf_counter() - began:.2f} s")
    equal = sum(
        bool((peer_mask(row) == mask).all()) for row, mask in zip(points, masks, strict=True)
    )
    print(f"  {equal:,} of {QUESTIONS:,} sets equal scikit-learn's")
    assert top_clusters(points[:1]).tolist() == masks[:1].tolist()
    assert np.isfinite(points).all()


def random_correlations(questions: int) -> Any:
    """Return correlations (questions, 99) with groups of candidates of varying width and number."""
    import numpy as np

    rng = np.random.default_rng(11)
    groups = rng.integers(1, 8, questions)
    centres = rng.uniform(-0.8, 1.0, (questions, 8))
    widths = rng.uniform(0.01, 0.4, questions)
    chosen = rng.integers(0, groups[:, None], (questions, OTHERS))
    means = np.take_along_axis(centres, chosen, axis=1)
    return np.clip(means + widths[:, None] * rng.standard_normal((questions, OTHERS)), -1, 1)


def fasttext(repeats: int) -> None:
    """Time opening a model as large as fastText's, and reading it completely, alternately."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("JURYDESK_SPACE")) as name:
        path = Path(name) / "model.bin"
        write_model(path)
        size, blocks = path.stat().st_size, path.stat().st_blocks * 512
        print(f"fastText model of {size / 1e9:.2f} GB ({blocks / 1e9:.2f} GB of it on the disk)")
        in_child("pass", path)  # brings the file into the system's cache if it fits
        runs: dict[str, list[dict[str, float]]] = {"open": [], "pass": [], "read": []}
        for number in range(repeats):
            for what, found in runs.items():
                if what != "read" or number == 0:
                    found.append(in_child(what, path))
    titles = {
        "opening": "  opened",
        "first": "  opened, and the vector of a first word",
        "open": "  opened, and the vectors of 1,000 words",
        "pass": "  all bytes read once, none kept",
        "read": "  words and matrix read into memory",
    }
    seconds = {what: statistics.median(r["seconds"] for r in found) for what, found in runs.items()}
    for part in ("opening", "first"):
        runs[part] = [
            {"seconds": run[part], "private": run[f"{part} private"]} for run in runs["open"]
        ]
        seconds[part] = statistics.median(run["seconds"] for run in runs[part])
    for what, title in titles.items():
        private = max(run["private"] for run in runs[what])
        times = " and ".join(f"{seconds[other] / seconds[what]:,.0f}" for other in ("pass", "read"))
        sooner = f": {times} times as soon as" if what in ("opening", "first", "open") else ""
        print(f"{title:<46} {seconds[what]:8.4f} s, private {private:4,.0f} MB{sooner}")


def gensim(python: str, repeats: int) -> None:
    """Time opening a tenth of that model, and reading it with gensim in another interpreter."""
    code = (
        "import sys, time; from gensim.models.fasttext import load_facebook_vectors as load;"
        "began = time.perf_counter(); load(sys.argv[1]); print(time.perf_counter() - began)"
    )
    with tempfile.TemporaryDirectory(dir=os.environ.get("JURYDESK_SPACE")) as name:
        path = Path(name) / "model.bin"
        write_model(path, WORDS // 10, BUCKETS // 10)
        print(f"fastText model of {path.stat().st_size / 1e9:.2f} GB")
        ours, peer = [], []
        for _ in range(repeats):
            ours.append(in_child("open", path)["first"])
            peer.append(float(subprocess.check_output([python, "-c", code, str(path)])))
    slow, fast = statistics.median(peer), statistics.median(ours)
    print(
        f"  gensim reads it in {slow:.2f} s, ours opens it and has a first vector in "
        f"{fast:.3f} s: {slow / fast:.0f} times"
    )


def write_model(path: Path, words: int = WORDS, buckets: int = BUCKETS) -> None:
    """Write a file of random words; its matrices are holes, or bytes with JURYDESK_SOLID."""
    chance = random.Random(5)
    letters = "etaoinshrdlucmfwypvbgkqjxz"
    with path.open("wb") as file:
        arguments = (DIM, 5, 5, 1, 5, 1, 3, 2, buckets, 3, 6, 100)
        file.write(struct.pack("<2i12id", 793712314, 12, *arguments, 1e-4))
        file.write(struct.pack("<3i2q", words, words, 0, 10**9, -1))
        for number in range(words):
            word = "".join(chance.choices(letters, k=chance.randint(2, 12))) + str(number % 997)
            file.write(f"{word}{number}".encode() + struct.pack("<xqb", 5, 0))
        for rows in (words + buckets, words):
            file.write(struct.pack("<?2q", False, rows, DIM))
            fill(file, 4 * DIM * rows)


def fill(file: BinaryIO, size: int) -> None:
    """Write this number of bytes of a matrix."""
    if not os.environ.get("JURYDESK_SOLID"):
        file.truncate(file.tell() + size)
        file.seek(size, os.SEEK_CUR)
        return
    chance = random.Random(7)
    block = array("f", (chance.uniform(-1, 1) for _ in range(1 << 20))).tobytes()
    for start in range(0, size, len(block)):
        file.write(block[: size - start])


def child(what: str, path: Path) -> None:
    """Open or read the model, and print the time and memory."""
    took: dict[str, float] = {}
    began = time.perf_counter()
    kept: object = None
    if what == "open":
        from jurydesk.core.tasks.visdial.embeddings.fasttext import FastText

        began = time.perf_counter()
        model = FastText(path)
        took["opening"] = time.perf_counter() - began
        took["opening private"] = private_megabytes()
        began = time.perf_counter() - took["opening"]
        model.vector("word")
        took["first"] = time.perf_counter() - began
        took["first private"] = private_megabytes()
        words = [f"word{number}" for number in range(1000)]
        model.look_up(words)
        kept = [model.vector(word) for word in words]
    elif what == "pass":
        buffer = bytearray(1 << 24)
        with path.open("rb", buffering=0) as file:
            while file.readinto(buffer):
                pass
    else:
        kept = read_whole(path)
    took["seconds"] = time.perf_counter() - began
    print(json.dumps({**took, "private": private_megabytes()}))
    del kept


def read_whole(path: Path) -> object:
    """Read every word and the input matrix into memory, like gensim, in the simplest way."""
    import numpy as np

    with path.open("rb") as file:
        file.seek(64 + 28)
        words, rest = {}, b""
        while len(words) < WORDS:
            block = rest + file.read(1 << 24)
            at = 0
            while (
                len(words) < WORDS
                and (end := block.find(b"\0", at)) >= 0
                and end + 10 <= len(block)
            ):
                words[block[at:end].decode()] = len(words)
                at = end + 10
            rest = block[at:]
        file.seek(-len(rest), os.SEEK_CUR)
        file.read(17)
        matrix = np.empty((WORDS + BUCKETS, DIM), np.float32)
        file.readinto(matrix)  # type: ignore[arg-type]
    return words, matrix


def private_megabytes() -> float:
    """Return the private memory of this process in MB."""
    lines = Path("/proc/self/smaps_rollup").read_text(encoding="ascii").splitlines()
    private = (line.split() for line in lines if line.startswith("Private_"))
    return sum(int(words[1]) for words in private) / 1024


def in_child(what: str, path: Path) -> dict[str, float]:
    """Return the measurements of a child process."""
    command = [sys.executable, __file__, "--child", what, str(path)]
    found: dict[str, float] = json.loads(subprocess.check_output(command))
    return found


# Times


def timed(action: Callable[[], Any]) -> tuple[float, float, Any]:
    """Return the wall seconds, this process's CPU seconds and the result of an action."""
    wall, cpu = time.perf_counter(), time.process_time()
    outcome = action()
    return time.perf_counter() - wall, time.process_time() - cpu, outcome


def timed_process(command: Sequence[str]) -> tuple[float, float, float]:
    """Return the wall seconds, CPU seconds and peak megabytes of a process."""
    began = time.perf_counter()
    process = subprocess.Popen(command, cwd=ROOT)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{command} ended with {process.returncode}")
    return time.perf_counter() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def ratio(slow: tuple[float, float], fast: tuple[float, float]) -> str:
    """Return the ratios of wall time and of CPU time as text."""
    wall, cpu = (one / other for one, other in zip(slow, fast, strict=True))
    return f"{wall:.1f} times the rate by the clock, {cpu:.1f} by CPU time"


def show(title: str, runs: Sequence[tuple[float, float, Any]]) -> tuple[float, float]:
    """Print the medians, and return the wall and CPU seconds."""
    wall, cpu = (statistics.median(run[i] for run in runs) for i in (0, 1))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{title:<46} {wall:8.3f} s wall {cpu:8.3f} s CPU, peak {peak:,.0f} MB")
    return wall, cpu


PARTS = {"lexical": lexical, "whole": whole, "shift": shift, "fasttext": fasttext}


def chosen(names: Sequence[str]) -> Iterator[Callable[[int], None]]:
    """Return the parts of these names, or all."""
    for name, part in PARTS.items():
        if not names or name in names:
            yield part


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Visual dialogues against the published programs.")
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--gensim", metavar="PYTHON", help="an interpreter that has gensim")
    parser.add_argument("--child", nargs=2)
    wanted = parser.parse_args()
    if wanted.child:
        child(wanted.child[0], Path(wanted.child[1]))
    else:
        for part in chosen(wanted.parts):
            part(wanted.repeats)
        if wanted.gensim:
            gensim(wanted.gensim, wanted.repeats)
