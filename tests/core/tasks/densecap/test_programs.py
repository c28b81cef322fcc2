"""Dense captions scored as the programs of today score them, against their recorded results."""

import json
import re

import numpy as np
import pytest

from jurydesk.core.execution.run import Run
from jurydesk.core.tasks.densecap.densecap_task import TASK
from support.oracles import oracle

CASES = sorted(path.stem for path in oracle("densecap_today").glob("[01]*.json"))
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


def case(name):
    return json.loads(oracle(f"densecap_today/{name}.json").read_text(encoding="utf-8"))


def recorded(found, profile):
    """Return what the profile's program gave; None if it was not run."""
    for member in PROGRAMS[profile]:
        found = found.get(member, {})
    return found or None


def names(found):
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


def evaluate(folder, truth, detections, profile):
    """Score two files; return the evaluation and all defects."""
    paths = folder / "truth.json", folder / "detections.json"
    for path, content in zip(paths, (truth, detections), strict=True):
        path.write_text(json.dumps(content), encoding="utf-8")
    options, run = TASK.scoring.options(profile=profile), Run()
    references = TASK.readers.read_references({"ground-truth": (paths[0],)}, options, run)
    found = TASK.readers.read_submission(paths[1], references.data, options, run)
    evaluation = TASK.scoring.evaluate(references.data, found.data, options, run)
    return evaluation, (*references.defects, *found.defects, *evaluation.defects)


def files(content):
    if "result_file" in content:
        return content["ground_truth_file"], content["result_file"]
    return {key: content[key] for key in ("images", "annotations")}, content["detections"]


def values(evaluation):
    return {score.metric: score.value for score in evaluation.scores}


RUN = [
    (name, profile)
    for name in CASES
    for profile in PROGRAMS
    if "map" in names(recorded(case(name)["expected"], profile) or {})
]
STOPPED = [
    (name, profile)
    for name in CASES
    for profile in PROGRAMS
    if "error" in (recorded(case(name)["expected"], profile) or {})
]


def test_all_recorded_results_are_compared():
    assert (len(RUN), len(STOPPED)) == (74, 6)


@pytest.mark.parametrize(("name", "profile"), RUN)
def test_all_numbers_equal_those_of_the_program(tmp_path, name, profile):
    content = case(name)
    expected = names(recorded(content["expected"], profile))
    assert len(expected) == (31 if profile == "jivc" else 37)
    evaluation, _ = evaluate(tmp_path, *files(content), profile)
    assert values(evaluation) == pytest.approx(expected, abs=1e-12)


WITH_RECORDS = [
    (name, profile)
    for name, profile in RUN
    if "records" in recorded(case(name)["expected"], profile)
]


def rows_of(evaluation):
    """Yield claim, IoU, METEOR and number of references of each detection, in matching order."""
    images = dict.fromkeys(evaluation.items.columns["image"].tolist())
    first = {image: evaluation.items.columns["image"].tolist().index(image) for image in images}
    for image in sorted(images):
        scene = evaluation.items.show(first[image]).with_meteor()
        for one in scene.detections:
            references = len(scene.objects[one.object].captions) if one.object >= 0 else 0
            yield [int(one.claims), one.overlap, one.meteor or 0.0, references]


@pytest.mark.parametrize(("name", "profile"), WITH_RECORDS)
def test_claim_iou_meteor_and_references_of_each_detection_equal_the_program_s(
    tmp_path, name, profile
):
    content = case(name)
    evaluation, _ = evaluate(tmp_path, *files(content), profile)
    expected = recorded(content["expected"], profile)["records"]
    assert np.array(list(rows_of(evaluation))) == pytest.approx(np.array(expected), abs=1e-12)


@pytest.mark.parametrize(("name", "profile"), STOPPED)
def test_where_a_program_stops_a_warning_says_so_and_all_images_count(tmp_path, name, profile):
    content = case(name)
    evaluation, defects = evaluate(tmp_path, *files(content), profile)
    corrected, _ = evaluate(tmp_path, *files(content), "corrected")
    assert values(evaluation)["map"] > 0
    said = " ".join(f"{defect.found} {defect.expected}" for defect in defects)
    assert "stops at such images" in said or "without area" in said
    assert len(corrected.items.ids) > 0
