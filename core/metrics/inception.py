"""The loop that runs the Inception-v3 network of the Frechet distance, as its table says.

Every convolution carries its batch normalisation within its weights, which saves a pass over the
memory for each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.metrics.convolution import Convolution, convolution
from core.metrics.inception_table import DIMS, STAGES, Conv, Fork, Path, Pool, Step, convolutions

EPSILON = 1e-3
"""Of every batch normalisation."""


@dataclass(frozen=True, slots=True, eq=False)
class Inception:
    """The network on one device, up to the features of `dims` dimensions.

    `tensors` holds the fused weight and bias of every convolution by its name, `layers` the
    convolutions themselves.
    """

    tensors: Mapping[str, tuple[Any, Any]] = field(repr=False)
    layers: Mapping[str, Convolution] = field(repr=False)
    device: str = "cpu"
    dims: int = DIMS[-1]

    def __call__(self, pictures: Any) -> Any:
        """Features (n, dims) of pictures (n, 3, 299, 299), float32 within -1 and 1, on the CPU.

        A feature is the mean of its map over the picture.
        """
        import torch

        with torch.inference_mode():
            maps = pictures.to(self.device).contiguous(memory_format=torch.channels_last)
            for stage in STAGES[: DIMS.index(self.dims) + 1]:
                maps = self._follow(stage, maps)
            return maps.mean(dim=(2, 3)).cpu()

    def to(self, device: str) -> Inception:
        """The same network on another device."""
        return _built(self.tensors, device, self.dims)

    def _follow(self, path: Path, maps: Any) -> Any:
        for step in path:
            maps = self._take(step, maps)
        return maps

    def _take(self, step: Step, maps: Any) -> Any:
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


def inception(weights: Mapping[str, Any], device: str = "cpu", dims: int = DIMS[-1]) -> Inception:
    """The network with these tensors by name and of these `shapes`, ready on a device.

    `dims` is the width of its features: 64, 192, 768 or 2048.
    """
    tensors = {conv.name: _fused(weights, conv.name) for conv in convolutions()}
    return _built(tensors, device, dims)


def _built(tensors: Mapping[str, tuple[Any, Any]], device: str, dims: int) -> Inception:
    layers = {
        conv.name: convolution(*tensors[conv.name], conv.stride, conv.padding, device)
        for conv in convolutions()
    }
    return Inception(tensors, layers, device, dims)


def _fused(weights: Mapping[str, Any], name: str) -> tuple[Any, Any]:
    """Weight and bias of a convolution with its batch normalisation, fused in float64."""
    norm = {
        part: weights[f"{name}.bn.{part}"].double()
        for part in ("weight", "bias", "running_mean", "running_var")
    }
    scale = norm["weight"] / (norm["running_var"] + EPSILON).sqrt()
    weight = weights[f"{name}.conv.weight"].double() * scale[:, None, None, None]
    return weight.float(), (norm["bias"] - norm["running_mean"] * scale).float()
