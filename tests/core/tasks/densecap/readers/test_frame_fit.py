"""Detections in another convention or frame than the ground truth are named, and right ones not."""

import json
from dataclasses import replace

import numpy as np
import pytest

from jurydesk.core.execution.run import Run
from jurydesk.core.model.defects import Transformation
from jurydesk.core.model.json_codec import to_json
from jurydesk.core.tasks.densecap.densecap_options import DenseCapOptions
from jurydesk.core.tasks.densecap.readers import frame_fit
from jurydesk.core.tasks.densecap.readers.detection_reader import matching_images, read_detections
from jurydesk.core.tasks.densecap.readers.frame_fit import find_frame
from jurydesk.core.tasks.densecap.readers.ground_truth_reader import read_ground_truth
from jurydesk.core.tasks.densecap.readers.region_reader import read_regions
from support.kits.simulated_detectors import Diagnoses, diagnose, simulated_jobs
from support.oracles import golden

IN_720 = "detections in the 720 frame, ground truth in pixels"


def coco(folder, *, convert=lambda box, side: box, noise=0.08, sizes=True, side=500, images=12):
    """Write ground truth (xywh, in pixels) and detections of it, converted; return the paths."""
    draw = np.random.default_rng(5)
    entries, annotations, detections = [], [], []
    for image in range(images):
        width, height = (side, side * 3 // 4) if image % 2 else (side * 3 // 4, side)
        entries.append({"id": image, **({"width": width, "height": height} if sizes else {})})
        for _ in range(8):
            low, size = draw.uniform(0, 0.6, 2), draw.uniform(0.1, 0.4, 2)
            box = np.concatenate([low, size]) * np.tile([width, height], 2)
            annotations.append({"image_id": image, "bbox": box.tolist(), "caption": "a dog"})
            own = box + draw.normal(0, noise, 4) * np.tile(box[2:], 2)
            bbox = np.asarray(convert(np.abs(own), max(width, height))).tolist()
            detections.append({"image_id": image, "bbox": bbox, "score": 0.5, "caption": "a dog"})
    truth = {"images": entries, "annotations": annotations}
    for name, content in (("truth", truth), ("detections", detections)):
        (folder / f"{name}.json").write_text(json.dumps(content))
    return folder / "truth.json", folder / "detections.json"


def warnings(folder, *, chosen=None, **given):
    truth_path, path = coco(folder, **given)
    options = DenseCapOptions(**(chosen or {}))
    truth = read_ground_truth({"ground-truth": (truth_path,)}, options, Run()).data
    found = read_detections(path, truth, options, Run()).defects
    return [one for one in found if not one.found.startswith("Boxes extend")]


@pytest.mark.parametrize(
    "given",
    [{}, {"noise": 0.25}, {"images": 3}, {"side": 720}, {"sizes": False}, {"noise": 0.0}],
    ids=str,
)
def test_detections_in_the_frame_of_the_ground_truth_have_no_warning(tmp_path, given):
    assert warnings(tmp_path, **given) == []


@pytest.mark.parametrize(
    ("given", "transformation", "hint"),
    [
        (
            {"convert": lambda box, side: box * 720 / side},
            Transformation("xywh", IN_720),
            f"Read as xywh, {IN_720}, it would be ",
        ),
        (
            {"convert": lambda box, side: box * 720 / side, "sizes": False},
            Transformation("xywh", "factor", 1.44),
            "Divided by it, the median IoU would be ",
        ),
        (
            {"convert": lambda box, side: box * 0.9, "sizes": False, "side": 800},
            Transformation("xywh", "factor", 0.9),
            "Divided by it, the median IoU would be ",
        ),
        (
            {"convert": lambda box, side: box[[1, 0, 3, 2]]},
            Transformation("yxhw", "none"),
            "As yxhw, rows first, it would be ",
        ),
        (
            {"convert": lambda box, side: [*box[:2], *(box[:2] + box[2:])]},
            Transformation("xyxy", "none"),
            "As xyxy it would be ",
        ),
    ],
    ids=["720", "factor of unknown sizes", "0.9", "rows first", "corners"],
)
def test_detections_in_another_frame_or_convention_are_named(tmp_path, given, transformation, hint):
    (defect,) = warnings(tmp_path, **given)
    assert defect.transformation == transformation
    assert defect.hint.startswith(hint)
    assert to_json(defect)["transformation"] == to_json(transformation)


@pytest.mark.parametrize(
    ("given", "named", "chosen"),
    [
        ({"convert": lambda box, side: box * 720 / side}, "--frame 720.", {"frame": "720"}),
        (
            {"convert": lambda box, side: box * 1.44, "sizes": False},
            "Set --factor 1.44.",
            {"factor": 1.44},
        ),
    ],
    ids=["frame", "factor"],
)
def test_the_option_that_a_warning_names_ends_it(tmp_path, given, named, chosen):
    (defect,) = warnings(tmp_path, **given)
    assert named in defect.hint
    said = warnings(tmp_path, chosen=chosen, **given)
    assert [one for one in said if one.transformation is not None] == []


def test_a_factor_is_explained_by_the_longer_side_of_720_pixels(tmp_path):
    (defect,) = warnings(tmp_path, convert=lambda box, side: box * 1.44, sizes=False)
    assert defect.found == (
        "The coordinates of the detections are 1.44 times those of the ground truth."
    )
    assert defect.expected == "1.44 is 720 to 500."


def test_constructed_cases_have_their_transformation(tmp_path):
    cases = json.loads(golden("densecap_today/diagnosis.json").read_text(encoding="utf-8"))
    for case in cases:
        for name in ("ground_truth", "detections"):
            (tmp_path / f"{name}.json").write_text(json.dumps(case[name]))
        options = DenseCapOptions(box_format="xywh")  # the reader refuses corners of no size
        truth = read_regions(tmp_path / "ground_truth.json", "ground-truth", options, Run()).data
        raw = read_regions(tmp_path / "detections.json", "detections", options, Run()).data
        read = replace(raw, box_format=case["read_as"])
        found = find_frame(truth, read, matching_images(truth, raw))
        expected = case["expected"] and Transformation(**case["expected"])
        assert (found and found.transformation) == expected, case["name"]


@pytest.mark.parametrize("factor", [1.0, 1.44])
def test_of_many_boxes_in_an_image_a_sample_names_the_factor(tmp_path, monkeypatch, factor):
    monkeypatch.setattr(frame_fit, "COMPARED_PAIRS", 100)
    found = warnings(tmp_path, convert=lambda box, side: box * factor, sizes=False, side=500)
    factors = [one.transformation.factor for one in found]
    assert factors == pytest.approx([factor] if factor != 1 else [], rel=0.02)


def test_simulated_detectors_are_named_and_right_ones_are_not_accused():
    assert diagnose(simulated_jobs(4, 5)) == Diagnoses(named=3, undecided=0, wrong=0, accused=0)
