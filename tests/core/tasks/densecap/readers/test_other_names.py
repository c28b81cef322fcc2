"""Captioned boxes with the names of other programs have the regions of ours."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jurydesk.core.execution.run import Run
from jurydesk.core.tasks.densecap.densecap_options import DenseCapOptions
from jurydesk.core.tasks.densecap.readers.region_reader import read_regions

REGIONS = [
    {"image_id": 1, "bbox": [12, 22, 98, 78], "caption": "a red bus", "score": 0.9},
    {"image_id": 2, "bbox": [0, 0, 310, 210], "caption": "green grass", "score": 0.5},
]


def renamed(name, other, change=lambda value: value):
    return [
        {key: value for key, value in one.items() if key != name} | {other: change(one[name])}
        for one in REGIONS
    ]


def segmented(one):
    x, y, width, height = one["bbox"]
    right, bottom = x + width, y + height
    return {
        "image_id": one["image_id"],
        "segmentation": [[x, y, right, y, right, bottom, x, bottom]],
        "extra_info": {"pred_result": {"scores": [one["score"]], "caption": one["caption"]}},
    }


@pytest.mark.parametrize(
    ("data", "place", "found"),
    [
        ([{"images": []}], "[0].box", '"box" is missing. Its members are "images".'),
        (
            [{"image_id": 1, "gt_boxes": []}, {"image_id": 2, "gt_boxes": []}],
            "[0].box",
            '"box" is missing. Its members are "image_id", "gt_boxes".',
        ),
        (
            {"1": [{"box": [198, 98, 55, 62], "cap": "a hat", "score": 0.5}]},
            "1[0].box",
            "The xyxy box [198, 98, 55, 62] has a negative size.",
        ),
    ],
)
def test_other_objects_and_corners_are_refused_by_what_they_are(data, place, found, tmp_path):
    path = tmp_path / "boxes.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    (told,) = [
        one
        for one in read_regions(path, "detections", DenseCapOptions(), Run()).defects
        if str(one.severity) == "error"
    ]
    assert (told.place.json_path, told.found) == (place, found)
    assert ("xywh" in told.hint) is ("xyxy" in told.found)


@pytest.mark.parametrize(
    ("data", "notes"),
    [
        (REGIONS, 0),
        (renamed("caption", "object_descriptions"), 1),
        (renamed("caption", "phrase"), 1),
        (renamed("caption", "captions", lambda text: [text]), 1),
        (renamed("score", "confidence"), 1),
        (renamed("score", "logprob"), 1),
        ({str(one["image_id"]): [dict([*one.items()][1:])] for one in REGIONS}, 1),
        ({"images": [{"id": 1}], "annotations": [segmented(one) for one in REGIONS]}, 1),
        ("\n".join(map(json.dumps, REGIONS)), 1),
    ],
)
def test_names_and_layouts_of_other_programs_are_read_with_a_note(data, notes, tmp_path: Path):
    path = tmp_path / "boxes.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    reading = read_regions(path, "detections", DenseCapOptions(), Run())
    regions = reading.data
    assert regions is not None, reading.defects
    assert regions.images == ("1", "2")
    assert regions.captions == ("a red bus", "green grass")
    assert regions.scores.tolist() == pytest.approx([0.9, 0.5])
    assert regions.boxes.tolist() == [[61, 61, 98, 78], [155, 105, 310, 210]]
    assert [str(one.severity) for one in reading.defects] == ["note"] * notes


@pytest.mark.parametrize(
    "sides",
    [
        {"x": 12, "y": 22, "width": 98, "height": 78},
        {"x": 12, "y": 22, "w": 98, "h": 78},
        {"x1": 12, "y1": 22, "x2": 110, "y2": 100},
        {"xmin": 12, "ymin": 22, "xmax": 110, "ymax": 100},
    ],
)
def test_boxes_whose_sides_are_members_are_read_with_a_note(sides, tmp_path):
    path = tmp_path / "boxes.json"
    region = {"image_id": 1, "caption": "a red bus", "score": 0.9}
    path.write_text(json.dumps([region | {"bbox": [12, 22, 98, 78]}]))
    usual = read_regions(path, "detections", DenseCapOptions(), Run()).data
    size = {"width": 640, "height": 480} if "width" not in sides else {}
    path.write_text(json.dumps([region | sides | size]))
    found = read_regions(path, "detections", DenseCapOptions(), Run())
    assert [one.found for one in found.defects] == [f"The boxes are read from {', '.join(sides)}."]
    assert found.data.boxes.tolist() == usual.boxes.tolist()
