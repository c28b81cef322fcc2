from __future__ import annotations

import sys

import pytest

from jurydesk.core.model.evaluation import ResourceMissing
from jurydesk.core.neural.weights.weight_loading import require_torch_installed
from jurydesk.core.system.extras import install_hint


def test_the_message_contains_the_command_that_installs():
    assert install_hint("neural") == "pip install 'jurydesk[neural]'"


def test_a_package_names_the_other_package(monkeypatch):
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert "desk-neural" in install_hint("neural")
    assert "pip" not in install_hint("neural")


def test_a_metric_without_pytorch_explains_what_to_do(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ResourceMissing, match=r"^The CLIP score needs PyTorch.*pip install"):
        require_torch_installed("The CLIP score")
