"""A CLIP model that open_clip knows, from a folder with `open_clip_config.json` and weights.

The folder says how pictures are prepared; a bare file of weights does not, and is refused, since
wrong preparation would go unnoticed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from core.model import ResourceMissing
from core.run.weights_loading import fitting, load_tensors, require_torch
from core.tasks.fusionbrain.clip_model import ClipModel

CONFIG = "open_clip_config.json"


def load_open_clip(folder: Path, weights: Path) -> ClipModel:
    """The model of a folder on the CPU; ResourceMissing where something does not fit."""
    require_torch("CLIP")
    _check(folder / CONFIG)
    import open_clip
    from open_clip.transform import PreprocessCfg, image_transform_v2

    source = f"local-dir:{folder}"
    try:
        network = open_clip.create_model(source, load_weights=False, pretrained_text=False)
        tokenizer = open_clip.get_tokenizer(source)
    except (TypeError, ValueError, RuntimeError, OSError, AssertionError) as fault:
        raise ResourceMissing(f"{folder / CONFIG} describes no model: {fault}.") from fault
    expected = {name: tuple(tensor.shape) for name, tensor in network.state_dict().items()}
    tensors = fitting(load_tensors(weights), expected, weights, LEGACY)
    network.load_state_dict(tensors, assign=True)
    transform = image_transform_v2(PreprocessCfg(**network.visual.preprocess_cfg), is_train=False)

    def tokens(caption: str) -> Sequence[Sequence[int]]:
        found: Sequence[Sequence[int]] = tokenizer([caption]).tolist()
        return found

    def pixels(image: Any) -> Any:
        return np.asarray(transform(image))

    return ClipModel(network.eval(), tokens, pixels)


LEGACY = ("input_resolution", "context_length", "vocab_size")
"""Numbers that files converted from OpenAI's own have among their tensors."""


def _check(path: Path) -> None:
    """ResourceMissing where the configuration is none, or would have files fetched."""
    try:
        config = json.loads(path.read_text(encoding="utf-8"))
        text = config["model_cfg"]["text_cfg"]
    except (ValueError, TypeError, KeyError) as fault:
        raise ResourceMissing(
            f'{path} has no "model_cfg" with a "text_cfg": open_clip writes such a file.'
        ) from fault
    if "hf_model_name" in text:
        raise ResourceMissing(
            f"{path}: the text network is {text['hf_model_name']} of Hugging Face, which would "
            "have to be fetched. Choose a model with a text network of open_clip."
        )
