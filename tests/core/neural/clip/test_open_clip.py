from __future__ import annotations

import json

import numpy as np
import pytest

from jurydesk.core.model.evaluation import ResourceMissing
from jurydesk.core.neural.clip.clip_model import PictureTower, TextTower, normalize_rows
from jurydesk.core.neural.clip.open_clip import CONFIG, load_open_clip, read_config
from jurydesk.core.readers.images import open_picture
from support.tiny_models import maker, picture, torch_or_skip

torch = torch_or_skip()
WEIGHTS = "open_clip_model.safetensors"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("clip")
    maker().make_open_clip(folder)
    return folder


def change_configuration(folder, tmp_path, **text):
    config = json.loads((folder / "open_clip_config.json").read_text())
    config["model_cfg"]["text_cfg"].update(text)
    (tmp_path / "open_clip_config.json").write_text(json.dumps(config))
    return tmp_path


def test_vectors_equal_those_of_open_clip_itself(folder, tmp_path):
    import open_clip

    peer, transform = open_clip.create_model_from_pretrained(f"local-dir:{folder}")
    tokenizer = open_clip.get_tokenizer(f"local-dir:{folder}")
    image = open_picture(picture(tmp_path / "a.png", 0, size=(60, 45))).image
    model = load_open_clip(folder, folder / WEIGHTS)
    with torch.inference_mode():
        expected = peer.eval().encode_image(transform(image)[None], normalize=True).numpy()
        captions = peer.encode_text(tokenizer(["a red house"]), normalize=True).numpy()
    pixels = torch.from_numpy(model.pixels(image))[None]
    found = normalize_rows(PictureTower(model)(pixels)).numpy()
    assert found == pytest.approx(expected, abs=1e-6)
    ids = torch.tensor([model.tokens("a red house")])
    assert TextTower(model)(ids).numpy() == pytest.approx(captions, abs=1e-6)
    assert np.linalg.norm(expected) == pytest.approx(1, abs=1e-6)


def test_a_text_network_that_would_be_downloaded_is_refused(folder, tmp_path):
    own = change_configuration(folder, tmp_path, hf_model_name="roberta-base")
    with pytest.raises(ResourceMissing, match="roberta-base is on Hugging Face and cannot be"):
        load_open_clip(own, folder / WEIGHTS)


def test_a_configuration_of_another_kind_is_reported(folder, tmp_path):
    (tmp_path / "open_clip_config.json").write_text('{"embed_dim": 3}')
    with pytest.raises(ResourceMissing, match='has no "model_cfg" with "text_cfg"'):
        load_open_clip(tmp_path, folder / WEIGHTS)


def test_a_configuration_with_an_unknown_part_is_reported(folder, tmp_path):
    own = change_configuration(folder, tmp_path, depth=3)
    with pytest.raises(ResourceMissing, match="is not a valid model"):
        load_open_clip(own, folder / WEIGHTS)


def test_weights_of_another_size_are_reported(folder, tmp_path):
    own = change_configuration(folder, tmp_path, layers=2)
    with pytest.raises(ResourceMissing, match="12 tensors are missing"):
        load_open_clip(own, folder / WEIGHTS)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("layers", 10**6),
        ("context_length", 10**6),
        ("vocab_size", 10**12),
        ("width", float("inf")),
        ("heads", [10**9]),
    ],
)
def test_impossible_sizes_are_refused_before_anything_is_allocated(folder, tmp_path, name, value):
    own = change_configuration(folder, tmp_path, **{name: value})
    with pytest.raises(ResourceMissing, match=f'"{name}" is .*, too large for a CLIP model'):
        load_open_clip(own, folder / WEIGHTS)


def test_sizes_that_the_weights_do_not_have_allocate_no_memory(folder, tmp_path):
    """A network of these sizes would need 400 GB."""
    own = change_configuration(folder, tmp_path, vocab_size=10**7, width=10**4)
    with pytest.raises(ResourceMissing, match=r"has the shape .*, not .*: these are the weights"):
        load_open_clip(own, folder / WEIGHTS)


def test_no_setting_of_the_tokenizer_runs_a_program_of_the_folder(folder, tmp_path):
    own = change_configuration(
        folder,
        tmp_path,
        hf_tokenizer_name="any",
        tokenizer_kwargs={"trust_remote_code": True, "clean": "lower"},
    )
    with pytest.raises(ResourceMissing, match='"tokenizer_kwargs" has trust_remote_code'):
        load_open_clip(own, folder / WEIGHTS)


def test_a_folder_with_its_own_tokenizer_code_is_refused_without_a_question(folder, tmp_path):
    own = change_configuration(folder, tmp_path, hf_tokenizer_name="any")
    mark = tmp_path / "it ran"
    (own / "tokenization_own.py").write_text(f"open({str(mark)!r}, 'w')\nclass Own: pass\n")
    auto_map = {"AutoTokenizer": ["tokenization_own.Own", None]}
    settings = {"tokenizer_class": "Own", "auto_map": auto_map}
    (own / "tokenizer_config.json").write_text(json.dumps(settings))
    (own / "config.json").write_text("{}")
    with pytest.raises(ResourceMissing, match="is not a valid model"):
        load_open_clip(own, folder / WEIGHTS)
    assert not mark.exists()


@pytest.mark.parametrize("name", ["hf-hub:someone/model", "local-dir:/x", "a/b", "", 3])
def test_a_picture_network_that_would_be_downloaded_is_refused(folder, tmp_path, name):
    config = json.loads((folder / CONFIG).read_text())
    config["model_cfg"]["vision_cfg"]["timm_model_name"] = name
    (tmp_path / CONFIG).write_text(json.dumps(config))
    with pytest.raises(ResourceMissing, match="is not part of timm and cannot be"):
        read_config(tmp_path / CONFIG)


def test_a_missing_configuration_is_reported(tmp_path):
    with pytest.raises(ResourceMissing, match=r"open_clip_config\.json cannot be read: No such"):
        read_config(tmp_path / CONFIG)


@pytest.mark.parametrize("text", ["", "[]", "[" * 200_000, '{"model_cfg": 1}', '{"model_cfg": {}}'])
def test_an_invalid_configuration_is_reported(tmp_path, text):
    (tmp_path / CONFIG).write_text(text)
    with pytest.raises(ResourceMissing, match="a configuration written by open_clip"):
        read_config(tmp_path / CONFIG)
