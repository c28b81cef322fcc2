"""Sources of packages for platforms, with an engine that is a few lines of Python."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from jurydesk.core.competition.task_registry import find_competition
from jurydesk.core.export.platforms.package_source import PackageSource, ScoredSystem
from jurydesk.core.model.evaluation import Better, MetricInfo
from jurydesk.core.tasks.vqa.vqa_options import VqaOptions

ANNOTATIONS = {
    "info": {"description": "Questions."},
    "annotations": [
        {
            "question_id": number,
            "image_id": 1,
            "question_type": "what",
            "answer_type": "other",
            "answers": [{"answer": answer, "answer_id": at} for at in range(1, 11)],
        }
        for number, answer in ((7, "red"), (8, "blue"), (9, "a tree"), (10, "two"))
    ],
}
ANSWERS = {7: "red", 8: "green", 9: "tree", 10: "two"}


def metric(name: str, title: str, better: Better = "higher") -> MetricInfo:
    """Return a metric."""
    return MetricInfo(name, title, "What it is.", (0.0, 1.0), better, "")


def vqa_source(
    folder: Path, metrics: Sequence[MetricInfo], answers: Mapping[int, str] = ANSWERS
) -> PackageSource:
    """Write annotations and the answers of a system, and return what a package is made from."""
    references, results = folder / "annotations.json", folder / "mine.json"
    references.write_text(json.dumps(ANNOTATIONS))
    results.write_text(
        json.dumps([{"question_id": key, "answer": text} for key, text in answers.items()])
    )
    task = find_competition("vqa")
    assert task is not None
    systems = {"mine": ScoredSystem(results, {one.name: 0.5 for one in metrics})}
    inputs = {"references": [references]}
    return PackageSource(task, VqaOptions(), inputs, metrics, "Questions & answers", systems, ())


SCORES = b"""
import json, os, sys
source, target = sys.argv[1:]
(name,) = os.listdir(os.path.join(source, "res"))
with open(os.path.join(source, "res", name)) as file:
    text = file.read()
if text.startswith("This"):
    sys.exit("entry.json, line 1: It holds no answers.")
with open(os.path.join(target, "scores.json"), "w") as file:
    json.dump({"overall": 0.5, "lower": 1.0}, file)
print("vqa|stamp")
"""
ENGINE = {"score.py": SCORES}
"""Engine that gives every submission the same numbers, and refuses `This ...`."""
