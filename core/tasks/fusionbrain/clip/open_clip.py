"""Loader of open_clip models from a folder with `open_clip_config.json` and weights.

The folder says how pictures are prepared; a bare file of weights does not, and is refused, since
wrong preparation would go unnoticed. What is built here is what open_clip makes of `local-dir:`,
without its loader, which could fetch parts of a network or unpickle a program.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from jurydesk.core.model.defects import name_list
from jurydesk.core.model.evaluation import ResourceMissing
from jurydesk.core.neural.weights.weight_loading import (
    load_tensors,
    matching_tensors,
    require_torch,
)
from jurydesk.core.tasks.fusionbrain.clip.clip_model import ClipModel, Pixels, Tokens

CONFIG = "open_clip_config.json"
LEGACY = ("input_resolution", "context_length", "vocab_size")
"""Numbers that files converted from OpenAI's own have among their tensors."""

LARGEST = {"layers": 1_000, "image_size": 10_000, "context_length": 10_000}
MOST = 10**7
"""What a size in the configuration may be: those of `LARGEST` cost time or memory by themselves,
the others are those of tensors, which the file of weights has to hold."""

OWN_NAME = re.compile(r"[\w.-]{1,100}")
"""A network that timm has itself; names with a colon or a slash say where to fetch one."""
TOKENIZER_SETTINGS = frozenset(("clean", "strip_sep_token", "language", "reduction_mask"))

Config = Mapping[str, Any]


def load_open_clip(folder: Path, weights: Path) -> ClipModel:
    """Return the model of a folder on the CPU; ResourceMissing where something does not fit."""
    require_torch("CLIP")
    config = read_config(folder / CONFIG)
    try:
        sketch = _network(config["model_cfg"], "meta")  # of no size, until the weights fit
        expected = {name: tuple(tensor.shape) for name, tensor in sketch.state_dict().items()}
        fitted = matching_tensors(load_tensors(weights), expected, weights, LEGACY)
        network = _network(config["model_cfg"], "cpu")
        tokens = _tokens(config["model_cfg"]["text_cfg"], folder)
        pixels = _pixels(config.get("preprocess_cfg", {}), network)
    except (TypeError, ValueError, KeyError, RuntimeError, OSError, AssertionError) as fault:
        raise ResourceMissing(f"{folder / CONFIG} describes no model: {fault}.") from fault
    network.load_state_dict(fitted, assign=True)
    return ClipModel(network.eval(), tokens, pixels)


def read_config(path: Path) -> Config:
    """Return the configuration; ResourceMissing where it is none, or would have files fetched."""
    try:
        config: Config = json.loads(path.read_text(encoding="utf-8"))
        text, vision = config["model_cfg"]["text_cfg"], config["model_cfg"]["vision_cfg"]
        outside = text.get("hf_model_name")
    except OSError as fault:
        raise ResourceMissing(f"{path} cannot be read: {fault.strerror}.") from fault
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as fault:
        raise ResourceMissing(
            f'{path} has no "model_cfg" with "text_cfg" and "vision_cfg": '
            "the configuration that open_clip writes is expected."
        ) from fault
    wrong = next(_beyond(config["model_cfg"]), "")
    if wrong:
        raise ResourceMissing(f"{path}: {wrong}, which no CLIP model has.")
    if outside:
        raise ResourceMissing(
            f"{path}: the text network is {outside} of Hugging Face, which would have to be "
            "fetched. Choose a model whose text network is open_clip's own."
        )
    name = vision.get("timm_model_name")
    if name is not None:
        if not (isinstance(name, str) and OWN_NAME.fullmatch(name)):
            raise ResourceMissing(
                f"{path}: the picture network {str(name)[:80]!r} is none of timm's own, and would "
                "have to be fetched."
            )
        vision["timm_model_pretrained"] = False
    unknown = sorted(set(text.get("tokenizer_kwargs") or ()) - TOKENIZER_SETTINGS)
    if unknown:
        raise ResourceMissing(
            f'{path}: "tokenizer_kwargs" has {name_list(unknown)}. Read are '
            f"{', '.join(sorted(TOKENIZER_SETTINGS))}: others could run a program of the folder."
        )
    return config


def _beyond(config: Any, name: str = "model_cfg") -> Iterator[str]:
    """Yield the sizes that would take all memory or time before any weight is looked at."""
    if isinstance(config, dict):
        for key, value in config.items():
            yield from _beyond(value, str(key))
    elif isinstance(config, list):
        for value in config:
            yield from _beyond(value, name)
    elif isinstance(config, int | float) and not abs(config) <= LARGEST.get(name, MOST):
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

    length, more = text.get("context_length", 77), text.get("tokenizer_kwargs") or {}
    tokenizer = (
        HFTokenizer(
            str(folder),
            length,
            tokenizer_mode=text.get("tokenizer_mode"),
            trust_remote_code=False,  # else a folder with a program of its own asks to run it
            local_files_only=True,
            **more,
        )
        if text.get("hf_tokenizer_name")
        else SimpleTokenizer(context_length=length, **more)
    )

    def tokens(caption: str) -> Sequence[Sequence[int]]:
        found: Sequence[Sequence[int]] = tokenizer([caption]).tolist()
        return found

    return tokens


def _pixels(preparation: Config, network: Any) -> Pixels:
    from open_clip.transform import PreprocessCfg, image_transform_v2

    size = getattr(network.visual, "image_size", None)
    settings = {**preparation, **({"size": size} if size else {})}
    transform = image_transform_v2(PreprocessCfg(**settings), is_train=False)

    def pixels(image: Any) -> Any:
        return np.asarray(transform(image))

    return pixels
