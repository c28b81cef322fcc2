from __future__ import annotations

import json
import shutil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.model.evaluation import ResourceMissing
from jurydesk.core.neural.clip import ruclip
from jurydesk.core.neural.clip.clip_model import PictureTower, TextTower, normalize_rows
from jurydesk.core.neural.clip.ruclip import TEMPLATES, load_ruclip, middle_square
from jurydesk.core.readers.images import open_picture
from support.oracles import oracle
from support.tiny_models import torch_or_skip

torch = torch_or_skip()

FOLDER = oracle("neural/toy_ruclip")
PICTURES = oracle("neural/shared_ruclip_images")
RECORDED = json.loads(oracle("neural/shared_ruclip.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def model():
    return load_ruclip(FOLDER, FOLDER / "model.safetensors")


@pytest.fixture
def folder(tmp_path):
    return shutil.copytree(FOLDER, tmp_path / "ruclip")


def pixels(model):
    return np.stack([model.pixels(open_picture(PICTURES / n).image) for n in RECORDED["images"]])


def test_the_templates_equal_the_original_ones():
    assert list(TEMPLATES) == RECORDED["meta"]["templates"]


def test_the_ids_of_all_templates_equal_the_original_ones(model):
    assert [model.tokens(text) for text in RECORDED["texts"]] == RECORDED["template_ids"]


def test_the_vectors_of_captions_equal_the_original_ones(model):
    ids = torch.tensor([model.tokens(text) for text in RECORDED["texts"]])
    expected = np.array(RECORDED["text_latents_6_templates"])
    assert TextTower(model)(ids).numpy() == pytest.approx(expected, abs=1e-5)


def test_the_pixels_of_pictures_equal_the_original_ones(model):
    with np.load(oracle("neural/shared_ruclip_pixels.npz")) as file:
        assert pixels(model) == pytest.approx(file["pixels"], abs=1e-6)


def test_the_vectors_of_pictures_equal_the_original_ones(model):
    found = normalize_rows(PictureTower(model)(torch.from_numpy(pixels(model)))).numpy()
    assert found == pytest.approx(np.array(RECORDED["image_latents"]), abs=1e-5)


@pytest.mark.parametrize(
    ("size", "box"),
    [
        ((48, 48), (0, 0, 48, 48)),
        ((90, 60), (15, 0, 75, 60)),
        ((60, 91), (0, 15, 60, 75)),
        ((100, 101), (0, 0, 100, 100)),  # off by one pixel at random in the original
    ],
)
def test_the_central_square_is_used(size, box):
    assert middle_square(*size) == box


@given(st.integers(1, 500), st.integers(1, 500))
def test_the_square_is_inside_the_picture(width, height):
    left, top, right, bottom = middle_square(width, height)
    assert right - left == bottom - top == min(width, height)
    assert 0 <= left < right <= width
    assert 0 <= top < bottom <= height


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ("{", "config.json is not valid JSON"),
        ("[]", "config.json lacks valid integers for embed_dim"),
        (
            '{"embed_dim": 24}',
            "config.json lacks valid integers for image_resolution, vision_layers",
        ),
    ],
)
def test_empty_settings_are_reported(folder, settings, sentence):
    (folder / "config.json").write_text(settings)
    with pytest.raises(ResourceMissing, match=sentence):
        load_ruclip(folder, folder / "model.safetensors")


def test_weights_of_another_size_are_reported(folder):
    settings = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**settings, "embed_dim": 32}))
    with pytest.raises(ResourceMissing, match=r"has the shape .* these are the weights of another"):
        load_ruclip(folder, folder / "model.safetensors")


def change_settings(folder, **settings):
    path = folder / "config.json"
    kept = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**kept, **settings}), encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("vision_layers", 10**9, "lacks valid integers for vision_layers"),
        ("image_resolution", -1, "lacks valid integers for image_resolution"),
        ("embed_dim", True, "lacks valid integers for embed_dim"),
        ("context_length", 1, "lacks valid integers for context_length"),
        ("transformer_heads", 3, "is not a valid network"),
        ("vision_width", 3, "is not a valid network"),
        ("embed_dim", 10**7, "has the shape"),
        ("vocab_size", 800, "has ids from 0 to 899, but the vocabulary of"),
        ("mean", 5, 'three numbers are expected for "mean"'),
        ("mean", [1, 2], 'three numbers are expected for "mean"'),
        ("std", [0, 1, 1], 'three numbers are expected for "std"'),
    ],
)
def test_a_configuration_without_a_network_is_reported(folder, name, value, sentence):
    change_settings(folder, **{name: value})
    with pytest.raises(ResourceMissing, match=sentence):
        load_ruclip(folder, folder / "model.safetensors")


def test_a_configuration_nested_too_deeply_is_reported(folder):
    (folder / "config.json").write_text("[" * 100_000, encoding="utf-8")
    with pytest.raises(ResourceMissing, match="is not valid JSON"):
        load_ruclip(folder, folder / "model.safetensors")


@pytest.mark.parametrize("last", ["1 0 2 900", "-1 0 2 3"])
def test_ids_unknown_to_the_network_are_reported(folder, last):
    path = folder / "bpe.model"
    lines = path.read_text("ascii").splitlines()
    path.write_text("\n".join([*lines[:-1], last]), "ascii")
    with pytest.raises(ResourceMissing, match="is 0 to 899"):
        load_ruclip(folder, folder / "model.safetensors")


@pytest.mark.parametrize("bounds", [ruclip.MINIMA, ruclip.MAXIMA])
def test_sizes_at_the_limits_are_sizes(bounds):
    assert bounds
    beyond = -1 if bounds is ruclip.MINIMA else 1
    for name, limit in bounds.items():
        assert ruclip._is_size(name, limit)
        assert not ruclip._is_size(name, limit + beyond)
