"""Speed of scoring a full VIST submission compared with meteor-1.5.jar on the same pairs.

Run as `python tests/bench/vist.py [--repeats 3] [--sequences 1938]`. Needs Java.

The jar reads two text files with one pair of stories on each line, and prints a score for each;
`jurydesk` reads the submission and the human stories as the challenge has them, five for each
sequence, and prints EvalVIST's output. Each run is a cold process; our index is built; the two
programs alternate. Wall and CPU seconds are medians; memory is the peak.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from meteor import Timed, Usage, Writer, show

ROOT = Path(__file__).parents[2]
SEQUENCES, STORIES, PHOTOS = 1938, 5, 5
SEGMENT = re.compile(r"^Segment \d+ score:\s+(\S+)$", re.MULTILINE)


@dataclass(frozen=True)
class Files:
    """The same stories as the challenge's JSON and as lines of text for the jar."""

    submission: Path
    gold: Path
    hypotheses: Path
    references: Path


def make(folder: Path, sequences: int) -> Files:
    """Write stories of about 46 words for every sequence."""
    writer = Writer(6)
    submitted = [writer.story() for _ in range(sequences)]
    human = [[writer.story() for _ in range(STORIES)] for _ in range(sequences)]
    files = Files(*(folder / name for name in ("sub.json", "gold.json", "hyp.txt", "ref.txt")))
    photos = [[str(10 * i + k) for k in range(PHOTOS)] for i in range(sequences)]
    stories = [
        {"album_id": str(i), "photo_sequence": photos[i], "story_text_normalized": text}
        for i, text in enumerate(submitted)
    ]
    annotations = [
        [
            {
                "story_id": f"{i}-{number}",
                "album_id": str(i),
                "photo_flickr_id": photos[i][order],
                "worker_arranged_photo_order": order,
                "text": part,
            }
        ]
        for i, texts in enumerate(human)
        for number, text in enumerate(texts)
        for order, part in enumerate(parts(text))
    ]
    files.submission.write_text(json.dumps({"output_stories": stories}))
    files.gold.write_text(json.dumps({"annotations": annotations}))
    files.hypotheses.write_text("".join(f"{text}\n" * STORIES for text in submitted))
    files.references.write_text("".join(f"{text}\n" for texts in human for text in texts))
    return files


def parts(text: str) -> list[str]:
    """Return the story split into one part per photo."""
    words = text.split()
    size = math.ceil(len(words) / PHOTOS)
    return [" ".join(words[size * i : size * (i + 1)]) for i in range(PHOTOS)]


def measured(command: Sequence[str], out: Path, folder: Path) -> tuple[float, Usage]:
    """Run a process; return its wall seconds and its resource usage."""
    began = time.perf_counter()
    with out.open("wb") as target:
        process = subprocess.Popen(command, cwd=folder, stdout=target, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - began
    if process.returncode:
        sys.exit(f"{command[0]} ended with {process.returncode}.")
    return wall, Usage(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def jar(files: Files) -> Timed:
    """Run the jar on the text files; return the mean of the best score of each five."""
    spec = importlib.util.find_spec("pycocoevalcap")
    if spec is None or not spec.submodule_search_locations:
        sys.exit("pycocoevalcap, which carries the jar, is not installed.")
    folder = Path(spec.submodule_search_locations[0]) / "meteor"
    texts = [str(files.hypotheses), str(files.references)]
    command = ["java", "-Xmx2G", "-jar", "meteor-1.5.jar", *texts, "-l", "en", "-t", "hter"]
    out = files.submission.with_name("jar.out")
    wall, usage = measured(command, out, folder)
    scores = [float(score) for score in SEGMENT.findall(out.read_text())]
    best = [max(scores[i : i + STORIES]) for i in range(0, len(scores), STORIES)]
    return Timed(wall, usage, [math.fsum(best) / len(best)])


def compiled() -> None:
    """Compile our modules to byte code, as an installation does."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-c", "import jurydesk.core.tasks.vist.evalvist_program"]
    subprocess.run(command, cwd=ROOT, check=True)


def ours(files: Files) -> Timed:
    """Run `jurydesk evalvist`."""
    command = [sys.executable, __file__, "--worker", str(files.submission), str(files.gold)]
    out = files.submission.with_name("ours.out")
    wall, usage = measured(command, out, ROOT)
    return Timed(wall, usage, [float(out.read_text().split("\n")[-2])])


def work(submission: Path, gold: Path) -> int:
    """Score the files in this process."""
    sys.path.insert(0, str(ROOT))
    from jurydesk.core.tasks.vist.evalvist_program import evalvist_main

    return evalvist_main(submission, gold, sys.stdout, sys.stderr)


def compare(sequences: int, repeats: int) -> None:
    """Run both programs alternately; print the ratio and both means."""
    print(f"{sequences:,} sequences of {STORIES} human stories, {sequences * STORIES:,} pairs")
    compiled()
    with tempfile.TemporaryDirectory() as folder:
        files = make(Path(folder), sequences)
        turns = [(jar(files), ours(files)) for _ in range(repeats)]
    show("java -jar meteor-1.5.jar", [one for one, _ in turns])
    show("jurydesk", [two for _, two in turns])
    ratio = statistics.median(one.wall / two.wall for one, two in turns)
    theirs, mine = (run.scores[0] for run in turns[0])
    print(f"  {ratio:.1f} times faster; mean {theirs!r} of the jar, {mine!r} ours")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--sequences", type=int, default=SEQUENCES)
    parser.add_argument("--worker", nargs=2, type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        sys.exit(work(*options.worker))
    compare(options.sequences, options.repeats)
