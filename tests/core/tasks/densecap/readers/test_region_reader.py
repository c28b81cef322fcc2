"""Tests of the reader of captioned boxes: JSON layouts and defects."""

import json
from math import inf, nan

import numpy as np
import pytest

from jurydesk.core.execution.engine import check_inputs
from jurydesk.core.execution.run import Run
from jurydesk.core.metrics.detection.average_precision import corners
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.readers.json_file import read_json_file
from jurydesk.core.tasks.densecap.densecap_options import DenseCapOptions
from jurydesk.core.tasks.densecap.densecap_task import TASK
from jurydesk.core.tasks.densecap.readers.region_reader import read_regions

BOXES = {"xcycwh": [55.0, 60.0, 10.0, 20.0], "xywh": [50, 50, 10, 20], "xyxy": [50, 50, 60, 70]}


@pytest.fixture
def read(tmp_path):
    def read_data(data, role="detections", **options):
        path = tmp_path / "boxes.json"
        path.write_text(json.dumps(data), encoding="utf-8")
        return read_regions(path, role, DenseCapOptions(**options), Run())

    return read_data


def messages(reading):
    return [str(defect).split(": ", 1)[1] for defect in reading.defects]


def paths(reading):
    return [defect.place.json_path for defect in reading.defects]


def region(**fields):
    return {"image_id": 7, "box": [50, 50, 10, 20], "caption": "a red kite", "score": -0.5} | fields


class TestShapes:
    EXPECTED = ("7", BOXES["xcycwh"], "a red kite", -0.5)

    @pytest.mark.parametrize(
        "data",
        [
            [region()],
            {"box_format": "xyxy", "detections": [region(box=BOXES["xyxy"])]},
            {
                "images": [
                    {
                        "image_id": 7,
                        "detections": {
                            "boxes": [BOXES["xcycwh"]],
                            "captions": ["a red kite"],
                            "logprobs": [-0.5],
                        },
                    }
                ]
            },
            {
                "results": [
                    {
                        "img_name": "7",
                        "boxes": [BOXES["xywh"]],
                        "captions": ["a red kite"],
                        "scores": [-0.5],
                    }
                ]
            },
        ],
        ids=["one object a region", "list with its box format", "images", "DenseCap's results"],
    )
    def test_every_layout_gives_the_same_detections(self, read, data):
        regions = read(data).data
        row = regions.images[0], regions.boxes[0].tolist(), regions.captions[0], regions.scores[0]
        assert row == self.EXPECTED

    @pytest.mark.parametrize(
        "data",
        [
            [{"image_id": 7, "box": BOXES["xywh"], "caption": "a red kite"}],
            [
                {
                    "id": 7,
                    "regions": [
                        {"x": 50, "y": 50, "width": 10, "height": 20, "phrase": "a red kite"}
                    ],
                }
            ],
            {
                "images": [
                    {"image_id": 7, "gt_boxes": [BOXES["xcycwh"]], "gt_captions": ["a red kite"]}
                ]
            },
        ],
        ids=["one object a region", "Visual Genome", "images"],
    )
    def test_every_layout_gives_the_same_ground_truth(self, read, data):
        regions = read(data, "ground-truth").data
        row = regions.images[0], regions.boxes[0].tolist(), regions.captions[0]
        assert row == self.EXPECTED[:3]

    def test_detections_in_visual_genomes_layout_need_scores(self, read):
        found = {"x": 50, "y": 50, "width": 10, "height": 20, "phrase": "a red kite", "score": -0.5}
        assert read([{"id": 7, "regions": [found]}]).data.scores.tolist() == [-0.5]
        del found["score"]
        reading = read([{"id": 7, "regions": [found]}])
        assert paths(reading) == ["[0].regions[0].score"]
        assert messages(reading)[0].startswith("The score is missing.")

    def test_the_box_format_option_overrides_the_file(self, read):
        regions = read([region(box=BOXES["xyxy"])], box_format="xyxy").data
        assert regions.boxes[0].tolist() == BOXES["xcycwh"]

    def test_regions_are_grouped_by_image_in_file_order(self, read):
        rows = [region(image_id=i, caption=c) for i, c in [("b", "1"), ("a", "2"), ("b", "3")]]
        regions = read(rows).data
        assert regions.images == ("b", "a")
        assert regions.captions == ("1", "3", "2")

    def test_boxes_are_rounded_to_float32_and_scores_kept_for_programs_that_do_not_round(
        self, read
    ):
        regions = read([region(box=[0.1, 0.1, 0, 0], score=0.1)]).data
        assert regions.boxes.dtype == np.float32
        assert regions.scores[0] == 0.1


@pytest.mark.parametrize(
    ("fault", "path", "sentence"),
    [
        ({"box": None}, "[0].box", "The box is missing."),
        ({"box": [1, 2, 3]}, "[0].box", "The box is [1, 2, 3]."),
        ({"box": [1, 2, "3", 4]}, "[0].box", "The box is [1, 2, '3', 4]."),
        ({"box": [1, 2, -3, 4]}, "[0].box", "The xywh box [1, 2, -3, 4] has a negative size."),
        ({"box": [1e39, 2, 3, 4]}, "[0].box", "The box is [1e+39, 2, 3, 4]."),
        ({"box": [True, 2, 3, 4]}, "[0].box", "The box is [True, 2, 3, 4]."),
        ({"caption": None}, "[0].caption", "The caption is missing."),
        ({"caption": 3}, "[0].caption", "The caption is the number 3."),
        ({"caption": "a" * 100_001}, "[0].caption", "The caption has 100,001 characters."),
        ({"score": None}, "[0].score", "The score is missing."),
        ({"score": "high"}, "[0].score", 'The score is the text "high".'),
        ({"score": 10**400}, "[0].score", f"The score is 1{'0' * 39}…."),
        ({"image_id": None}, "[0].image_id", "The id of the image is missing."),
        ({"image_id": 1.5}, "[0].image_id", "The id of the image is the number 1.5."),
    ],
)
def test_an_invalid_field_is_an_error_with_its_path(read, fault, path, sentence):
    reading = read([region(**fault)])
    assert reading.data is None
    assert paths(reading) == [path]
    assert messages(reading)[0].startswith(sentence)


def test_every_invalid_field_of_a_file_is_reported(read):
    rows = [region(box=None), region(), region(caption=None, score=None)]
    assert paths(read(rows)) == ["[0].box", "[2].caption", "[2].score"]


def test_entries_that_are_not_objects_hide_no_other_defect(read):
    rows = [5, region(box=None), "text", region(image_id=None, score="high")]
    assert paths(read(rows)) == ["[0]", "[2]", "[3].image_id", "[1].box", "[3].score"]


def test_every_non_finite_number_is_an_error_at_its_path(read):
    rows = [region(box=[1, nan, 3, 4]), region(box=[1, inf, 3, 4], score=-inf), region(score=nan)]
    reading = read([region(), *rows])
    assert paths(reading) == ["[1].box", "[2].box", "[2].score", "[3].score"]
    assert messages(reading)[0].startswith("The box is [1, nan, 3, 4].")


@pytest.mark.parametrize("box_format", ["xywh", "xcycwh", "xyxy"])
def test_the_largest_valid_boxes_have_finite_corners(read, box_format):
    far = 2.0**126
    reading = read([region(box=[-far, -far, far, far])], box_format=box_format)
    assert np.isfinite(corners(reading.data.boxes)).all()
    assert paths(read([region(box=[1, 1, 1.1 * far, 1])], box_format=box_format)) == ["[0].box"]


@pytest.mark.parametrize("side", [True, -1, 0, 2**31, 2**63 - 1, 10**400, inf, nan, "5", None])
def test_an_impossible_image_size_is_ignored(read, side):
    found = {"boxes": [[5, 5, 3, 3]], "captions": ["a"], "logprobs": [-1]}
    data = {"images": [{"image_id": 1, "detections": found, "width": side, "height": 8}]}
    assert read(data).data.sizes == {}
    data["images"][0]["width"] = 9.5
    assert read(data).data.sizes == {"1": (9.5, 8)}


def test_lists_of_different_lengths_are_an_error(read):
    image = {"image_id": 1, "gt_boxes": [[1, 1, 2, 2]], "gt_captions": []}
    reading = read({"images": [image]}, "ground-truth")
    assert paths(reading) == ["images[0]"]
    assert messages(reading)[0].startswith(
        'The lists differ in length: 1 in "gt_boxes", 0 in "gt_captions".'
    )


def test_a_flat_box_is_a_warning_and_is_scored(read):
    reading = read([region(box=[5, 5, 0, 3])])
    assert reading.data is not None
    assert messages(reading)[0].startswith("Zero width or height: 1 box.")


def test_the_image_id_in_densecaps_results_is_the_file_stem(read):
    result = {"boxes": [], "captions": [], "scores": []}
    names = ["7.jpg", "b.2.png", "c", "d.txt"]
    images = read({"results": [result | {"img_name": name} for name in names]}).data.images
    assert images == ("7", "b.2", "c", "d.txt")


def test_a_file_in_both_roles_is_parsed_once(tmp_path, monkeypatch):
    found = {"boxes": [[5, 5, 3, 3]], "captions": ["a"], "logprobs": [-1]}
    image = {"image_id": 1, "gt_boxes": [[5, 5, 3, 3]], "gt_captions": ["a"], "detections": found}
    path = tmp_path / "both.json"
    path.write_text(json.dumps({"images": [image]}), encoding="utf-8")
    parsed = []

    def remember(path, **options):
        parsed.append(path)
        return read_json_file(path, **options)

    monkeypatch.setattr(
        "jurydesk.core.tasks.densecap.readers.region_reader.read_json_file", remember
    )
    inputs = {"ground-truth": [path], "detections": [path]}
    (entry,) = check_inputs(TASK, files_by_role(inputs), TASK.scoring.options(), Run()).entries
    assert entry.defects == ()
    assert parsed == [path]


def test_a_repeated_image_is_a_warning(read):
    image = {"image_id": 1, "gt_boxes": [], "gt_captions": []}
    reading = read({"images": [image, image]}, "ground-truth")
    assert reading.data.images == ("1", "1")
    assert messages(reading)[0].startswith("Repeated ids: 1 image (1).")


@pytest.mark.parametrize("data", [{"something": 1}, "text", 3, None])
def test_a_file_in_an_unknown_layout_is_refused(read, data):
    assert messages(read(data))[0].startswith("The file contains no list of captioned boxes.")


def test_an_unknown_box_format_is_refused(read):
    reading = read({"box_format": "polar", "detections": []})
    assert paths(reading) == ["box_format"]


COCO = {
    "images": [
        {"id": 9, "width": 200, "height": 100, "file_name": "9.jpg"},
        {"id": 7, "width": 640, "height": 480},
        {"id": 8},
    ],
    "annotations": [
        {"id": 1, "image_id": 7, "bbox": [50, 50, 10, 20], "caption": "a red kite"},
        {"id": 2, "image_id": 8, "bbox": [1, 1, 10, 20], "caption": "a dog"},
    ],
}


def test_coco_annotations_are_ground_truth_in_the_order_of_the_images(read):
    reading = read(COCO, "ground-truth")
    assert reading.defects == ()
    regions = reading.data
    assert regions.images == ("9", "7", "8")  # an image without boxes has no ground truth
    assert np.diff(regions.starts).tolist() == [0, 1, 1]
    assert regions.boxes[0].tolist() == BOXES["xcycwh"]
    assert regions.captions == ("a red kite", "a dog")
    assert regions.sizes == {"9": (200, 100), "7": (640, 480)}


@pytest.mark.parametrize("image", ["8.jpg", 108])
def test_annotations_of_images_that_coco_does_not_list_are_an_error(read, image):
    first, second = COCO["annotations"]
    reading = read({**COCO, "annotations": [first, {**second, "image_id": image}]}, "ground-truth")
    assert reading.data is None
    assert messages(reading) == [
        f'Annotations name 1 image outside "images": {image}; it lists 9, 7, 8.\n'
        "       An id of a listed image is expected in each annotation."
    ]


def test_an_image_of_coco_needs_an_id(read):
    reading = read({**COCO, "images": [{"width": 5}, None]}, "ground-truth")
    assert paths(reading) == ["images[0].id", "images[1].id"]
    assert messages(reading)[0].startswith("The id of the image is missing.")


@pytest.mark.parametrize("role", ["ground-truth", "detections"])
@pytest.mark.parametrize("box_format", BOXES)
def test_every_layout_may_declare_its_box_format(read, role, box_format):
    box, scores = BOXES[box_format], {"logprobs": [-1]}
    found = {"boxes": [box], "captions": ["a"]}
    image = {"image_id": 1, "gt_boxes": [box], "gt_captions": ["a"], "detections": found | scores}
    rows = [region(box=box)]
    for shape in (
        {"images": [image]},
        {"results": [{"img_name": "1.jpg", "scores": [-1], **found}]},
        {"detections": rows},
        {"records": rows},
    ):
        reading = read({"box_format": box_format, **shape}, role)
        assert reading.data.boxes[0].tolist() == BOXES["xcycwh"]
        assert paths(read({"box_format": "corners", **shape}, role)) == ["box_format"]


@pytest.mark.parametrize(
    ("identity", "kind"),
    [(1.5, "the number 1.5"), ([1], "a list of a whole number"), ({}, "an object")],
)
def test_an_image_id_of_another_type_is_an_error(read, identity, kind):
    image = {"image_id": identity, "gt_boxes": [[1, 1, 2, 2]], "gt_captions": ["a"]}
    reading = read({"images": [image]}, "ground-truth")
    assert paths(reading) == ["images[0]"]
    assert messages(reading)[0].startswith(f"The id of the image is {kind}.\n")


@pytest.mark.parametrize("image", [{}, {"id": None}, {"id": [3]}])
def test_an_image_of_visual_genome_needs_an_id(read, image):
    box = {"x": 1, "y": 2, "width": 3, "height": 4, "phrase": "a kite"}
    reading = read([{**image, "regions": [box]}], "ground-truth")
    assert paths(reading) == ["[0].id"]


def test_images_without_ids_are_numbered(read):
    image = {"gt_boxes": [[1, 1, 2, 2]], "gt_captions": ["a"]}
    assert read({"images": [image, image]}, "ground-truth").data.images == ("image 1", "image 2")


def test_the_largest_score_is_a_score_and_a_larger_one_is_not(read):
    largest = float(np.finfo(np.float32).max)
    assert messages(read([region(score=largest)])) == []
    assert len(messages(read([region(score=largest * 1.01)]))) == 1
