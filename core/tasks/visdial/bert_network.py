"""BERT's encoder from a Hugging Face folder, or from a TensorFlow checkpoint with its settings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from core.model import ResourceMissing
from core.run.weights_loading import Tensors, fitting, load_tensors
from core.tasks.visdial.tf_checkpoint import CheckpointError, read_tensors

CHECKPOINT = "bert_model.ckpt"
WEIGHTS = ("model.safetensors", "pytorch_model.bin")
UNUSED = ("pooler.", "cls.", "embeddings.position_ids", "embeddings.token_type_ids")
"""Beginnings of names that the vectors are made without."""
LAYER = "encoder.layer."
LAYERS = 12
"""The layers of a model whose settings do not say."""
RENAMED = {"kernel": "weight", "gamma": "weight", "beta": "bias"}
"""The ends of names in TensorFlow, and what PyTorch says instead."""


def encoder(folder: Path) -> Any:
    """The network of a folder, on the CPU. Raises ResourceMissing with a sentence."""
    if (folder / f"{CHECKPOINT}.index").is_file():
        source, settings = folder / CHECKPOINT, folder / "bert_config.json"
        tensors = _from_checkpoint(source)
    else:
        settings = folder / "config.json"
        source = next((folder / name for name in WEIGHTS if (folder / name).is_file()), folder)
        if source == folder:
            named = " nor ".join((", ".join(WEIGHTS), f"{CHECKPOINT}.index"))
            raise ResourceMissing(f"{folder} has neither {named}.")
        tensors = {own_name(name): tensor for name, tensor in load_tensors(source).items()}
    wanted = {name: one for name, one in tensors.items() if not name.startswith(UNUSED)}
    return _filled(_settings(settings), wanted, source)


def _filled(settings: dict[str, Any], tensors: Tensors, source: Path) -> Any:
    import torch
    from transformers import BertConfig, BertModel

    layers = {name.split(".")[2] for name in tensors if name.startswith(LAYER)}
    said = settings.get("num_hidden_layers", LAYERS)
    if len(layers) != said:
        raise ResourceMissing(f"{source} has {len(layers)} layers, its settings say {said}.")
    try:
        with torch.device("meta"):  # of no size, until the weights fit
            sketch = BertModel(BertConfig(**settings), add_pooling_layer=False)
        shapes = {name: tuple(one.shape) for name, one in sketch.named_parameters()}
        fitted = fitting(tensors, shapes, source)
        network = BertModel(BertConfig(**settings), add_pooling_layer=False)
    except ResourceMissing:
        raise
    except Exception as fault:  # transformers' checks of settings may raise anything
        reason = " ".join(str(fault).split()).rstrip(".") or type(fault).__name__
        raise ResourceMissing(f"{source}: its settings are none of BERT: {reason}.") from fault
    network.load_state_dict(fitted, strict=False)
    return network


def _settings(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as fault:
        raise ResourceMissing(f"{path}: {fault.strerror or fault}.") from fault
    except (ValueError, RecursionError) as fault:
        raise ResourceMissing(f"{path} is no sound JSON.") from fault
    kind = found.get("model_type", "bert") if isinstance(found, dict) else None
    if kind != "bert":
        raise ResourceMissing(f"{path} describes no BERT{f', but {kind}' if kind else ''}.")
    settings: dict[str, Any] = found
    return settings


def _from_checkpoint(prefix: Path) -> Tensors:
    import torch

    try:
        found = read_tensors(prefix)
    except OSError as fault:
        raise ResourceMissing(f"{fault.filename or prefix}: {fault.strerror or fault}.") from fault
    except CheckpointError as fault:
        raise ResourceMissing(f"{prefix}: {fault}.") from fault
    return {
        torch_name(name): torch.from_numpy(
            np.array(tensor.T if name.endswith("/kernel") else tensor)
        )
        for name, tensor in found.items()
        if name.startswith("bert/")
    }


def torch_name(name: str) -> str:
    """`bert/encoder/layer_0/.../kernel` as PyTorch calls it: `encoder.layer.0. ... .weight`."""
    parts = name.removeprefix("bert/").replace("layer_", "layer/").split("/")
    parts[-1] = RENAMED.get(parts[-1], parts[-1])
    if parts[-1].endswith("_embeddings"):
        parts.append("weight")
    return ".".join(parts)


def own_name(name: str) -> str:
    """A name of a Hugging Face file as the encoder says it: old files have `bert. ... gamma`."""
    place, _, last = name.removeprefix("bert.").rpartition(".")
    return f"{place}.{RENAMED.get(last, last)}"
