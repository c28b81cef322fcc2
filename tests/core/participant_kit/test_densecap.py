"""Captioned boxes: browser page and .jurycomp kit report the same defects for every layout."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jurydesk.core.tasks.densecap.readers.json_shapes import FORMATS
from support.files.mutations import mutated
from support.kits.dense_captions import Both, both, genome, images, kits_in, region, results
from support.oracles import oracle

MUTATIONS = 6
FAR = 2.0**126
LARGE = 2**126
SILENT = "No entry for 3 images of the ground truth: a, __proto__, 7."
NO_LIST = "The file contains no list of captioned boxes."
NO_OBJECT = "The element is not an object."
NO_ID = "The id of the image is missing."


SEGMENTED = "The boxes are those of the segmentations."
LAYOUT = "The regions have another layout."


def renamed(name: str, other: str, *values: Any) -> dict[str, Any]:
    """Return a region with another name for a member, and perhaps another value."""
    made = region()
    value = made.pop(name)
    return made | {other: values[0] if values else value}


def by_image() -> dict[str, Any]:
    """Return regions by image, as some programs write them."""
    return {"a": [{"bbox": [1, 1, 2, 2], "cap": "a", "score": 1}]}


def jivc(**members: Any) -> dict[str, Any]:
    """Return results by image as JIVC's program writes them."""
    return {"a.jpg": {"boxes": [[5, 6, 9, 8]], "captions": ["a"], "logprobs": [-1.5]} | members}


def pictures(*names: str) -> dict[str, Any]:
    """Return descriptions of pictures as densecap-pytorch writes them."""
    return {name: [{"box": [5, 6, 9, 8], "cap": "a", "score": 0.5}] for name in names}


def segmented(**members: Any) -> dict[str, Any]:
    """Return a COCO file of predictions whose boxes are segmentations."""
    one = {
        "image_id": "a",
        "segmentation": [[5, 6, 9, 6, 9, 8, 5, 8]],
        "extra_info": {"pred_result": {"scores": [0.5], "caption": "a"}},
    }
    return {"images": [], "annotations": [one | members]}


@pytest.fixture(scope="module")
def kits(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Both]:
    return kits_in(tmp_path_factory.mktemp("boxes"))


@pytest.mark.parametrize(
    ("data", "sentences"),
    [
        (b"", ["The file is empty."]),
        (b"\xff\xfe[\0]\0", ["The text is UTF-16."]),
        (b"\x89PNG\r\n\x1a\n", ["The byte 0x89 is not UTF-8."]),
        (b"[" * 5000, ["The JSON is nested too deeply to be read."]),
        (
            b"[1" + b"0" * 5000 + b"]",
            ["The JSON contains a whole number with thousands of digits."],
        ),
        (b"{}", [NO_LIST]),
        (b"NaN", [NO_LIST]),
        (b'"images"', [NO_LIST]),
        (b"[]", ["No entry for 4 images of the ground truth: a, a, __proto__ and 1 more."]),
        ({"images": {}, "results": 3, "regions": None}, [NO_LIST]),
        ({"box_format": "polar", "records": []}, ["\"box_format\" is 'polar'."]),
        ({"box_format": ["it's"], "records": []}, ['"box_format" is \'["it\\\'s"]\'.']),
        ({"box_format": "\"'\u2028\U0001f600" * 20}, ['"box_format" is \'"\\\'\\u2028']),
        ([region()], [SILENT]),
        ([region(), 5, region(box=None), [1]], [NO_OBJECT, NO_OBJECT, "The box is missing."]),
        (
            [region(image_id=None), region(image_id=[1.5, {}]), region(image_id=1.0)],
            [
                NO_ID,
                "The id of the image is a list of a fraction and an object.",
                "The id of the image is the number 1.0.",
            ],
        ),
        (
            [region(image_id=True)],
            ["No image id is in the ground truth: True; ground truth: a, a"],
        ),
        ([region(), region(image_id="b")], [SILENT, "Not in the ground truth: 1 image (b)."]),
        ([{"image_id": "a", "bbox": [1, 1, 2, 2], "caption": "a", "score": 1}], [SILENT]),
        ([region(box=[1, 2, 3])], ["The box is [1, 2, 3]."]),
        ([region(box=[1, 2, True, "3"])], ["The box is [1, 2, True, '3']."]),
        ([region(box="x" * 90)], [f'The box is the text "{"x" * 40}…".']),
        ([region(box={"x": 1e400, "y": [None]})], ["The box is an object."]),
        (b'[{"image_id": "a", "box": [1e400, NaN, -Infinity, 1]}]', ["The box is [inf, nan, -inf"]),
        ([region(box=[1, 2, -3, 4e-7])], ["The xywh box [1, 2, -3, 4e-07] has a negative size."]),
        ([region(box=[FAR, -FAR, 1, 1])], [SILENT, "Boxes extend beyond 1 image: a."]),
        ([region(box=[LARGE + 2**72, 1, 1, 1])], [SILENT, "Boxes extend beyond 1 image: a."]),
        ([region(box=[LARGE + 2**72, 1, 1, 1]), region(box=None)], ["The box is [8507", "The box"]),
        ([region(box=[LARGE, 1, 1, 1]), region(box=None)], ["The box is missing."]),
        ([region(box=[1.1 * FAR, 1, 1, 1])], ["The box is [9.35"]),
        ([region(box=[10**400, 1, 1, 1])], [f"The box is [1{'0' * 58}."]),
        ([region(box=[1, 1, 1e-50, 0])], ["Zero width or height: 1 box.", SILENT]),
        ([region(box=[-0.0, 0, -1e-50, 3])] * 2, ["Zero width or height: 2 boxes.", SILENT]),
        ([region(box=[500, 400, 141, 81.5])], [SILENT]),
        ([region(box=[500, 400, 142.001, 9])], [SILENT, "Boxes extend beyond 1 image: a."]),
        ([region(box=[-2, 5, 9, 9])], [SILENT, "Boxes extend beyond 1 image: a."]),
        (
            [region(caption=None), region(caption=3)],
            ["The caption is missing.", "The caption is the number 3."],
        ),
        ([region(caption="\U0001f600" + "a" * 99_999)], [SILENT]),
        ([region(caption="\U0001f600" + "a" * 100_000)], ["The caption has 100,001 characters."]),
        (
            b'[{"image_id": "a", "box": [1, 1, 1, 1], "caption": "\\ud83d", "score": 0}]',
            ["The esc"],
        ),
        (
            [region(score=None), region(score="-1")],
            ["The score is missing.", 'The score is the text "-1".'],
        ),
        ([region(score=False), region(score=[])], ["The score is false.", "The score is a list."]),
        ([region(score=float(np.finfo(np.float32).min))], [SILENT]),
        ([region(score=int(np.finfo(np.float32).max) + 1)], ["The score is 3402823466385288598"]),
        (b'{"detections": [], "detections": 3}', ["1 object with duplicate members", NO_LIST]),
        (b"\xef\xbb\xbf{}", ["The byte order mark at the start was skipped.", NO_LIST]),
        (images(), [SILENT]),
        ({"images": [3, {"detections": []}]}, ["The value is not an object."] * 2),
        (images(captions=None), ['"captions" is not a list.']),
        (
            images(logprobs=[]),
            ['The lists differ in length: 1 in "boxes", 1 in "captions", 0 in "'],
        ),
        (images(boxes=[None]), ["The box is missing."]),
        (
            {"images": [*images()["images"], 1, *images(logprobs="ab")["images"]]},
            ["The value", '"log'],
        ),
        ({"images": images()["images"] * 3}, ["Repeated ids: 2 images (a, a)."]),
        (
            {"images": [images()["images"][0] | {"image_id": None}]},
            ["No image id is in the ground truth: i"],
        ),
        (
            {"images": [images()["images"][0] | {"image_id": 1.5}]},
            ["The id of the image is the number 1.5."],
        ),
        (images() | {"box_format": "xyxy"}, ["The xyxy box [50, 50, 9, 9] has a negative size."]),
        (images() | {"box_format": None}, ["\"box_format\" is 'None'."]),
        (images() | {"results": [], "annotations": [], "images": 0}, ["No entry for 4 images"]),
        (results(), [SILENT]),
        (results() | {"box_format": "xcycwh"}, [SILENT]),
        ([renamed("caption", "phrase")], ['"phrase" is read as "caption".', SILENT]),
        ([renamed("caption", "captions", ["a"])], ['"captions" is read as "caption".', SILENT]),
        ([renamed("score", "confidence")], ['"confidence" is read as "score".', SILENT]),
        ([renamed("score", "scores", ["x"])], ['"scores" is read', 'The score is the text "x".']),
        ([renamed("caption", "cap", 3)], ['"cap" is read', "The caption is the number 3."]),
        ([region(), renamed("caption", "phrase")], ["The caption is missing."]),
        (by_image(), [LAYOUT, '"cap" is read as "caption".', "No entry for 3 images"]),
        (by_image() | {"b": []}, [LAYOUT, '"cap"', "No entry for 3 images"]),
        (by_image() | {"b": [3]}, [NO_LIST]),
        (by_image() | {"box_format": "xyxy"}, [NO_LIST]),
        (segmented(), [SEGMENTED, SILENT]),
        (jivc(), ["File names are read as image ids: a.jpg as a.", SILENT]),
        (jivc(logprobs=[None]), ["The score is missing."]),
        (jivc(captions=[]), ["The lists differ in length"]),
        (pictures("x/a.png"), ["Boxes and scores are rounded", "File names are read", SILENT]),
        (pictures("x/a.png", "y/a.png"), ["Boxes and scores are", "Files with one name in sev"]),
        (
            segmented(segmentation={"size": [4, 3], "counts": [5, 2, 5]}),
            [SEGMENTED, "Zero", SILENT],
        ),
        (segmented(segmentation={"size": [4, 3], "counts": "525"}), [SEGMENTED, "Zero", SILENT]),
        (segmented(segmentation={"size": [4, 3], "counts": "~"}), [SEGMENTED, "The box is an obj"]),
        (segmented(segmentation=[[1, 2, 3]]), [SEGMENTED, "The box is [[1, 2, 3]]."]),
        (
            segmented(segmentation=[[1, 2, 3, None, 1, 2, 3, 4]]),
            [SEGMENTED, "The box is [[1, "],
        ),
        (
            segmented(extra_info={"pred_result": 3}),
            [SEGMENTED, "1 annot", "No entry for 4"],
        ),
        (
            segmented(extra_info={"pred_result": {}}),
            [SEGMENTED, "The capt", "The sco"],
        ),
        (
            results(img_name="7.x.png", boxes=[[1, 2, 0, 4]]),
            ["Zero width", "No image id is in"],
        ),
        (results(scores=[None]), ["The score is missing."]),
        ([genome()], [SILENT]),
        ([{"image_id": "a", "regions": [genome(image_id=7)["regions"][0]]}], [SILENT]),
        (
            [genome(x=None, phrase=1), 3],
            [NO_OBJECT, '"regions" is', "The box is [None", ""],
        ),
        ([genome(), {"regions": [3]}], ['"regions" is missing or not a list of objects.']),
        (
            [{"regions": [{"image_id": {"a": 1.0}}]}],
            ["The id of the image is an object.", "The box is [None, None, None, None]."],
        ),
        (
            [{"regions": []}, {"regions": [], "id": None}],
            [NO_ID, NO_ID, "Repeated ids: 1 image (None)"],
        ),
    ],
)
def test_every_defect_of_every_layout_is_reported_alike(
    data: Any, sentences: list[str], kits: dict[str, Both]
) -> None:
    found = kits["auto"].found(data)
    assert len(found) >= len(sentences)
    for reported, wanted in zip(found, sentences, strict=False):
        assert reported.startswith(wanted)
    for name in FORMATS:
        kits[name].found(data)


@pytest.mark.parametrize("side", [True, 0, -1, 40, 40.5, 2**31, 10**400, float("nan"), "9", None])
def test_an_image_size_missing_in_the_kit_is_read_from_the_submission(
    side: Any, kits: dict[str, Both]
) -> None:
    entry = images()["images"][0] | {"image_id": 7, "width": side, "height": 1e9}
    outside = [one for one in kits["auto"].found({"images": [entry]}) if "beyond" in one]
    assert bool(outside) == (side in (40, 40.5))
    far = images(boxes=[[2.0**40, 5, 9, 9]])["images"][0] | {
        "image_id": 7,
        "width": side,
        "height": 9,
    }
    outside = [one for one in kits["auto"].found({"images": [far]}) if "beyond" in one]
    assert bool(outside) == (side in (40, 40.5))


def test_an_image_size_in_the_kit_overrides_the_submission_s(kits: dict[str, Both]) -> None:
    entry = images()["images"][0] | {"width": 1, "height": 1}
    assert kits["auto"].found({"images": [entry]}) == [SILENT]


@pytest.mark.parametrize(
    ("box_format", "inside", "beyond"),
    [
        ("xywh", [600, 440, 41.5, 42], [600, 440, 43.5, 42]),
        ("xcycwh", [620, 460, 41.5, 42], [620, 461.5, 41.5, 42]),
        ("xyxy", [500, 400, 641.5, 482], [500, 400, 641.5, 482.8]),
    ],
)
def test_boxes_of_every_format_can_leave_their_image_by_a_pixel(
    box_format: str, inside: list[float], beyond: list[float], kits: dict[str, Both]
) -> None:
    assert kits[box_format].found([region(box=inside)]) == [SILENT]
    assert kits[box_format].found([region(box=beyond)])[1:] == ["Boxes extend beyond 1 image: a."]


@pytest.mark.parametrize("name", sorted(path.name for path in oracle("densecap").glob("*.json")))
def test_recorded_files_and_invalid_versions_of_them_are_reported_alike(
    name: str, tmp_path: Path
) -> None:
    document = json.loads(oracle(f"densecap/{name}").read_text())
    document["images"] = document["images"][:12]
    truth = tmp_path / name
    truth.write_text(json.dumps(document))
    reported = both(truth, tmp_path / "kit")
    for content in (truth.read_bytes(), *mutated(truth.read_bytes(), MUTATIONS, seed=1)):
        reported.tell(content)


def test_boxes_whose_sides_are_members_are_read_alike(kits: dict[str, Both]) -> None:
    one = {"image_id": "a", "caption": "a", "score": 0.5}
    told = kits["auto"].found([one | {"x": 1, "y": 2, "w": 3, "h": 4}])
    assert told[0] == "The boxes are read from x, y, w, h."
    sized = {"x": 1, "y": 2, "w": 3, "h": 4, "width": 640, "height": 480}
    assert kits["auto"].found([one | sized]) == told
    corners = {"x1": 9, "y1": 2, "x2": 3, "y2": 4}
    assert any("negative size" in said for said in kits["auto"].found([one | corners]))
    kits["auto"].found([one | {"x1": 1, "y1": 2, "x2": 3}])
    kits["auto"].found([one | {"x": "1", "y": None, "w": 3, "h": 4}, 7])
