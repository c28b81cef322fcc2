"""DINOv2: image network and preprocessing of a Hugging Face folder.

Its feature of a picture is the normalized class token of the last layer, for the Frechet distance.
Source: Oquab et al. 2023; Stein et al. 2023 (dgm-eval, models/dinov2.py): 224 x 224, bicubic.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from jurydesk.core.language import failure_reason, fill
from jurydesk.core.model.evaluation import ResourceMissing
from jurydesk.core.neural.clip.clip_model import ClipModel
from jurydesk.core.neural.weights.hub_networks import load_hub_network
from jurydesk.core.neural.weights.weight_loading import require_torch

KIND = "dinov2"
SIDE = 224
MEAN, STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)  # ImageNet's
UNUSED = "embeddings.mask_token"
"""Tensor of training, which pictures without a mask do not need."""


def load_dino(folder: Path, weights: Path) -> ClipModel:
    """Load the network of a folder on the CPU; raise ResourceMissing if a file does not fit."""
    require_torch("DINOv2")
    try:
        network = _network(_settings(folder / "config.json"), weights)
    except ResourceMissing:
        raise
    except Exception as fault:  # transformers' checks of settings may raise anything
        reason = " ".join(str(fault).split()).rstrip(".") or type(fault).__name__
        raise ResourceMissing(
            fill("{folder}: the settings are invalid for DINOv2: {reason}.", folder, reason)
        ) from fault
    return ClipModel(network, _no_tokens, _pixels)


def _network(settings: dict[str, Any], weights: Path) -> Any:
    import torch
    from transformers import Dinov2Config, Dinov2Model

    class PictureEncoder(torch.nn.Module):  # type: ignore[misc]
        """Network with the method of CLIP's image encoders."""

        def __init__(self, network: Any) -> None:
            super().__init__()
            self.network = network

        def encode_image(self, pictures: Any) -> Any:
            """Return the features (n, width) of pictures (n, 3, height, width)."""
            return self.network(pixel_values=pictures).pooler_output

    config = Dinov2Config(**settings)
    return PictureEncoder(load_hub_network(Dinov2Model, config, weights, UNUSED)).eval()


def _settings(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as fault:
        raise ResourceMissing(
            fill("{path} cannot be read: {strerror}.", path, failure_reason(fault))
        ) from fault
    except (ValueError, RecursionError) as fault:
        raise ResourceMissing(fill("{path} is not valid JSON.", path)) from fault
    if not isinstance(found, dict) or found.get("model_type") != KIND:
        raise ResourceMissing(fill("{path} does not describe a DINOv2 model.", path))
    return found


def _no_tokens(caption: str) -> Sequence[Sequence[int]]:
    raise TypeError("DINOv2 has no encoder of texts")


def _pixels(image: Any) -> Any:
    """Return an RGB image, squeezed to a square by Pillow's bicubic filter, as (3, side, side)."""
    from PIL.Image import Resampling

    squeezed = image.convert("RGB").resize((SIDE, SIDE), Resampling.BICUBIC)
    values = np.array(squeezed, dtype=np.float32).transpose(2, 0, 1) / np.float32(255)
    mean, std = (np.array(one, np.float32)[:, None, None] for one in (MEAN, STD))
    return (values - mean) / std
