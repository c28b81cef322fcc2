from __future__ import annotations

import shutil

import pytest

from jurydesk.core.model.evaluation import ResourceMissing
from jurydesk.core.neural.weights.incomplete_downloads import require_complete
from jurydesk.core.tasks.weight_check import check_weights
from support.oracles import oracle
from support.text_models import make_bert
from support.tiny_models import torch_or_skip

torch = torch_or_skip()

TENSORS = {"a": torch.arange(6.0), "b": torch.ones(3, 2)}


def saved(path):
    if path.suffix == ".safetensors":
        from safetensors.torch import save_file

        save_file(TENSORS, path, {"made": "by hand"})
    else:
        torch.save(TENSORS, path)
    return path.read_bytes()


@pytest.mark.parametrize("name", ["a.safetensors", "a.pt", "a.bin"])
def test_a_file_that_is_cut_anywhere_is_called_so(tmp_path, name):
    path = tmp_path / name
    content = saved(path)
    require_complete(path)
    for length in {5, 30, len(content) // 3, len(content) // 2, len(content) - 1}:
        path.write_bytes(content[:length])
        with pytest.raises(ResourceMissing) as refused:
            require_complete(path)
        said = f"{path} is cut off: its end is missing. Download it again."
        assert length == 5 or str(refused.value) == said


@pytest.mark.parametrize(
    "content",
    [b"\x00" * 40, b"\xff" * 40, b"\x02\0\0\0\0\0\0\0[]", b'\x0a\0\0\0\0\0\0\0{"a": {}}\n'],
)
def test_a_header_of_another_form_is_not_called_cut(tmp_path, content):
    path = tmp_path / "a.safetensors"
    path.write_bytes(content)
    require_complete(path)


def ruclip(folder):
    shutil.copytree(oracle("neural/toy_ruclip"), folder)


def dinov2(folder):
    from transformers import Dinov2Config, Dinov2Model

    sizes = {"hidden_size": 24, "num_attention_heads": 3, "num_hidden_layers": 1}
    Dinov2Model(Dinov2Config(**sizes, image_size=28, patch_size=14)).save_pretrained(folder)


@pytest.mark.parametrize(
    ("role", "make"), [("ruclip", ruclip), ("bertscore", make_bert), ("dinov2", dinov2)]
)
def test_every_loader_names_a_file_that_is_cut(tmp_path, role, make):
    folder = tmp_path / role
    make(folder)
    assert check_weights(role, folder) == ""
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-1])
    assert check_weights(role, folder) == (
        f"{path} is cut off: its end is missing. Download it again."
    )
