"""The Frechet Inception distance: how pictures are brought to the network.

Published programs differ in how they resize, which moves the distance more than most models
differ. A preset names one way. Sources: Heusel et al. 2017; pytorch-fid 0.3.0; FusionBrain
Challenge 2.0, metrics/fid.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from jurydesk.core.metrics.fid.inception_network import Inception
from jurydesk.core.metrics.fid.inception_weights import SIDE

FUSIONBRAIN_SIDE = 256  # FusionBrain resizes to this square first, whatever the picture's shape


@dataclass(frozen=True, slots=True)
class Preset:
    """One way to bring pictures to the network, named after the program that has it.

    `prepare` makes an array (height, width, 3) of a picture in RGB, the same size for all;
    `scale` turns such arrays, as a tensor (n, 3, height, width), into what the network takes.
    """

    id: str
    summary: str
    prepare: Callable[[Any], Any]
    scale: Callable[[Any], Any]


@dataclass(frozen=True, slots=True, eq=False)
class Extractor:
    """A preset and the network: features (n, dims) of prepared pictures (n, height, width, 3)."""

    preset: Preset
    network: Inception

    def __call__(self, batch: Any) -> Any:
        """Return the features of a batch, on the CPU."""
        pictures = batch.to(self.network.device).permute(0, 3, 1, 2)
        return self.network(self.preset.scale(pictures.float()))

    def to(self, device: str) -> Extractor:
        """Return the same on another device."""
        return Extractor(self.preset, self.network.to(device))


def _resize_square(image: Any) -> Any:
    from PIL.Image import Resampling

    side = (FUSIONBRAIN_SIDE, FUSIONBRAIN_SIDE)
    return np.array(image.resize(side, Resampling.BILINEAR))


def _upsample(pictures: Any) -> Any:
    """Bytes within -1 and 1, at the network's size, without smoothing."""
    from torch.nn import functional

    size = (SIDE, SIDE)
    return (
        2 * functional.interpolate(pictures / 255, size, mode="bilinear", align_corners=False) - 1
    )


def _resize_bilinear(image: Any) -> Any:
    """Return a picture of any size at the network's, as the network itself would resize it."""
    import torch
    from torch.nn import functional

    picture = torch.from_numpy(np.array(image)).permute(2, 0, 1)[None].float() / 255
    size = (SIDE, SIDE)
    resized = functional.interpolate(picture, size, mode="bilinear", align_corners=False)
    return resized[0].permute(1, 2, 0).numpy()


def _scale_symmetric(pictures: Any) -> Any:
    return 2 * pictures - 1


def _resize_bicubic(image: Any) -> Any:
    """Every colour resized by Pillow's bicubic filter in float32, clipped to the range of bytes."""
    from PIL.Image import Resampling, fromarray

    colours = np.array(image, dtype=np.float32)
    resized: list[Any] = [
        fromarray(colours[:, :, colour]).resize((SIDE, SIDE), Resampling.BICUBIC)
        for colour in range(3)
    ]
    return np.stack(resized, axis=-1).clip(0, 255)


def _scale_centered(pictures: Any) -> Any:
    return (pictures - 128) / 128


PRESETS = {
    preset.id: preset
    for preset in (
        Preset(
            "fusionbrain", "256 x 256 with smoothing, then 299 without.", _resize_square, _upsample
        ),
        Preset("pytorch-fid", "299 x 299 without smoothing.", _resize_bilinear, _scale_symmetric),
        Preset(
            "clean",
            "299 x 299 by Pillow's bicubic filter in floats.",
            _resize_bicubic,
            _scale_centered,
        ),
    )
}
