"""Image preprocessing presets of the Fréchet Inception distance.

Published programs resize differently, which affects the distance more than most models differ.
Sources: Heusel et al. 2017; pytorch-fid 0.3.0; clean-fid 0.1.35; FusionBrain Challenge 2.0,
metrics/fid.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from jurydesk.core.metrics.fid.inception_network import Inception
from jurydesk.core.metrics.fid.inception_weights import SIDE

_ENDINGS = frozenset(
    (".bmp", ".jpg", ".jpeg", ".pgm", ".png", ".ppm", ".tif", ".tiff", ".webp"),
)
FUSIONBRAIN_SIDE = 256  # FusionBrain first resizes to this square, for any aspect ratio


@dataclass(frozen=True, slots=True)
class Preset:
    """Choice and preprocessing of pictures, named after the program whose rules these are.

    `prepare` returns an array (height, width, 3) of a picture in RGB, of the same size for all;
    `scale` converts a tensor (n, 3, height, width) of these to the network's input. `endings` are
    the suffixes of the files that are read, and `is_recursive` whether folders within the folder
    are searched, but for hidden ones.
    """

    id: str
    summary: str
    prepare: Callable[[Any], Any]
    scale: Callable[[Any], Any]
    endings: frozenset[str]
    is_recursive: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Extractor:
    """Feature extractor (n, dims) of prepared pictures (n, height, width, 3)."""

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
    """Scale bytes to [-1, 1] and resize to the network's input without smoothing."""
    from torch.nn import functional

    size = (SIDE, SIDE)
    return (
        2 * functional.interpolate(pictures / 255, size, mode="bilinear", align_corners=False) - 1
    )


def _resize_bilinear(image: Any) -> Any:
    """Resize a picture to the network's input by PyTorch's bilinear interpolation."""
    import torch
    from torch.nn import functional

    picture = torch.from_numpy(np.array(image)).permute(2, 0, 1)[None].float() / 255
    size = (SIDE, SIDE)
    resized = functional.interpolate(picture, size, mode="bilinear", align_corners=False)
    return resized[0].permute(1, 2, 0).numpy()


def _scale_symmetric(pictures: Any) -> Any:
    return 2 * pictures - 1


def _resize_bicubic(image: Any) -> Any:
    """Resize each channel by Pillow's bicubic filter in float32, clipped to [0, 255]."""
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
            "fusionbrain",
            "256 x 256 with smoothing, then 299 without.",
            _resize_square,
            _upsample,
            _ENDINGS | {".JPG", ".JPEG"},
        ),
        Preset(
            "pytorch-fid",
            "299 x 299 without smoothing.",
            _resize_bilinear,
            _scale_symmetric,
            _ENDINGS,
        ),
        Preset(
            "clean",
            "299 x 299 by Pillow's bicubic filter in floats.",
            _resize_bicubic,
            _scale_centered,
            _ENDINGS | {".JPG", ".JPEG", ".PNG", ".npy"},
            is_recursive=True,
        ),
    )
}

OWN = Preset(
    "own",
    "As the network's own program prepares pictures.",
    _resize_square,
    _scale_centered,
    _ENDINGS | {ending.upper() for ending in _ENDINGS},
)
"""Choice of pictures for networks with their own preprocessing, which replaces this one."""
