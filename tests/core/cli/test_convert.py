"""`jurydesk convert densecap` prepares ground truth as one of the programs does."""

import json

SCENE = {
    "images": [{"id": 7, "width": 1440, "height": 720}],
    "annotations": [
        {"image_id": 7, "bbox": [101, 41, 60, 20], "caption": "A kite!"},
        {"image_id": 7, "bbox": [101, 41, 60, 20], "caption": "w " * 16},
    ],
}


def test_convert_writes_prepared_images_with_boxes_scaled_by_half(jurydesk, tmp_path):
    truth = tmp_path / "truth.json"
    truth.write_text(json.dumps(SCENE), encoding="utf-8")
    outcome = jurydesk(
        "convert", "densecap", "--ground-truth", truth, "--prepare", "lua-720", "--json", "-"
    )
    # x = round(100 / 2 + 1), w = 60 / 2, and the centre is x + floor(w / 2); the long caption goes
    (image,) = json.loads(outcome.out)["images"]
    assert (outcome.code, image["image_id"]) == (0, "7")
    assert (image["boxes"], image["captions"]) == ([[66, 26, 30, 10]], ["<UNK> <UNK>"])


def test_convert_needs_the_sizes_of_the_images(jurydesk, tmp_path):
    truth = tmp_path / "truth.json"
    truth.write_text(json.dumps(SCENE | {"images": [{"id": 7}]}), encoding="utf-8")
    outcome = jurydesk("convert", "densecap", "--ground-truth", truth, "--prepare", "controlcap")
    assert outcome.code == 1
    assert "The sizes of 1 image are unknown: 7." in outcome.err
