"""Files of the programs that detect and caption regions, in every pair of shapes."""

import json
from itertools import product

import pytest

from jurydesk.core.tasks.densecap.readers.box_frames import picture_stem
from jurydesk.core.tasks.densecap.readers.segmentations import segmentation_box
from support.kits.dense_programs import PROGRAMS, evaluate, names, recorded, values
from support.oracles import oracle

SCENE = json.loads(oracle("densecap_today/shapes.json").read_text(encoding="utf-8"))
SHAPES = SCENE["shapes"]
WITH_DETECTIONS = [shape for shape, files in SHAPES.items() if "detections" in files]
SIZELESS = ("densecap-pytorch", "visual_genome_1.0")
PAIRS = list(product(SHAPES, WITH_DETECTIONS))
IMAGE_DATA = SHAPES["densecap-pytorch"]["image_data"]


@pytest.mark.parametrize(("truth", "detections"), PAIRS)
def test_every_pair_of_shapes_gives_the_numbers_of_the_programs(tmp_path, truth, detections):
    pair = SHAPES[truth]["ground_truth"], SHAPES[detections]["detections"]
    sizes = IMAGE_DATA if truth in SIZELESS else None
    for profile in PROGRAMS:
        expected = names(recorded(SCENE["expected"], profile) or {})
        if expected:
            found, _ = evaluate(tmp_path, *pair, profile, sizes=sizes)
            assert values(found) == pytest.approx(expected, abs=1e-9), profile


@pytest.mark.parametrize("truth", SIZELESS)
def test_boxes_in_another_frame_without_image_sizes_are_a_warning(tmp_path, truth):
    pair = SHAPES[truth]["ground_truth"], SHAPES["grit"]["detections"]
    _, defects = evaluate(tmp_path, *pair, "scenic")
    found = "The boxes are in another frame, but the sizes of the images are unknown."
    assert [one.severity for one in defects if one.found == found] == ["warning"]


def test_the_frame_and_the_factor_of_the_options_convert_detections(tmp_path):
    coco = SHAPES["coco"]
    expected = values(evaluate(tmp_path, *coco.values(), "scenic")[0])
    sizes = {one["id"]: (one["width"], one["height"]) for one in coco["ground_truth"]["images"]}
    for frame, scale in {"unit": 1, "thousand": 1000, "720": 0}.items():
        moved = []
        for one in coco["detections"]:
            width, height = sizes[one["image_id"]]
            factors = (scale / width, scale / height) if scale else (720 / max(width, height),) * 2
            bbox = [side * factors[k % 2] for k, side in enumerate(one["bbox"])]
            moved.append(one | {"bbox": bbox})
        found, _ = evaluate(tmp_path, coco["ground_truth"], moved, "scenic", frame=frame)
        assert values(found) == pytest.approx(expected, abs=1e-9), frame
    doubled = [one | {"bbox": [2 * side for side in one["bbox"]]} for one in coco["detections"]]
    found, _ = evaluate(tmp_path, coco["ground_truth"], doubled, "scenic", factor=2.0)
    assert values(found) == pytest.approx(expected, abs=1e-9)


def test_one_file_name_in_two_folders_is_an_error(tmp_path):
    coco = SHAPES["coco"]["ground_truth"]
    twice = {
        f"{folder}/1592.jpg": [{"box": [1, 1, 9, 9], "score": 0.5, "cap": "a kite"}]
        for folder in "ab"
    }
    evaluation, defects = evaluate(tmp_path, coco, twice, "scenic")
    assert evaluation is None
    assert "Files with one name in several folders: a/1592.jpg, b/1592.jpg." in [
        one.found for one in defects
    ]


@pytest.mark.parametrize(
    ("image", "stem"),
    [("VG_100K/285.jpg", "285"), ("285", "285"), ("a.b", "a.b"), (".jpg", ".jpg")],
)
def test_the_stem_of_a_picture_s_name_is_its_id(image, stem):
    assert picture_stem(image) == stem


@pytest.mark.parametrize(
    ("segmentation", "box"),
    [
        ([[10, 10, 60, 10, 60, 40], [30, 40, 90, 70, 20, 50]], [10, 10, 90, 70]),
        # 4 rows, 3 columns: pixels 5 and 6 are in column 1, rows 1 and 2
        ({"size": [4, 3], "counts": [5, 2, 5]}, [1, 1, 1, 2]),
        # pixels 3 to 5 pass the end of column 0, so that all rows can hold one
        ({"size": [4, 3], "counts": [3, 3, 6]}, [0, 0, 1, 3]),
        ({"size": [4, 3], "counts": "525"}, [1, 1, 1, 2]),
        ({"size": [4, 3], "counts": [5, 2, 6]}, None),
        ({"size": [4, 3], "counts": [12]}, None),
        ({"size": [4, 3], "counts": "~"}, None),
        ({"size": [4, 3], "counts": [5, -2]}, None),
        ([[1, 2, 3]], None),
        ([], None),
        ("", None),
    ],
)
def test_the_box_of_a_segmentation_holds_all_points_or_pixels(segmentation, box):
    assert segmentation_box(segmentation) == box


@pytest.mark.parametrize(
    ("sizes", "found"),
    [
        ({}, "The file holds an object, without sizes of images."),
        ([{"image_id": 1}], "The file holds a list of an object, without sizes of images."),
        (
            [{"image_id": 1, "width": 0, "height": 5}],
            "The file holds a list of an object, without sizes of images.",
        ),
        (
            [{"id": 9, "width": 5, "height": 5}],
            "The file has no size of an image of the ground truth.",
        ),
    ],
)
def test_image_sizes_that_fit_nothing_are_said(tmp_path, sizes, found):
    pair = SHAPES["coco"]["ground_truth"], SHAPES["coco"]["detections"]
    _, defects = evaluate(tmp_path, *pair, "scenic", sizes=sizes)
    assert found in [one.found for one in defects]


def test_other_sizes_than_those_of_the_ground_truth_are_said_and_equal_ones_are_not(tmp_path):
    pair = SHAPES["coco"]["ground_truth"], SHAPES["coco"]["detections"]
    sides = ("id", "width", "height")
    sizes = [{side: one[side] for side in sides} for one in pair[0]["images"]]
    others = [{"id": 98, "width": 5, "height": 5}]
    _, equal = evaluate(tmp_path, *pair, "scenic", sizes=[*sizes, *others])
    assert not [one for one in equal if "image_data" in one.place.path or "size" in one.found]
    sizes[0]["width"] += 1
    _, other = evaluate(tmp_path, *pair, "scenic", sizes=sizes)
    assert "1 image with another size in the ground truth." in [one.found for one in other]


@pytest.mark.parametrize(
    ("shape", "profile", "programs"),
    [
        ("grit", "published", ""),
        ("grit", "jivc", "published, scenic"),
        ("controlcap", "published", "controlcap, dynrefer"),
        ("controlcap", "dynrefer", ""),
        ("jivc", "published", "jivc"),
        ("densecap-pytorch", "published", "densecap-pytorch, densecap-pytorch-1.4"),
        ("coco", "published", ""),
    ],
)
def test_whose_numbers_may_be_meant_is_said(tmp_path, shape, profile, programs):
    pair = SHAPES["coco"]["ground_truth"], SHAPES[shape]["detections"]
    _, defects = evaluate(tmp_path, *pair, profile)
    said = [one.found for one in defects if one.found.startswith("Files of this shape")]
    assert said == ([f"Files of this shape are scored with {programs}."] if programs else [])
