"""Loader of open_clip models from a folder with `open_clip_config.json` and weights.

A file of weights without the configuration is refused: wrong image preprocessing would go
unnoticed. The model equals open_clip's `local-dir:` without its loader, which could download
parts of a network or unpickle code.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from jurydesk.core.language import Message, failure_reason, fill, name_list
from jurydesk.core.model.evaluation import ResourceMissing
from jurydesk.core.neural.clip.clip_model import ClipModel, Pixels, Tokens
from jurydesk.core.neural.weights.weight_loading import (
    load_tensors,
    matching_tensors,
    require_torch,
)

CONFIG = "open_clip_config.json"
LEGACY = ("input_resolution", "context_length", "vocab_size")
"""Numbers among the tensors of files converted from OpenAI's."""

LIMITS = {"layers": 1_000, "image_size": 10_000, "context_length": 10_000}
"""Maxima of sizes that cost time or memory before the weights are compared."""
MAX_SIZE = 10**7
"""Maximum of other sizes, which are those of tensors in the file of weights."""

TIMM_NAME = re.compile(r"[\w.-]{1,100}")
"""A network of timm; names with a colon or a slash are downloads."""
TOKENIZER_SETTINGS = frozenset(("clean", "strip_sep_token", "language", "reduction_mask"))

Config = Mapping[str, Any]


def load_open_clip(folder: Path, weights: Path) -> ClipModel:
    """Load the model of a folder on the CPU; raise ResourceMissing if a file does not fit."""
    require_torch("CLIP")
    config = read_config(folder / CONFIG)
    try:
        skeleton = _network(config["model_cfg"], "meta")  # no memory until the weights fit
        expected = {name: tuple(tensor.shape) for name, tensor in skeleton.state_dict().items()}
        fitted = matching_tensors(load_tensors(weights), expected, weights, LEGACY)
        network = _network(config["model_cfg"], "cpu")
        tokens = _tokens(config["model_cfg"]["text_cfg"], folder)
        pixels = _pixels(config.get("preprocess_cfg", {}), network)
    except (TypeError, ValueError, KeyError, RuntimeError, OSError, AssertionError) as fault:
        raise ResourceMissing(
            fill("{value} is not a valid model: {fault}.", folder / CONFIG, Message(str(fault)))
        ) from fault
    network.load_state_dict(fitted, assign=True)
    return ClipModel(network.eval(), tokens, pixels)


def read_config(path: Path) -> Config:
    """Read the configuration; raise ResourceMissing if it is invalid or needs a download."""
    try:
        config: Config = json.loads(path.read_text(encoding="utf-8"))
        text, vision = config["model_cfg"]["text_cfg"], config["model_cfg"]["vision_cfg"]
        remote = text.get("hf_model_name")
    except OSError as fault:
        raise ResourceMissing(
            fill("{path} cannot be read: {strerror}.", path, failure_reason(fault))
        ) from fault
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as fault:
        raise ResourceMissing(
            fill(
                '{path} has no "model_cfg" with "text_cfg" and "vision_cfg": a configuration '
                "written by open_clip is expected.",
                path,
            )
        ) from fault
    oversized = next(_oversized_values(config["model_cfg"]), "")
    if oversized:
        raise ResourceMissing(
            fill("{path}: {oversized}, too large for a CLIP model.", path, oversized)
        )
    if remote:
        raise ResourceMissing(
            fill(
                "{path}: the text network {remote} is on Hugging Face and cannot be "
                "downloaded. Choose a model with a text network of open_clip.",
                path,
                remote,
            )
        )
    name = vision.get("timm_model_name")
    if name is not None:
        if not (isinstance(name, str) and TIMM_NAME.fullmatch(name)):
            raise ResourceMissing(
                fill(
                    "{path}: the image network {name} is not part of timm and cannot be "
                    "downloaded.",
                    path,
                    repr(str(name)[:80]),
                )
            )
        vision["timm_model_pretrained"] = False
    unknown = sorted(set(text.get("tokenizer_kwargs") or ()) - TOKENIZER_SETTINGS)
    if unknown:
        raise ResourceMissing(
            fill(
                '{path}: "tokenizer_kwargs" has {name_list}. Allowed are {join}: others '
                "could run code of the folder.",
                path,
                name_list(unknown),
                ", ".join(sorted(TOKENIZER_SETTINGS)),
            )
        )
    return config


def _oversized_values(config: Any, name: str = "model_cfg") -> Iterator[str]:
    """Yield the sizes that would exhaust memory or time before the weights are compared."""
    if isinstance(config, dict):
        for key, value in config.items():
            yield from _oversized_values(value, str(key))
    elif isinstance(config, list):
        for value in config:
            yield from _oversized_values(value, name)
    elif isinstance(config, int | float) and not abs(config) <= LIMITS.get(name, MAX_SIZE):
        yield f'"{name}" is {config}'


def _network(config: Config, device: str) -> Any:
    import torch
    from open_clip import CLIP, CoCa, CustomTextCLIP

    sizes = {name: value for name, value in config.items() if name != "custom_text"}
    with torch.device(device):
        if not config.get("custom_text"):
            return CLIP(**sizes)
        return CoCa(**sizes) if "multimodal_cfg" in sizes else CustomTextCLIP(**sizes)


def _tokens(text: Config, folder: Path) -> Tokens:
    from open_clip.tokenizer import HFTokenizer, SimpleTokenizer

    length, settings = text.get("context_length", 77), text.get("tokenizer_kwargs") or {}
    tokenizer = (
        HFTokenizer(
            str(folder),
            length,
            tokenizer_mode=text.get("tokenizer_mode"),
            trust_remote_code=False,  # otherwise it asks to run code of the folder
            local_files_only=True,
            **settings,
        )
        if text.get("hf_tokenizer_name")
        else SimpleTokenizer(context_length=length, **settings)
    )

    def tokens(caption: str) -> Sequence[Sequence[int]]:
        ids: Sequence[Sequence[int]] = tokenizer([caption]).tolist()
        return ids

    return tokens


def _pixels(preprocessing: Config, network: Any) -> Pixels:
    from open_clip.transform import PreprocessCfg, image_transform_v2

    size = getattr(network.visual, "image_size", None)
    settings = {**preprocessing, **({"size": size} if size else {})}
    transform = image_transform_v2(PreprocessCfg(**settings), is_train=False)

    def pixels(image: Any) -> Any:
        return np.asarray(transform(image))

    return pixels
