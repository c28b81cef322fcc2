from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from jurydesk.core.model.evaluation import ResourceMissing
from jurydesk.core.neural.weights.random_weights import WORD, random_tensor
from jurydesk.core.neural.weights.weight_roles import find_weights, require_weights
from support.tiny_models import torch_or_skip

ASKED = {role: Path(WORD) for role in ("ruclip", "clip", "inception", "bert")}


@pytest.fixture
def home(monkeypatch, tmp_path):
    monkeypatch.setenv("JURYDESK_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.mark.parametrize("role", ["ruclip", "clip"])
def test_random_weights_are_made_once_and_only_on_request(role, home):
    torch_or_skip()
    assert find_weights(role, {}).found is None
    found = require_weights(role, ASKED)
    made = {file: file.stat().st_mtime_ns for file in found.files}
    assert home / "cache" in found.path.parents
    assert require_weights(role, ASKED) == found
    assert {file: file.stat().st_mtime_ns for file in found.files} == made
    assert find_weights(role, {}).found is None


def test_incomplete_random_weights_are_made_again(home):
    torch_or_skip()
    found = require_weights("ruclip", ASKED)
    (found.path / "made").unlink()
    found.files[-1].write_bytes(b"half")
    assert len(require_weights("ruclip", ASKED).files[-1].read_bytes()) > 1000


def test_a_role_without_random_weights_is_reported():
    with pytest.raises(ResourceMissing) as missing:
        require_weights("bert", ASKED)
    assert str(missing.value) == (
        "--weights bert=random-numbers: there are none for BERT, only for inception, ruclip, clip."
    )


def test_random_weights_need_pytorch(home, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ResourceMissing) as missing:
        require_weights("ruclip", ASKED)
    assert str(missing.value) == (
        "--weights ruclip=random-numbers: Making models with random weights needs PyTorch, which "
        "is not installed: pip install 'jurydesk[neural]'."
    )


def test_each_tensor_is_drawn_by_its_name():
    first = random_tensor("visual.conv1.weight", (64, 3, 16, 16))
    assert first.dtype == "float32"
    assert (first == random_tensor("visual.conv1.weight", (64, 3, 16, 16))).all()
    assert first[0, 0, 0, 0] != random_tensor("visual.proj", (64, 16))[0, 0]


def test_random_layers_keep_the_scale_of_their_inputs():
    for shape in [(64, 100), (64, 25, 2, 2)]:
        drawn = random_tensor("fc.weight", shape)
        assert drawn.dtype == np.float32
        assert drawn.std() == pytest.approx((2 / 100) ** 0.5, rel=0.05)
    assert random_tensor("scale", ()).shape == ()
