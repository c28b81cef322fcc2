"""BERT encoder and WordPiece tokenizer, compatible with bert-as-service.

Texts have at most 16 word pieces with [CLS] and [SEP]; `x ||| y` is a pair of texts.
Source: bert-serving-server 1.8.1 (max_seq_len 16).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from jurydesk.core.language import failure_reason, fill
from jurydesk.core.model.evaluation import ResourceMissing
from jurydesk.core.neural.weights.weight_loading import (
    Tensors,
    load_tensors,
    matching_tensors,
    read_network_settings,
)
from jurydesk.core.tasks.visdial.embeddings.tf_checkpoint import CheckpointError, read_tensors

CHECKPOINT = "bert_model.ckpt"
WEIGHTS = ("model.safetensors", "pytorch_model.bin")
UNUSED = ("pooler.", "cls.", "embeddings.position_ids", "embeddings.token_type_ids")
"""Prefixes of tensors that the embeddings do not need."""
LAYER = "encoder.layer."
LAYERS = 12
"""Default number of layers."""
RENAMED = {"kernel": "weight", "gamma": "weight", "beta": "bias"}
"""PyTorch's name suffixes by those of TensorFlow."""


def load_encoder(folder: Path) -> Any:
    """Load the network of a folder on the CPU; raise ResourceMissing if it is invalid."""
    if (folder / f"{CHECKPOINT}.index").is_file():
        source, settings = folder / CHECKPOINT, folder / "bert_config.json"
        tensors = _from_checkpoint(source)
    else:
        settings = folder / "config.json"
        source = next((folder / name for name in WEIGHTS if (folder / name).is_file()), folder)
        if source == folder:
            named = " nor ".join((", ".join(WEIGHTS), f"{CHECKPOINT}.index"))
            raise ResourceMissing(fill("{folder} has neither {named}.", folder, named))
        tensors = {encoder_name(name): tensor for name, tensor in load_tensors(source).items()}
    wanted = {name: one for name, one in tensors.items() if not name.startswith(UNUSED)}
    return _load_tensors(_settings(settings), wanted, source)


def _load_tensors(settings: dict[str, Any], tensors: Tensors, source: Path) -> Any:
    import torch
    from transformers import BertConfig, BertModel

    layers = {name.split(".")[2] for name in tensors if name.startswith(LAYER)}
    expected = settings.get("num_hidden_layers", LAYERS)
    if len(layers) != expected:
        raise ResourceMissing(
            fill(
                "{source} has {layers} layers, its settings say {expected}.",
                source,
                len(layers),
                expected,
            )
        )
    try:
        with torch.device("meta"):  # no memory until the weights fit
            template = BertModel(BertConfig(**settings), add_pooling_layer=False)
        shapes = {name: tuple(one.shape) for name, one in template.named_parameters()}
        fitted = matching_tensors(tensors, shapes, source)
        network = BertModel(BertConfig(**settings), add_pooling_layer=False)
    except ResourceMissing:
        raise
    except Exception as fault:  # transformers' checks of settings may raise anything
        reason = " ".join(str(fault).split()).rstrip(".") or type(fault).__name__
        raise ResourceMissing(
            fill("{source}: the settings are invalid for BERT: {reason}.", source, reason)
        ) from fault
    network.load_state_dict(fitted, strict=False)
    return network


def _settings(path: Path) -> dict[str, Any]:
    found = read_network_settings(path)
    kind = found.get("model_type", "bert") if isinstance(found, dict) else None
    if kind != "bert":
        raise ResourceMissing(
            fill(
                "{path} does not describe a BERT model{value}.",
                path,
                f", but {kind}" if kind else "",
            )
        )
    settings: dict[str, Any] = found
    return settings


def _from_checkpoint(prefix: Path) -> Tensors:
    import torch

    try:
        found = read_tensors(prefix)
    except OSError as fault:
        raise ResourceMissing(
            fill("{path}: {reason}.", fault.filename or prefix, failure_reason(fault))
        ) from fault
    except CheckpointError as fault:
        raise ResourceMissing(fill("{prefix}: {fault}.", prefix, fault)) from fault
    return {
        torch_name(name): torch.from_numpy(
            np.array(tensor.T if name.endswith("/kernel") else tensor)
        )
        for name, tensor in found.items()
        if name.startswith("bert/")
    }


def torch_name(name: str) -> str:
    """Convert `bert/encoder/layer_0/.../kernel` to PyTorch's `encoder.layer.0. ... .weight`."""
    parts = name.removeprefix("bert/").replace("layer_", "layer/").split("/")
    parts[-1] = RENAMED.get(parts[-1], parts[-1])
    if parts[-1].endswith("_embeddings"):
        parts.append("weight")
    return ".".join(parts)


def encoder_name(name: str) -> str:
    """Return the encoder's name of a Hugging Face tensor; old files have `bert. ... gamma`."""
    place, _, last = name.removeprefix("bert.").rpartition(".")
    return f"{place}.{RENAMED.get(last, last)}"


LONGEST = 16
PAIR = " ||| "
MARKS = ("[UNK]", "[CLS]", "[SEP]")
LARGEST_VOCABULARY = 16 << 20
"""Maximum size in bytes; BERT's largest vocabulary has one million."""

Pieces = tuple[tuple[int, ...], tuple[int, ...]]
"""Ids of a text's word pieces with special tokens, and their segments (0 or 1)."""


@dataclass(frozen=True, slots=True, eq=False)
class Bert:
    """A loaded encoder with its tokenizer, on one device."""

    tokenizer: Any
    network: Any
    device: str
    folder: Path

    def pieces(self, text: str) -> Pieces:
        """Return the word pieces of a text or pair, truncated to 16 with special tokens."""
        first, second = _split_pair(text.strip())
        one, other = self._words(first), self._words(second)
        room = LONGEST - (3 if other else 2)
        while len(one) + len(other) > room:
            (one if len(one) > len(other) else other or one).pop()
        ids = ["[CLS]", *one, "[SEP]", *other, *(["[SEP]"] if other else [])]
        parts = [0] * (len(one) + 2) + [1] * (len(ids) - len(one) - 2)
        return tuple(self.tokenizer.convert_tokens_to_ids(ids)), tuple(parts)

    def _words(self, text: str) -> list[str]:
        """Return the word pieces of a text; special tokens in the text are not recognised."""
        found: list[str] = self.tokenizer.tokenize(text, split_special_tokens=True)
        return found


def _split_pair(text: str) -> tuple[str, str]:
    """Split a pair of texts at its last bars; a text of several lines is not a pair."""
    first, bars, second = text.rpartition(PAIR)
    return (first, second) if bars and "\n" not in text else (text, "")


def _check_vocabulary(path: Path) -> None:
    """Raise ResourceMissing if a file is not a WordPiece vocabulary with BERT's tokens."""
    try:
        with path.open("rb") as stream:
            content = stream.read(LARGEST_VOCABULARY + 1)
        found = set(content[:LARGEST_VOCABULARY].decode("utf-8").splitlines())
    except UnicodeDecodeError as fault:
        raise ResourceMissing(fill("{path} is not UTF-8 text.", path)) from fault
    except OSError as fault:
        raise ResourceMissing(fill("{path}: {reason}.", path, failure_reason(fault))) from fault
    if len(content) > LARGEST_VOCABULARY:
        raise ResourceMissing(fill("{path} is too large for a BERT vocabulary.", path))
    absent = [mark for mark in MARKS if mark not in found]
    if absent:
        raise ResourceMissing(
            fill("{path} lacks {join}: it is not a BERT vocabulary.", path, " and ".join(absent))
        )


def load_bert(folder: Path, device: str) -> Bert:
    """Load the encoder of a Hugging Face folder or of a TensorFlow checkpoint's folder.

    Raises ResourceMissing with instructions.
    """
    try:
        from transformers import BertTokenizer
    except ImportError as fault:
        raise ResourceMissing(
            "BERT needs PyTorch and transformers: install jurydesk with its extra `neural`."
        ) from fault
    vocabulary = folder / "vocab.txt"
    if not vocabulary.is_file():
        raise ResourceMissing(
            fill("{folder} has no vocab.txt: name the folder of a BERT model.", folder)
        )
    _check_vocabulary(vocabulary)
    network = load_encoder(folder)
    tokenizer = BertTokenizer(str(vocabulary), do_lower_case=True)
    largest, rows = max(tokenizer.get_vocab().values()), network.config.vocab_size
    if largest >= rows:
        raise ResourceMissing(
            fill(
                "{vocabulary} has {value:,} word pieces, the model only {rows:,}: it belongs "
                "to another model.",
                vocabulary,
                largest + 1,
                rows,
            )
        )
    return Bert(tokenizer, network.eval().to(device), device, folder)
