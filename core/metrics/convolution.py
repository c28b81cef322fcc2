"""A convolution with bias and rectifier, by the quickest means that the device has.

Intel's oneDNN, which PyTorch has on most processors, can lay the weights out in its own order once
instead of at every call, and rectify as it writes. PyTorch's compiler uses the same two functions;
they are not promised to stay, so they are tried first, and the ordinary way is taken without them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol


class Convolution(Protocol):
    """What turns maps (n, inputs, height, width) into rectified maps."""

    def __call__(self, maps: Any) -> Any:
        """The maps of the next layer."""


@dataclass(frozen=True, slots=True, eq=False)
class Ordinary:
    """The convolution of every device."""

    weight: Any
    bias: Any
    stride: int
    padding: tuple[int, int]

    def __call__(self, maps: Any) -> Any:
        """Convolve, then rectify in place."""
        from torch.nn.functional import conv2d

        return conv2d(maps, self.weight, self.bias, self.stride, self.padding).relu_()


class Packed:
    """The convolution of oneDNN; the weights are laid out for the first maps that come."""

    def __init__(self, ordinary: Ordinary) -> None:
        self._plain = ordinary
        self._weight: Any = None

    def __call__(self, maps: Any) -> Any:
        """Convolve and rectify in one pass."""
        import torch

        layout = (list(self._plain.padding), [self._plain.stride] * 2, [1, 1], 1)
        if self._weight is None:
            reorder: Any = torch._C._nn.mkldnn_reorder_conv2d_weight
            self._weight = reorder(self._plain.weight.to_mkldnn(), *layout, list(maps.shape))
        convolve = torch.ops.mkldnn._convolution_pointwise
        return convolve(maps, self._weight, self._plain.bias, *layout, "relu", [], "")


def convolution(
    weight: Any, bias: Any, stride: int, padding: tuple[int, int], device: str
) -> Convolution:
    """The convolution with these tensors on a device, `weight` as (outputs, inputs, h, w)."""
    import torch

    last = weight.to(device).contiguous(memory_format=torch.channels_last)
    ordinary = Ordinary(last, bias.to(device), stride, padding)
    return Packed(ordinary) if device == "cpu" and can_pack() else ordinary


@cache
def can_pack() -> bool:
    """Whether oneDNN's functions are there and do what they should."""
    import torch

    engine: Any = torch.backends.mkldnn
    if not engine.is_available():
        return False
    maps = torch.linspace(-1, 1, 2 * 3 * 5 * 5).reshape(2, 3, 5, 5)
    weight = torch.linspace(-1, 1, 4 * 3 * 3 * 3).reshape(4, 3, 3, 3)
    ordinary = Ordinary(weight, torch.linspace(-1, 1, 4), 2, (1, 0))
    try:
        with torch.inference_mode():
            return bool(torch.allclose(Packed(ordinary)(maps), ordinary(maps), atol=1e-5))
    except (AttributeError, RuntimeError, TypeError):
        return False
