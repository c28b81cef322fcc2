from __future__ import annotations

import os
import pickle
import tempfile
import warnings
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jurydesk.core.model.evaluation import ResourceMissing
from jurydesk.core.neural.weights import weight_loading
from jurydesk.core.neural.weights.weight_loading import load_tensors, matching_tensors
from support.suite.samples import sample_size
from support.tiny_models import torch_or_skip

torch = torch_or_skip()

TENSORS = {"a.weight": torch.arange(6.0).reshape(2, 3), "a.bias": torch.ones(2)}
SHAPES = {"a.weight": (2, 3), "a.bias": (2,)}


class Trap:
    """Content of a malicious file: unpickling it runs a program."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


def refusal(path) -> str:
    with pytest.raises(ResourceMissing) as refused:
        load_tensors(path)
    return str(refused.value)


def saved(path, content, **options):
    torch.save(content, path, **options)
    return path


def test_pytorch_files_are_read(tmp_path):
    found = load_tensors(saved(tmp_path / "a.pth", TENSORS))
    assert torch.equal(found["a.weight"], TENSORS["a.weight"])


def test_files_of_old_pytorch_are_read(tmp_path):
    path = saved(tmp_path / "a.bin", TENSORS, _use_new_zipfile_serialization=False)
    assert torch.equal(load_tensors(path)["a.bias"], TENSORS["a.bias"])


def test_safetensors_are_read(tmp_path):
    from safetensors.torch import save_file

    save_file(TENSORS, tmp_path / "a.safetensors")
    assert set(load_tensors(tmp_path / "a.safetensors")) == set(TENSORS)


def test_the_tensors_of_a_training_loop_are_unwrapped(tmp_path):
    wrapped = {"state_dict": {f"module.{name}": one for name, one in TENSORS.items()}, "epoch": 3}
    assert set(load_tensors(saved(tmp_path / "a.pt", wrapped))) == set(TENSORS)


@pytest.mark.parametrize("new", [True, False])
def test_a_pickle_that_would_run_a_program_is_refused_and_not_run(tmp_path, new):
    content = {"a.weight": Trap(tmp_path / "run")}
    path = saved(tmp_path / "a.bin", content, _use_new_zipfile_serialization=new)
    assert refusal(path) == (
        f"{path} holds a pickle that is more than tensors, and could run a program: it is not "
        "loaded. Convert it to safetensors where it was made, or ask for a file in that format."
    )
    assert not (tmp_path / "run").exists()


def test_a_bare_pickle_is_refused_and_not_run(tmp_path):
    path = tmp_path / "a.bin"
    path.write_bytes(pickle.dumps(Trap(tmp_path / "run"), protocol=2))
    assert "could run a program" in refusal(path)
    assert not (tmp_path / "run").exists()


def test_a_torchscript_program_is_refused(tmp_path):
    path = tmp_path / "a.pt"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.jit.save(torch.jit.script(torch.nn.Linear(2, 2)), path)
    assert refusal(path).startswith(f"{path} is a TorchScript program, not a file of weights")


def test_an_archive_of_more_members_than_the_limit_is_not_loaded(tmp_path, monkeypatch):
    path = saved(tmp_path / "a.pth", TENSORS)
    with zipfile.ZipFile(path) as archive:
        count = len(archive.namelist())
    monkeypatch.setattr(weight_loading, "MOST_STORAGES", count)
    assert load_tensors(path).keys() == TENSORS.keys()
    monkeypatch.setattr(weight_loading, "MOST_STORAGES", count - 1)
    assert refusal(path).startswith(f"{path} has more than {count - 1} members: it is not loaded.")


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.safetensors", b"no tensors"), ("a.pth", b""), ("a.pth", b"PK\x03\x04 cut off")],
)
def test_a_damaged_weights_file_is_reported(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    assert refusal(tmp_path / name).startswith(str(tmp_path / name))


def test_a_file_of_the_former_format_that_is_cut_anywhere_is_called_so(tmp_path):
    path = tmp_path / "a.pth"
    torch.save(TENSORS, path, _use_new_zipfile_serialization=False)
    content = path.read_bytes()
    assert set(load_tensors(path)) == set(TENSORS)
    for length in (2, *range(10, len(content), 37), len(content) - 1):
        path.write_bytes(content[:length])
        assert refusal(path) == f"{path} is cut off: its end is missing. Download it again."
    path.write_bytes(content + b"more")
    assert set(load_tensors(path)) == set(TENSORS)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ([1, 2], "holds no tensors by name."),
        ({}, "holds no tensors by name."),
        ({"a": torch.ones(1), "epoch": 3}, "holds more than tensors by name (epoch)."),
    ],
)
def test_a_file_of_another_kind_is_reported(tmp_path, content, sentence):
    assert sentence in refusal(saved(tmp_path / "a.pth", content))


def test_tensors_of_the_right_shape_are_float32(tmp_path):
    half = {name: tensor.half() for name, tensor in TENSORS.items()}
    assert matching_tensors(half, SHAPES, tmp_path)["a.bias"].dtype == torch.float32


@pytest.mark.parametrize(
    ("tensors", "sentence"),
    [
        ({"a.weight": torch.ones(2, 3)}, "1 tensors are missing (a.bias)"),
        ({**TENSORS, "b": torch.ones(1)}, "1 are not known (b)"),
        (
            {**TENSORS, "a.bias": torch.ones(3)},
            "the tensor a.bias has the shape 3, not 2: these are the weights of another network.",
        ),
    ],
)
def test_tensors_of_the_wrong_shape_are_reported(tmp_path, tensors, sentence):
    with pytest.raises(ResourceMissing) as refused:
        matching_tensors(tensors, SHAPES, tmp_path)
    assert sentence in str(refused.value)


def test_tensors_without_effect_on_numbers_are_allowed(tmp_path):
    counted = {**TENSORS, "a.num_batches_tracked": torch.tensor(3)}
    assert set(matching_tensors(counted, SHAPES, tmp_path, ("a.num_batches_tracked",))) == set(
        SHAPES
    )


@given(st.binary(max_size=60))
@settings(max_examples=sample_size(75, of=200))
def test_any_bytes_end_in_a_message(content):
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = Path(folder) / "a.pth"
        path.write_bytes(b"\x80\x02" + content)
        assert refusal(path).startswith(str(path))


@pytest.mark.parametrize("name", ["a.pth", "a.safetensors", "a.bin"])
@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty (0 bytes)."),
        (
            b"version https://git-lfs.github.com/spec/v1\noid sha256:4665\nsize 95628359\n",
            "is a Git LFS pointer, not the weights.",
        ),
        (b"\n<!DOCTYPE html><html><title>Quota exceeded</title>", "is a web page, not weights."),
        (b"Entry not found", "is text, not weights."),
        (b'{"error": "unauthorized"}', "is text, not weights."),
    ],
)
def test_what_a_download_left_in_place_of_weights_is_named(tmp_path, name, content, said):
    path = tmp_path / name
    path.write_bytes(content)
    assert refusal(path) == f"{path} {said} Download it again."


def test_bytes_that_are_no_pickle_are_not_called_one(tmp_path):
    path = tmp_path / "a.pth"
    path.write_bytes(b"\x7f\x01weights of another program")
    assert refusal(path) == f"{path} is not a valid file of PyTorch weights. Download it again."
