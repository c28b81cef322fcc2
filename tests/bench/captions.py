"""Speed of caption scoring compared with pycocoevalcap: its four scorers with Java, ours without.

Run as `python tests/bench/captions.py --original PYTHON [--images 5000 40504] [--repeats 1]`, where
PYTHON is the interpreter of an environment with pycocoevalcap and pycocotools; needs Java.

Leave one out: of each image the caption with the smallest id is the result, the others are its
references. The captions are those of COCO's val2017 in `../shared/data/coco`, 2,000 images; more
images are copies with exchanged words, so that no text occurs twice. Both programs are cold
processes, read the same files and alternate; SPICE is off. CPU seconds are those of all processes
of a program together; memory is the peak of the largest one.
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
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
CAPTIONS = ROOT.parent / "shared" / "data" / "coco" / "captions_val2017_part.json"

ORIGINAL = """
import sys
import pycocoevalcap.eval as package
from pycocotools.coco import COCO

class NoSpice:
    def method(self): return "SPICE"
    def compute_score(self, gts, res): return 0.0, [0.0] * len(gts)

class Waited(package.Meteor):
    made = []
    def __init__(self):
        super().__init__()
        self.made.append(self)

package.Spice, package.Meteor = NoSpice, Waited
coco = COCO(sys.argv[1])
scored = package.COCOEvalCap(coco, coco.loadRes(sys.argv[2]))
scored.evaluate()
for one in Waited.made:  # its seconds count only when it has been waited for
    one.meteor_p.stdin.close()
    one.meteor_p.wait()
    one.meteor_p.kill = lambda: None
"""


@dataclass(frozen=True, slots=True)
class Used:
    """Resource usage of a run, and the scores that it printed."""

    wall: float
    cpu: float
    peak: float
    printed: tuple[str, ...]


def make(images: int, folder: Path) -> tuple[Path, Path]:
    """Write annotations and results of this number of images."""
    data = json.loads(CAPTIONS.read_text(encoding="utf-8"))
    said: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for one in data["annotations"]:
        said[one["image_id"]].append((one["id"], one["caption"]))
    sets = [[text for _, text in sorted(found)] for found in said.values()]
    words = sorted({word for texts in sets for text in texts for word in text.split()})
    dice = random.Random(22)
    annotations: list[dict[str, Any]] = []
    results: list[dict[str, Any]] = []
    for number in range(images):
        texts = sets[number % len(sets)]
        if number >= len(sets):
            texts = [exchanged(text, words, dice) for text in texts]
        results.append({"image_id": number, "caption": texts[0]})
        annotations += [{"image_id": number, "caption": text} for text in texts[1:]]
    for key, one in enumerate(annotations):
        one["id"] = key
    paths = folder / f"annotations-{images}.json", folder / f"results-{images}.json"
    listed = [{"id": number} for number in range(images)]
    paths[0].write_text(json.dumps({"images": listed, "annotations": annotations}))
    paths[1].write_text(json.dumps(results))
    return paths


def exchanged(text: str, words: list[str], dice: random.Random) -> str:
    """Return the text with two words of others."""
    own = text.split() or [""]
    for _ in range(2):
        own[dice.randrange(len(own))] = dice.choice(words)
    return " ".join(own)


def measured(command: list[str]) -> Used:
    """Return the resource usage of a command and its child processes."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    began = time.perf_counter()
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL, env=environment)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        wall = time.perf_counter() - began
        out.seek(0)
        lines = out.read().decode().splitlines()
    if process.returncode:
        sys.exit(f"{command[:3]} ended with {process.returncode}")
    scores = tuple(dict.fromkeys(line for line in lines if is_score(line)))
    return Used(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, scores)


def is_score(line: str) -> bool:
    """Return whether a line contains a score that both programs compute."""
    name, colon, _ = line.partition(": ")
    return bool(colon) and name.startswith(("Bleu_", "METEOR", "ROUGE_L", "CIDEr"))


def compare(python: str, images: int, repeats: int, folder: Path) -> None:
    """Run both programs alternately and print their resource usage."""
    files = [str(path) for path in make(images, folder)]
    script = folder / "original.py"
    script.write_text(ORIGINAL)
    ours = [sys.executable, "-m", "jurydesk", "coco-caption", *files, "--images", "all", "--quiet"]
    runs: dict[str, list[Used]] = {"pycocoevalcap": [], "Jurydesk": []}
    for _ in range(repeats):
        runs["Jurydesk"].append(measured(ours))
        runs["pycocoevalcap"].append(measured([python, str(script), *files]))
    print(f"{images:,} images")
    cpu = {}
    for name, found in runs.items():
        cpu[name] = statistics.median(one.cpu for one in found)
        wall = statistics.median(one.wall for one in found)
        peak = max(one.peak for one in found)
        print(f"  {name:14} {cpu[name]:8.1f} s CPU {wall:8.1f} s wall {peak:7,.0f} MiB")
    same = len({one.printed for found in runs.values() for one in found}) == 1
    ratio = cpu["pycocoevalcap"] / cpu["Jurydesk"]
    print(
        f"  CPU ratio {ratio:.1f}; the printed scores are {'the same' if same else 'NOT the same'}"
    )


def main() -> None:
    """Run the comparison for each number of images."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--original", required=True, metavar="PYTHON")
    parser.add_argument("--images", type=int, nargs="+", default=[5000])
    parser.add_argument("--repeats", type=int, default=1)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for images in chosen.images:
            compare(chosen.original, images, chosen.repeats, Path(folder))


if __name__ == "__main__":
    main()
