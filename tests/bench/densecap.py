"""Speed of dense captioning compared with a plain program like the published one, and a full job.

Run as `python tests/bench/densecap.py [--repeats 3] [--images 300] [--full 5000] [PART ...]`. PART
is plain, original, full, lab or frames; the default is all. `plain` needs Java.

`plain` compares with the published evaluator and its bridge, rewritten in plain Python: loops over
images, detections and boxes, and METEOR of every record by meteor-1.5.jar, one SCORE and one EVAL
per record. Both programs start cold from the same JSON file and alternate; their mAPs are compared.
`original` compares the profile densecap-pytorch with that program, unmodified, of a checkout:
--program FOLDER. `full` scores a file of Visual Genome's size with the command line, and prints the
time of each stage. `lab` times the reaction to a slider of the threshold lab with half a million
detections.
`frames` counts how often the frame or convention of 200 simulated detectors is named; a quarter of
them is right, and none of these may be accused.
Wall and CPU seconds are medians; memory is the peak.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from densecap_plain import evaluate
from meteor import ROOT, Timed
from vist import measured

if TYPE_CHECKING:
    from jurydesk.core.metrics.detection.average_precision import DetectionRecords
    from jurydesk.core.model.evaluation import Evaluation
    from jurydesk.core.model.input_file import files_by_role

IMAGES, FULL, DETECTIONS, OBJECTS = 300, 5000, 100, 20
SIDE = 720
PROGRAM = "DENSECAP_PYTORCH"
"""Variable of the environment that names the checkout for the child process."""
TITLES = {"plain": "plain Python and the jar", "original": "densecap-pytorch and the jar"}
COLOURS = ["red", "blue", "green", "white", "black", "brown", "yellow", "grey"]
THINGS = ["kite", "dog", "tree", "wave", "boat", "table", "plate", "lamp", "window", "road", "car"]
THINGS += ["hat", "shirt", "clock", "bird", "man"]
WAYS = ["on a {}", "near the {}", "in front of a {}", "beside a small {}", "under the {}", "is {}"]

Box = list[float]


# The file


def write_scenes(path: Path, images: int, seed: int = 7) -> None:
    """Write ground truth and detections of `images` images to one file; no two scores are equal."""
    rng = random.Random(seed)
    scores = list(range(images * DETECTIONS))
    rng.shuffle(scores)
    with path.open("w", encoding="utf-8") as file:
        file.write('{"images": [\n')
        for image in range(images):
            mine = scores[image * DETECTIONS : (image + 1) * DETECTIONS]
            file.write(",\n" * (image > 0) + json.dumps(scene(rng, image, mine)))
        file.write("\n]}\n")


def scene(rng: random.Random, image: int, scores: Sequence[int]) -> dict[str, object]:
    """Return an image: objects of up to four annotators; a third of the detections is random."""
    objects = [(box(rng), caption(rng)) for _ in range(OBJECTS)]
    marked = [
        (jittered(rng, where, 0.05), varied(rng, words, 0.2))
        for where, words in objects
        for _ in range(rng.randint(1, 4))
    ]
    found = [
        (jittered(rng, where, 0.25), varied(rng, words, 0.5))
        if rng.random() < 0.67
        else (box(rng), caption(rng))
        for where, words in rng.choices(objects, k=len(scores))
    ]
    return {
        "image_id": 2_300_000 + image,
        "gt_boxes": [where for where, _ in marked],
        "gt_captions": [words for _, words in marked],
        "detections": {
            "boxes": [where for where, _ in found],
            "captions": [words for _, words in found],
            "logprobs": [-score / 2**20 for score in scores],
        },
    }


def box(rng: random.Random) -> Box:
    """Return a box (xc, yc, w, h) inside the image."""
    width, height = rng.uniform(20, 300), rng.uniform(20, 300)
    x, y = rng.uniform(width / 2, SIDE - width / 2), rng.uniform(height / 2, SIDE - height / 2)
    return [round(side, 4) for side in (x, y, width, height)]


def jittered(rng: random.Random, where: Box, by: float) -> Box:
    """Return the box, moved and stretched by up to this share of its sides."""
    x, y, width, height = where
    moved = (x + rng.uniform(-by, by) * width, y + rng.uniform(-by, by) * height)
    sides = (width * rng.uniform(1 - by, 1 + by), height * rng.uniform(1 - by, 1 + by))
    return [round(side, 4) for side in (*moved, *sides)]


def caption(rng: random.Random) -> str:
    """Return a caption of a few words about an object."""
    way = rng.choice(WAYS)
    end = rng.choice(COLOURS) if way.startswith("is") else rng.choice(THINGS)
    return (
        f"{rng.choice(['a', 'the'])} {rng.choice(COLOURS)} {rng.choice(THINGS)} {way.format(end)}"
    )


def varied(rng: random.Random, words: str, by: float) -> str:
    """Return the caption with some words exchanged."""
    return " ".join(
        rng.choice(THINGS + COLOURS) if rng.random() < by else word for word in words.split()
    )


# Against the plain program


def compare(images: int, repeats: int, names: tuple[str, str] = ("plain", "ours")) -> None:
    """Run both programs alternately; print the ratio and both mAPs."""
    print(f"{images:,} images of {DETECTIONS} detections")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scenes.json"
        write_scenes(path, images)
        turns = [(program(names[0], path), program(names[1], path)) for _ in range(repeats)]
    show(TITLES[names[0]], [one for one, _ in turns])
    show("jurydesk", [two for _, two in turns])
    ratio = statistics.median(one.wall / two.wall for one, two in turns)
    theirs, mine = (run.scores[0] for run in turns[0])
    print(f"  {ratio:.1f} times faster; mAP {100 * theirs:.6f} theirs, {100 * mine:.6f} ours")


def program(name: str, path: Path) -> Timed:
    """Run one of the two programs as a cold process; return its mAP."""
    out = path.with_suffix(f".{name}")
    wall, usage = measured([sys.executable, __file__, "--worker", name, str(path)], out, ROOT)
    return Timed(wall, usage, [float(out.read_text().split()[-1])])


def show(name: str, runs: Sequence[Timed]) -> None:
    """Print a line of the table."""
    wall = statistics.median(run.wall for run in runs)
    cpu = statistics.median(run.usage.cpu for run in runs)
    memory = max(run.usage.memory for run in runs)
    print(f"  {name:34} {wall:8.2f} s wall {cpu:8.2f} s CPU {memory:7.0f} MB")


def work(name: str, path: Path) -> None:
    """Run one program in a child process of the comparison."""
    if name == "plain":
        print(repr(evaluate(json.loads(path.read_text(encoding="utf-8"))["images"])))
        return
    if name == "original":
        from densecap_original import evaluate_unmodified

        images = json.loads(path.read_text(encoding="utf-8"))["images"]
        print(repr(evaluate_unmodified(images, Path(os.environ[PROGRAM]))))
        return
    profile = "densecap-pytorch" if name == "ours-pytorch" else "published"
    sys.path.insert(0, str(ROOT))
    from jurydesk.core.execution.engine import score_submissions
    from jurydesk.core.execution.run import Run
    from jurydesk.core.tasks.densecap.densecap_task import TASK

    inputs = {"ground-truth": [path], "detections": [path]}
    stages = Stages()
    options = TASK.scoring.options(profile=profile)
    result = score_submissions(TASK, files_by_role(inputs), options, Run(progress=stages.hear))
    stages.tell()
    print(repr(result.evaluations[0].score("map").value))


class Stages:
    """Duration of each stage of a run, from its progress texts."""

    def __init__(self) -> None:
        self._began = time.perf_counter()
        self._stages: list[tuple[str, float]] = [("Starting", self._began)]

    def hear(self, progress: object) -> None:
        """Begin a new stage when the text changes."""
        text = progress.text  # type: ignore[attr-defined]
        if text != self._stages[-1][0]:
            self._stages.append((text, time.perf_counter()))

    def tell(self) -> None:
        """Print the stages to standard error."""
        ends = [began for _, began in self._stages[1:]] + [time.perf_counter()]
        for (text, began), end in zip(self._stages, ends, strict=True):
            print(f"    {text:34} {end - began:8.2f} s", file=sys.stderr)


# A job of full size


def full(images: int) -> None:
    """Score a file of full size with the command line, then print the duration of each stage."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scenes.json"
        write_scenes(path, images)
        size = path.stat().st_size / 2**20
        print(f"{images:,} images of {DETECTIONS} detections, {size:.0f} MiB of JSON, one cold run")
        files = ["--ground-truth", str(path), "--detections", str(path)]
        command = [sys.executable, "-m", "jurydesk", "score", "densecap", *files, "--quiet"]
        wall, usage = measured(command, path.with_suffix(".out"), ROOT)
        show("jurydesk score densecap", [Timed(wall, usage, [])])
        print("  of which, in another run:", flush=True)
        sys.stdout.flush()
        work("ours", path)


# The threshold lab


def lab(detections: int = 500_000, repeats: int = 9) -> None:
    """Time the computations after a slider moves: counts, AP, curve, costs, and each row's kind."""
    sys.path.insert(0, str(ROOT))
    from jurydesk.core.metrics.detection import error_analysis
    from jurydesk.core.metrics.detection.threshold_what_if import (
        Thresholds,
        average_precision_at,
        claims_of,
        precision_recall_curve,
    )

    records = made_up(detections)
    claims = claims_of(records, "published")
    at = Thresholds(0.5, 0.1, -0.5)
    print(f"{detections:,} detections, {len(claims.rank):,} claims; milliseconds, medians")
    steps: dict[str, Callable[[], object]] = {
        "counts of every kind": lambda: error_analysis.error_counts(claims, at),
        "average precision": lambda: average_precision_at(claims, at),
        "precision and recall": lambda: precision_recall_curve(claims, at),
        "what each error costs here": lambda: error_analysis.ap_lost(claims, at),
        "verdict of every row": lambda: error_analysis.error_kinds(records, claims, at),
    }
    for name, step in steps.items():
        notify(name, [timed(step) for _ in range(repeats)])
    notify("together", [timed(lambda: [step() for step in steps.values()]) for _ in range(repeats)])
    notify("costs over the 30 cells, once", [timed(lambda: error_analysis.mean_ap_lost(claims))])
    window(records, repeats)


def window(records: DetectionRecords, repeats: int) -> None:
    """Time the same in the window, up to the painted result."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    from jurydesk.app.pages.items.items_view import ItemsView
    from jurydesk.app.style.theme import theme
    from jurydesk.core.metrics.detection.threshold_what_if import Thresholds
    from jurydesk.core.tasks.densecap.densecap_task import TASK

    app = QApplication([])
    theme().install(app, "light")
    view = ItemsView()
    view.resize(1096, 640)
    view.use_panel("densecap")
    view.show()
    began = timed(lambda: view.show_evaluation(evaluation(records), (), ("", ""), TASK, {}))
    notify("the window opens the system", [began])
    view.panel.views.choose(1)
    view.table.table_model.sort_by(0)
    app.processEvents()
    for name, kind in (("all rows", 0), ("only true rows", 1)):
        view.panel.filters.choose(kind)
        times = []
        for step in range(repeats):
            at = Thresholds(0.4 + step / 100, 0.1)
            times.append(timed(lambda at=at: (view.panel.set_thresholds(at), app.processEvents())))
        notify(f"a slider moves, {name}", times)


def evaluation(records: DetectionRecords) -> Evaluation:
    """Return an evaluation of these records, without evidence."""
    import numpy as np

    from jurydesk.core.metrics.detection.average_precision import (
        average_precisions,
        descending_order,
    )
    from jurydesk.core.model.evaluation import Evaluation, ItemTable, Score
    from jurydesk.core.tasks.densecap.densecap_evaluator import heatmap

    records.meteor[np.isnan(records.meteor)] = 0.0
    aps = average_precisions(records)
    count = len(records.image)
    rank = np.empty(count)
    rank[descending_order(records.log_probability, "published")] = np.arange(1, count + 1)
    columns = {
        "image": records.image.astype(float),
        "detection": records.detection.astype(float),
        "object": records.group.astype(float),
        "overlap": records.overlap,
        "claims": records.claims.astype(float),
        "meteor": records.meteor,
        "score": records.log_probability,
        "rank": rank,
    }
    ids = tuple(f"{i} · {n}" for i, n in zip(records.image, records.detection, strict=True))
    scores = tuple(Score(name, value, count) for name, value in aps.by_name().items())
    items = ItemTable(ids, columns)
    return Evaluation("densecap", "system", "published", scores, items, (heatmap(aps),))


Milliseconds = tuple[float, float]
"""Wall and CPU milliseconds."""


def timed(step: Callable[[], object]) -> Milliseconds:
    """Return the time of one call."""
    wall, cpu = time.perf_counter(), time.process_time()
    step()
    return 1000 * (time.perf_counter() - wall), 1000 * (time.process_time() - cpu)


def notify(name: str, times: Sequence[Milliseconds]) -> None:
    """Print a line of the lab's table."""
    wall, cpu = (statistics.median(column) for column in zip(*times, strict=True))
    print(f"  {name:34} {wall:8.1f} wall {cpu:8.1f} CPU")


def made_up(detections: int) -> DetectionRecords:
    """Return records like those of an average system."""
    import numpy as np

    from jurydesk.core.metrics.detection.average_precision import DetectionRecords

    rng = np.random.default_rng(1)
    claims = rng.random(detections) < 0.25
    return DetectionRecords(
        image=np.arange(detections) // DETECTIONS,
        detection=np.arange(detections) % DETECTIONS,
        group=rng.integers(0, OBJECTS, detections),
        overlap=rng.beta(1.2, 1.8, detections),
        claims=claims,
        log_probability=-rng.random(detections),
        meteor=np.where(claims, rng.beta(1, 4, detections), np.nan),
        objects=int(claims.sum()) + detections // 50,
    )


# The diagnosis of frames


def frames(jobs: int = 200, seed: int = 20261128) -> None:
    """Print how many of the simulated jobs are named right, left undecided or accused."""
    sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
    from support.kits.simulated_detectors import diagnose, simulated_jobs

    found = diagnose(simulated_jobs(jobs, seed))
    odd = found.named + found.undecided + found.wrong
    print(f"{jobs} simulated detectors, {odd} of them in another frame, convention or scale")
    print(f"  {found.named} named ({100 * found.named / odd:.1f} %), {found.undecided} undecided, ")
    print(f"  {found.wrong} named wrong; {found.accused} of {jobs - odd} right ones accused")


def parts(options: argparse.Namespace) -> Iterator[Callable[[], None]]:
    """Return the chosen parts."""
    every = {
        "plain": lambda: compare(options.images, options.repeats),
        "original": lambda: compare(options.images, options.repeats, ("original", "ours-pytorch")),
        "full": lambda: full(options.full),
        "lab": lab,
        "frames": frames,
    }
    if options.program:
        os.environ[PROGRAM] = str(options.program.resolve())
    else:
        every.pop("original")
    return (every[name] for name in options.parts or every)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "parts", nargs="*", choices=["plain", "original", "full", "lab", "frames", []]
    )
    parser.add_argument("--program", type=Path, help="checkout of soloist97/densecap-pytorch")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--images", type=int, default=IMAGES)
    parser.add_argument("--full", type=int, default=FULL)
    parser.add_argument("--worker", nargs=2, help=argparse.SUPPRESS)
    wanted = parser.parse_args()
    if wanted.worker:
        work(wanted.worker[0], Path(wanted.worker[1]))
    else:
        for part in parts(wanted):
            part()
