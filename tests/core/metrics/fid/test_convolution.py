from __future__ import annotations

import pytest

from jurydesk.core.metrics.fid.inception_network import (
    PackedConvolution,
    TorchConvolution,
    can_pack,
    convolution,
)
from support.tiny_models import torch_or_skip

torch = torch_or_skip()


@pytest.mark.parametrize(("stride", "padding"), [(1, (0, 0)), (2, (1, 1)), (1, (0, 3))])
def test_both_implementations_give_the_same_result(stride, padding):
    if not can_pack():
        pytest.skip("this PyTorch has no oneDNN")
    random = torch.Generator().manual_seed(0)
    maps = torch.randn(3, 8, 9, 9, generator=random)
    weight, bias = torch.randn(16, 8, 3, 3, generator=random), torch.randn(16, generator=random)
    quick = convolution(weight, bias, stride, padding, "cpu")
    assert isinstance(quick, PackedConvolution)
    plain = TorchConvolution(weight, bias, stride, padding)
    for batch in (maps, maps[:1]):
        assert torch.allclose(quick(batch), plain(batch), atol=1e-4)


def test_a_pytorch_without_the_functions_uses_the_ordinary_implementation(monkeypatch):
    monkeypatch.setattr(
        PackedConvolution, "__call__", lambda self, maps: torch.ops.mkldnn.gone(maps)
    )
    can_pack.cache_clear()
    assert isinstance(
        convolution(torch.ones(1, 1, 1, 1), torch.ones(1), 1, (0, 0), "cpu"), TorchConvolution
    )
    monkeypatch.undo()
    can_pack.cache_clear()
