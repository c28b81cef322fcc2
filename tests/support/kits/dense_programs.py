"""Scores of dense captions by profile, and the recorded numbers of the programs."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jurydesk.core.execution.run import Run
from jurydesk.core.model.defects import Defect
from jurydesk.core.model.evaluation import Evaluation
from jurydesk.core.tasks.densecap.densecap_task import TASK
from support.oracles import oracle

PROGRAMS = {
    "densecap-pytorch": ("densecap-pytorch", "torch-2"),
    "densecap-pytorch-1.4": ("densecap-pytorch", "torch-1.4"),
    "controlcap": ("controlcap",),
    "dynrefer": ("dynrefer",),
    "scenic": ("scenic",),
    "jivc": ("jivc",),
}
"""Members of `expected` by profile."""
CELL = re.compile(r"(?:mAP_)?(?:detection_)?iou_?([\d.]+)(?:_meteor_?([\d.]+))?")
MEANS = {"map": "map", "detmap": "detmap", "mAP": "map", "mAP_detection": "detmap"}
IOUS, METEORS = ("0.3", "0.4", "0.5", "0.6", "0.7"), ("0", "0.05", "0.1", "0.15", "0.2", "0.25")


def case(name: str) -> Any:
    """Return a recorded case."""
    return json.loads(oracle(f"densecap_today/{name}.json").read_text(encoding="utf-8"))


def recorded(found: Any, profile: str) -> Any:
    """Return what the profile's program gave; None if it was not run."""
    for member in PROGRAMS[profile]:
        found = found.get(member, {})
    return found or None


def names(found: Mapping[str, Any]) -> dict[str, float]:
    """Return a program's numbers by the names that the scores have here."""
    values = {MEANS[key]: value for key, value in found.items() if key in MEANS}
    for key, value in {
        **found,
        **found.get("ap_breakdown", {}),
        **found.get("det_breakdown", {}),
    }.items():
        if match := CELL.fullmatch(key):
            meteor = "" if match[2] is None else f"_score{float(match[2]):g}"
            values[f"ov{match[1]}{meteor}"] = value
    if "map_percent" in found:
        values["map"] = found["map_percent"] / 100
        cells = zip(IOUS, found["ap"], strict=True)
        values |= {
            f"ov{iou}_score{meteor}": ap
            for iou, row in cells
            for meteor, ap in zip(METEORS, row, strict=True)
        }
    return values


def evaluate(
    folder: Path,
    truth: object,
    detections: object,
    profile: str,
    sizes: object = None,
    **chosen: Any,
) -> tuple[Evaluation | None, tuple[Defect, ...]]:
    """Score two files; return the evaluation (None after an error) and all defects."""
    paths = folder / "truth.json", folder / "detections.json"
    for path, content in zip(paths, (truth, detections), strict=True):
        path.write_text(json.dumps(content), encoding="utf-8")
    options, run = TASK.scoring.options(profile=profile, **chosen), Run()
    inputs = {"ground-truth": (paths[0],)}
    if sizes is not None:
        inputs["image-data"] = (folder / "image_data.json",)
        inputs["image-data"][0].write_text(json.dumps(sizes), encoding="utf-8")
    references = TASK.readers.read_references(inputs, options, run)
    if references.data is None:
        return None, references.defects
    found = TASK.readers.read_submission(paths[1], references.data, options, run)
    if found.data is None:
        return None, found.defects
    evaluation = TASK.scoring.evaluate(references.data, found.data, options, run)
    return evaluation, (*references.defects, *found.defects, *evaluation.defects)


def values(evaluation: Evaluation) -> dict[str, float]:
    """Return the scores by name."""
    return {score.metric: score.value for score in evaluation.scores}
