"""Inception-v3 network of the Fréchet distance, executed from its table of layers.

Batch normalization is folded into the weights of the convolutions, which saves a pass over memory
for each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Protocol

from jurydesk.core.metrics.fid.inception_weights import (
    DIMS,
    STAGES,
    Conv,
    Fork,
    Path,
    Pool,
    Step,
    convolutions,
)


class Convolution(Protocol):
    """Convolution with ReLU of maps (n, inputs, height, width)."""

    def __call__(self, maps: Any) -> Any:
        """Return the maps of the next layer."""


@dataclass(frozen=True, slots=True, eq=False)
class TorchConvolution:
    """PyTorch's convolution, for any device."""

    weight: Any
    bias: Any
    stride: int
    padding: tuple[int, int]

    def __call__(self, maps: Any) -> Any:
        """Return the convolved maps, with ReLU in place."""
        from torch.nn.functional import conv2d

        return conv2d(maps, self.weight, self.bias, self.stride, self.padding).relu_()


class PackedConvolution:
    """oneDNN's convolution, whose weights are reordered for the first maps."""

    def __init__(self, ordinary: TorchConvolution) -> None:
        self._plain = ordinary
        self._weight: Any = None

    def __call__(self, maps: Any) -> Any:
        """Return the convolved maps, with ReLU in the same pass."""
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
    """Return the convolution of a device; `weight` is (outputs, inputs, h, w)."""
    import torch

    last = weight.to(device).contiguous(memory_format=torch.channels_last)
    ordinary = TorchConvolution(last, bias.to(device), stride, padding)
    return PackedConvolution(ordinary) if device == "cpu" and can_pack() else ordinary


@cache
def can_pack() -> bool:
    """Return whether oneDNN's functions are available and correct."""
    import torch

    engine: Any = torch.backends.mkldnn
    if not engine.is_available():
        return False
    maps = torch.linspace(-1, 1, 2 * 3 * 5 * 5).reshape(2, 3, 5, 5)
    weight = torch.linspace(-1, 1, 4 * 3 * 3 * 3).reshape(4, 3, 3, 3)
    ordinary = TorchConvolution(weight, torch.linspace(-1, 1, 4), 2, (1, 0))
    try:
        with torch.inference_mode():
            return bool(
                torch.allclose(PackedConvolution(ordinary)(maps), ordinary(maps), atol=1e-5)
            )
    except (AttributeError, RuntimeError, TypeError):
        return False


EPSILON = 1e-3
"""Epsilon of the batch normalizations."""


@dataclass(frozen=True, slots=True, eq=False)
class Inception:
    """Network on one device, up to the features of `dims` dimensions.

    `tensors` holds the fused weight and bias of every convolution by name, `layers` the
    convolutions.
    """

    tensors: Mapping[str, tuple[Any, Any]] = field(repr=False)
    layers: Mapping[str, Convolution] = field(repr=False)
    device: str = "cpu"
    dims: int = DIMS[-1]

    def __call__(self, pictures: Any) -> Any:
        """Return features (n, dims) on the CPU of pictures (n, 3, 299, 299), float32 in [-1, 1].

        A feature is the mean of its map over the picture.
        """
        import torch

        with torch.inference_mode():
            maps = pictures.to(self.device).contiguous(memory_format=torch.channels_last)
            for stage in STAGES[: DIMS.index(self.dims) + 1]:
                maps = self._follow(stage, maps)
            return maps.mean(dim=(2, 3)).cpu()

    def to(self, device: str) -> Inception:
        """Return the same network on another device."""
        return _build_network(self.tensors, device, self.dims)

    def _follow(self, path: Path, maps: Any) -> Any:
        for step in path:
            maps = self._run_step(step, maps)
        return maps

    def _run_step(self, step: Step, maps: Any) -> Any:
        import torch
        from torch.nn import functional

        match step:
            case Conv(name=name):
                return self.layers[name](maps)
            case Pool(kind="max"):
                return functional.max_pool2d(maps, 3, step.stride, step.padding)
            case Pool():
                return functional.avg_pool2d(
                    maps, 3, step.stride, step.padding, count_include_pad=False
                )
            case Fork(paths=paths):
                return torch.cat([self._follow(path, maps) for path in paths], 1)


def build_inception(
    weights: Mapping[str, Any], device: str = "cpu", dims: int = DIMS[-1]
) -> Inception:
    """Return the network with these tensors by name (see `shapes`) on a device.

    `dims` is the number of features: 64, 192, 768 or 2048.
    """
    tensors = {conv.name: _fuse_normalization(weights, conv.name) for conv in convolutions()}
    return _build_network(tensors, device, dims)


def _build_network(tensors: Mapping[str, tuple[Any, Any]], device: str, dims: int) -> Inception:
    layers = {
        conv.name: convolution(*tensors[conv.name], conv.stride, conv.padding, device)
        for conv in convolutions()
    }
    return Inception(tensors, layers, device, dims)


def _fuse_normalization(weights: Mapping[str, Any], name: str) -> tuple[Any, Any]:
    """Return weight and bias of a convolution with its batch normalization, fused in float64."""
    norm = {
        part: weights[f"{name}.bn.{part}"].double()
        for part in ("weight", "bias", "running_mean", "running_var")
    }
    scale = norm["weight"] / (norm["running_var"] + EPSILON).sqrt()
    weight = weights[f"{name}.conv.weight"].double() * scale[:, None, None, None]
    return weight.float(), (norm["bias"] - norm["running_mean"] * scale).float()
