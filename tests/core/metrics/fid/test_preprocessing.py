from __future__ import annotations

import json

import numpy as np
import pytest

from jurydesk.core.metrics.fid.inception_network import build_inception
from jurydesk.core.metrics.fid.inception_weights import shapes
from jurydesk.core.metrics.fid.preprocessing import PRESETS, Extractor
from support.oracles import oracle
from support.tiny_models import maker, torch_or_skip

torch = torch_or_skip()
functional = torch.nn.functional
Image = pytest.importorskip("PIL.Image")

FOLDER = oracle("neural/shared_fid_images")


def prepared(preset, image):
    array = PRESETS[preset].prepare(image)
    batch = torch.from_numpy(array)[None].permute(0, 3, 1, 2).float()
    return PRESETS[preset].scale(batch)


@pytest.fixture
def picture():
    noise = np.random.RandomState(3).randint(0, 256, (41, 67, 3), dtype=np.uint8)
    return Image.fromarray(noise)


def test_features_equal_those_of_the_original_network_and_preparation():
    names = json.loads(oracle("neural/shared_fid_activations.json").read_text())
    assert names["weights_rule"].startswith("per state_dict key")
    weights = {
        name: torch.from_numpy(maker().random_tensor(name, s)) for name, s in shapes().items()
    }
    extractor = Extractor(PRESETS["fusionbrain"], build_inception(weights))
    with np.load(oracle("neural/shared_fid_activations.npz")) as file:
        files, expected = file["files"], file["act"]
    arrays = [
        PRESETS["fusionbrain"].prepare(Image.open(FOLDER / name).convert("RGB")) for name in files
    ]
    found = extractor(torch.from_numpy(np.stack(arrays))).numpy()
    assert np.abs(found - expected).max() < 1e-4 * np.abs(expected).max()
    # Features are small where the maps nearly vanish, hence the absolute tolerance.
    assert found == pytest.approx(expected, rel=1e-4, abs=1e-4)


def test_pytorch_fid_resizes_without_antialiasing(picture):
    straight = torch.from_numpy(np.array(picture)).permute(2, 0, 1)[None] / 255
    resized = functional.interpolate(straight, (299, 299), mode="bilinear", align_corners=False)
    assert torch.equal(prepared("pytorch-fid", picture), 2 * resized - 1)


def test_clean_resizes_each_channel_in_floats(picture):
    red = Image.fromarray(np.array(picture)[:, :, 0].astype(np.float32))
    resized = np.array(red.resize((299, 299), Image.Resampling.BICUBIC)).clip(0, 255)
    assert torch.equal(prepared("clean", picture)[0, 0], torch.from_numpy((resized - 128) / 128))


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_gives_the_network_its_input_range(preset, picture):
    found = prepared(preset, picture)
    assert found.shape == (1, 3, 299, 299)
    assert found.dtype == torch.float32
    assert -1 <= found.min() < found.max() <= 1
