"""Tests of damaged pictures and models: each is reported, the others are scored."""

import json
import pickle
import shutil

import numpy as np
import pytest
from PIL import Image

from jurydesk.core.execution.engine import check_inputs, score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.readers.images import MAX_PIXELS
from jurydesk.core.system.paths import HOME_VARIABLE
from jurydesk.core.tasks.fusionbrain.fusionbrain_options import FusionBrainOptions
from jurydesk.core.tasks.fusionbrain.fusionbrain_task import TASK
from support.oracles import oracle
from support.tiny_models import picture, torch_or_skip

torch = torch_or_skip()
RUCLIP = oracle("neural/toy_ruclip")


def truncated(path):
    picture(path, 1, size=(200, 200))
    path.write_bytes(path.read_bytes()[:2000])


def bomb(path):
    side = int(MAX_PIXELS**0.5) + 1
    Image.new("1", (side, side)).save(path)


def sixteen_bits(path):
    Image.fromarray(np.full((40, 30), 700, dtype=np.uint16)).save(path)


def animated(path):
    first, second = (Image.new("RGB", (8, 8), colour) for colour in ("red", "blue"))
    first.save(path, save_all=True, append_images=[second])


PICTURES = {
    "sound.png": lambda path: picture(path, 0),
    "truncated.jpg": truncated,
    "bomb.png": bomb,
    "text.png": lambda path: path.write_text("<svg/>"),
    "empty.png": lambda path: path.touch(),
    "missing.png": lambda path: None,
    "inks.jpg": lambda path: picture(path, 2, mode="CMYK"),
    "sixteen.png": sixteen_bits,
    "animated.gif": animated,
}
FAILED = {
    "truncated.jpg": "is damaged: image file is truncated",
    "bomb.png": "claims 10,001 x 10,001 pixels, more than 100,000,000",
    "text.png": "is not in a known image format",
    "empty.png": "is not in a known image format",
    "missing.png": "There is no file “made/missing.png”.",
}
ODD = {
    "inks.jpg": "The picture is in CMYK and was converted to RGB without a colour profile.",
    "sixteen.png": "The picture has more than 8 bits per channel; values above 255 are clipped.",
    "animated.gif": "The picture is an animation of 2 frames; the first one is used.",
}


@pytest.fixture
def scored(tmp_path, monkeypatch):
    """Return a submission of generated pictures, one of each kind, scored with these models."""
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    (tmp_path / "made").mkdir()
    for name, make in PICTURES.items():
        make(tmp_path / "made" / name)
    asked = {name: [{"type": "text", "content": "Нарисуй. кот"}] for name in PICTURES}
    said = {
        name: [
            {"type": "text", "content": ""},
            {"type": "image", "content": f"x/made/{name}"},
        ]
        for name in PICTURES
    }
    truth = {name: [{"type": "image", "content": f"real/{name}"}] for name in PICTURES}
    contents = {"input": asked, "predictions": said, "truth": truth}
    for role, content in contents.items():
        (tmp_path / f"{role}.json").write_text(json.dumps(content), encoding="utf-8")
    inputs = {role: [tmp_path / f"{role}.json"] for role in contents}

    def of(weights=RUCLIP, profile="published", check=False):
        options = FusionBrainOptions(profile, "generation", weights=(f"ruclip={weights}",))
        if check:
            return check_inputs(TASK, files_by_role(inputs), options, Run()).entries[0]
        return score_submissions(
            TASK, files_by_role(inputs), options, Run(device="cpu"), resamples=0
        ).entries[0]

    return of


def test_unreadable_pictures_score_0_and_are_reported_with_their_keys(scored):
    entry = scored()
    by_place = {one.place.json_path: one for one in entry.defects if one.found.startswith("CLIP: ")}
    assert by_place.keys() == {f'["{name}"]' for name in FAILED}
    for name, sentence in FAILED.items():
        assert sentence in by_place[f'["{name}"]'].found
        assert by_place[f'["{name}"]'].expected == "It scores 0."
    items = entry.evaluation.items
    values = dict(zip(items.ids, items.columns["generation_clip"], strict=True))
    assert {name for name in PICTURES if values[f"generation/{name}"] == 0} == set(FAILED)
    mean = np.mean(list(values.values()))
    assert entry.evaluation.score("generation_clip").value == pytest.approx(mean)


def test_unusual_pictures_are_scored_and_reported(scored):
    entry = scored()
    by_place = {one.place.path.rpartition("/")[2]: one.found for one in entry.defects}
    assert {name: by_place[name] for name in ODD} == ODD


def test_failed_pictures_are_left_out_in_the_corrected_profile(scored):
    entry = scored(profile="corrected")
    assert entry.evaluation.score("generation_clip").n == len(PICTURES) - len(FAILED)


@pytest.mark.parametrize("profile", ["published", "corrected"])
def test_a_check_and_every_run_report_the_same_pictures(scored, profile):
    defects = [scored(profile=profile).defects for _ in range(2)]
    assert defects[1] == defects[0]
    of_pictures = [one for one in defects[0] if "CLIP: " in one.found or one.found in ODD.values()]
    checked = scored(profile=profile, check=True).defects
    assert set(of_pictures) <= set(checked)
    assert len(of_pictures) == len(FAILED) + len(ODD)


class Program:
    """A program in a hostile pickle."""

    def __reduce__(self):
        return (pytest.fail, ("a pickle was run",))


def with_code(folder):
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps({"a": Program()}))
    (folder / "model.safetensors").unlink()


def of_another_shape(folder):
    path = folder / "config.json"
    sizes = json.loads(path.read_text())
    path.write_text(json.dumps({**sizes, "embed_dim": sizes["embed_dim"] + 1}))


def truncate_weights(folder):
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-100])


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (with_code, "holds a pickle that is more than tensors, and could run a program"),
        (of_another_shape, "these are the weights of another network"),
        (truncate_weights, "is cut off: its end is missing"),
        (lambda folder: shutil.rmtree(folder), "there is no such file or folder"),
    ],
)
def test_unusable_models_are_named(scored, tmp_path, spoil, sentence):
    folder = tmp_path / "ruclip"
    shutil.copytree(RUCLIP, folder)
    spoil(folder)
    with pytest.raises(Exception, match=sentence) as missing:
        scored(folder)
    assert type(missing.value).__name__ == "ResourceMissing"
