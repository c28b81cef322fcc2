from __future__ import annotations

import json
import shutil

import numpy as np
import pytest

from jurydesk.core.model.evaluation import ResourceMissing
from jurydesk.core.neural.clip.clip_model import PictureTower
from jurydesk.core.neural.clip.dino import load_dino
from jurydesk.core.readers.images import open_picture
from support.tiny_models import picture, torch_or_skip

torch = torch_or_skip()
pytest.importorskip("transformers")
CONFIG = {
    "model_type": "dinov2",
    "hidden_size": 12,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "image_size": 56,
    "patch_size": 28,
    "mlp_ratio": 2,
}
WEIGHTS = "model.safetensors"


@pytest.fixture(scope="module")
def peer(tmp_path_factory):
    """Return transformers' own network, and the folder that it saves."""
    from transformers import Dinov2Config, Dinov2Model

    torch.manual_seed(0)
    network = Dinov2Model(Dinov2Config(**CONFIG)).eval()
    folder = tmp_path_factory.mktemp("dino")
    network.save_pretrained(folder)
    return network, folder


def test_features_are_the_class_tokens_of_the_original_network(peer, tmp_path):
    """The preprocessing is dgm-eval's, by torchvision."""
    from torchvision import transforms

    network, folder = peer
    prepare = transforms.Compose(
        [
            transforms.Resize((224, 224), transforms.InterpolationMode.BICUBIC),
            transforms.ToTensor(),
            transforms.Normalize((0.485, 0.456, 0.406), (0.229, 0.224, 0.225)),
        ]
    )
    image = open_picture(picture(tmp_path / "a.png", 0, size=(300, 190))).image
    with torch.inference_mode():
        expected = network(prepare(image)[None]).last_hidden_state[:, 0]
    model = load_dino(folder, folder / WEIGHTS)
    found = PictureTower(model)(torch.from_numpy(model.pixels(image))[None])
    assert found.numpy() == pytest.approx(expected.numpy(), abs=1e-5)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("{", "is not valid JSON"),
        ("[1]", "does not describe a DINOv2 model"),
        (json.dumps({**CONFIG, "model_type": "vit"}), "does not describe a DINOv2 model"),
        (json.dumps({**CONFIG, "hidden_size": 24}), "settings are invalid for DINOv2"),
        (json.dumps({**CONFIG, "num_hidden_layers": 2}), "tensors are missing"),
        (json.dumps({**CONFIG, "num_hidden_layers": "x"}), "settings are invalid for DINOv2"),
    ],
)
def test_a_folder_of_another_network_is_refused(peer, tmp_path, content, sentence):
    folder = tmp_path / "copy"
    shutil.copytree(peer[1], folder)
    (folder / "config.json").write_text(content)
    with pytest.raises(ResourceMissing, match=sentence):
        load_dino(folder, folder / WEIGHTS)


def test_features_keep_their_own_lengths(peer, tmp_path):
    model = load_dino(peer[1], peer[1] / WEIGHTS)
    rows = PictureTower(model)(torch.zeros(1, 3, 224, 224)).numpy()
    assert abs(np.linalg.norm(rows) - 1) > 0.01
