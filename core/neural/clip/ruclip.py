"""ruCLIP: network, byte-pair encoder and image preprocessing.

A folder has `config.json` (sizes), `bpe.model` and the weights under OpenAI's names.
Source: ruclip 0.0.2 (processor.py, predictor.py).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby, pairwise
from pathlib import Path
from typing import Any

import numpy as np

from jurydesk.core.language import Message, failure_reason, fill
from jurydesk.core.model.evaluation import ResourceMissing
from jurydesk.core.neural.clip.clip_model import ClipModel, Tokens
from jurydesk.core.neural.weights.weight_loading import (
    load_tensors,
    matching_tensors,
    require_torch,
)

WORD_START = "\u2581"
SPACE = re.compile(f"[ \t-\r{WORD_START}]+")
"""Spaces of C and word starts; other spaces, such as U+00A0, are letters."""

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Encoder:
    """Byte-pair encoder: ids of letters, and rank and id of each merge."""

    letters: Mapping[str, int]
    rules: Mapping[Pair, tuple[int, int]]
    unknown: int
    padding: int
    begin: int
    end: int

    @property
    def lowest(self) -> int:
        """Lowest id of the encoder."""
        return min(self._ids())

    @property
    def highest(self) -> int:
        """Highest id of the encoder."""
        return max(self._ids())

    def _ids(self) -> Iterator[int]:
        yield from self.letters.values()
        yield from (new for _, new in self.rules.values())
        yield from (self.unknown, self.padding, self.begin, self.end)

    def encode(self, text: str) -> list[int]:
        """Encode a text, without begin and end."""
        words = filter(None, SPACE.split(text))
        return list(chain.from_iterable(self._encode_word(WORD_START + word) for word in words))

    def encode_padded(self, text: str, length: int) -> list[int]:
        """Encode a text with begin and end, truncated and padded to `length` ids."""
        ids = [self.begin, *self.encode(text)[: length - 2], self.end]
        return ids + [self.padding] * (length - len(ids))

    def _encode_word(self, word: str) -> list[int]:
        ids = list(self._letter_ids(word))
        while True:
            rules = ((self.rules[pair][0], pair) for pair in pairwise(ids) if pair in self.rules)
            _, pair = min(rules, default=(0, None))
            if pair is None:
                return ids
            ids = list(_merge_pair(ids, pair, self.rules[pair][1]))

    def _letter_ids(self, word: str) -> Iterator[int]:
        """Yield the ids of letters; adjacent unknown letters have one id."""
        for id, group in groupby(self.letters.get(letter, self.unknown) for letter in word):
            yield from (id,) if id == self.unknown else group


def _merge_pair(ids: Sequence[int], pair: Pair, merged: int) -> Iterator[int]:
    """Yield the ids with every occurrence of a pair replaced, from the left."""
    index = 0
    while index < len(ids):
        if tuple(ids[index : index + 2]) == pair:
            yield merged
            index += 2
        else:
            yield ids[index]
            index += 1


def read_encoder(path: Path) -> Encoder:
    """Read the encoder of a `bpe.model` file; raise ResourceMissing if it is invalid."""
    try:
        rows = [tuple(map(int, line.split())) for line in path.read_text("ascii").splitlines()]
        n_letters, n_rules = rows[0]
        letters = {chr(point): id for point, id in rows[1 : 1 + n_letters]}
        merges = rows[1 + n_letters : 1 + n_letters + n_rules]
        rules = {(left, right): (rank, new) for rank, (left, right, new) in enumerate(merges)}
        unknown, padding, begin, end = rows[1 + n_letters + n_rules]
    except OSError as fault:
        raise ResourceMissing(
            fill("{path} cannot be read: {strerror}.", path, failure_reason(fault))
        ) from fault
    except (ValueError, IndexError, OverflowError) as fault:
        raise ResourceMissing(
            fill(
                "{path} is not a YouTokenToMe model: lines of numbers are expected ({fault}).",
                path,
                Message(str(fault)),
            )
        ) from fault
    return Encoder(letters, rules, unknown, padding, begin, end)


TEMPLATES = (
    "{}",
    "фото, на котором изображено {}",
    "изображение с {}",
    "картинка с {}",
    "фото с {}",
    "на фото видно {}",
)
"""Texts of a label, whose embeddings are averaged (ruclip, predictor.py)."""

MEAN = (0.48145466, 0.4578275, 0.40821073)  # OpenAI's CLIP
STD = (0.26862954, 0.26130258, 0.27577711)
HEAD_WIDTH = 64
SIZES = (
    "embed_dim",
    "image_resolution",
    "vision_layers",
    "vision_width",
    "vision_patch_size",
    "context_length",
    "vocab_size",
    "transformer_width",
    "transformer_heads",
    "transformer_layers",
)

MINIMA = {"context_length": 2}  # begin and end
MAXIMA = {"vision_layers": 1_000, "transformer_layers": 1_000, "image_resolution": 10_000}


@dataclass(frozen=True, slots=True)
class Pixels:
    """Image preprocessing: side of the square, mean and standard deviation per channel."""

    side: int
    mean: tuple[float, ...] = MEAN
    std: tuple[float, ...] = STD

    def __call__(self, image: Any) -> Any:
        """Return the center crop of an RGB image as an array (3, side, side).

        Where width and height differ by a pixel or two, the published crop is at a random
        position; this one is always at the first.
        """
        from PIL.Image import Resampling

        square = image.crop(middle_square(*image.size))
        resized = square.resize((self.side, self.side), Resampling.BILINEAR)
        values = np.array(resized, dtype=np.float32).transpose(2, 0, 1) / np.float32(255)
        mean, std = (np.array(one, np.float32)[:, None, None] for one in (self.mean, self.std))
        return (values - mean) / std


def middle_square(width: int, height: int) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom of the center crop of an image, in pixels.

    torchvision's crop of the whole area with ratio 1 tries squares of the image's area, which
    fit only nearly square images, and falls back to the center square of the shorter side.
    """
    side = round((width * height) ** 0.5)
    if side <= min(width, height):
        return 0, 0, side, side
    side = min(width, height)
    left, top = (width - side) // 2, (height - side) // 2
    return left, top, left + side, top + side


def template_tokens(encoder: Encoder, length: int) -> Tokens:
    """Return a tokenizer from a caption to ids (6, length), one row per template."""

    def tokens(caption: str) -> Sequence[Sequence[int]]:
        label = caption.lower().strip()
        texts = (template.format(label).lower() for template in TEMPLATES)
        return [encoder.encode_padded(text, length) for text in texts]

    return tokens


def load_ruclip(folder: Path, weights: Path) -> ClipModel:
    """Load the model of a folder on the CPU; raise ResourceMissing if a file does not fit."""
    require_torch("ruCLIP")
    settings = read_settings(folder / "config.json")
    encoder = read_encoder(folder / "bpe.model")
    if not 0 <= encoder.lowest <= encoder.highest < settings["vocab_size"]:
        raise ResourceMissing(
            fill(
                "{value} has ids from {lowest} to {highest}, but the vocabulary of {value2} "
                "is 0 to {value3}.",
                folder / "bpe.model",
                encoder.lowest,
                encoder.highest,
                folder / "config.json",
                settings["vocab_size"] - 1,
            )
        )
    tensors = load_tensors(weights)
    try:
        skeleton = _network(settings, encoder, "meta")  # no memory until the weights fit
        expected = {name: tuple(tensor.shape) for name, tensor in skeleton.state_dict().items()}
        fitted = matching_tensors(tensors, expected, weights)
        network = _network(settings, encoder, "cpu")
    except (TypeError, ValueError, RuntimeError, AssertionError, ArithmeticError) as fault:
        path = folder / "config.json"
        raise ResourceMissing(
            fill("{path} is not a valid network: {fault}.", path, Message(str(fault)))
        ) from fault
    network.load_state_dict(fitted, assign=True)
    pixels = Pixels(settings["image_resolution"], settings["mean"], settings["std"])
    return ClipModel(network.eval(), template_tokens(encoder, settings["context_length"]), pixels)


def read_settings(path: Path) -> Mapping[str, Any]:
    """Read sizes, mean and deviation from `config.json`; raise ResourceMissing if invalid."""
    try:
        settings = json.loads(path.read_text(encoding="utf-8"))
    except OSError as fault:
        raise ResourceMissing(
            fill("{path} cannot be read: {strerror}.", path, failure_reason(fault))
        ) from fault
    except (ValueError, RecursionError) as fault:
        raise ResourceMissing(
            fill("{path} is not valid JSON: {fault}.", path, Message(str(fault)))
        ) from fault
    config: Mapping[str, Any] = settings if isinstance(settings, dict) else {}
    invalid = [name for name in SIZES if not _is_size(name, config.get(name))]
    if invalid:
        raise ResourceMissing(
            fill("{path} lacks valid integers for {join}.", path, ", ".join(invalid))
        )
    colors = {"mean": config.get("mean", MEAN), "std": config.get("std", STD)}
    for name, values in colors.items():
        if not _is_color(values) or (name == "std" and min(values) <= 0):
            raise ResourceMissing(
                fill('{path}: three numbers are expected for "{name}".', path, name)
            )
    return {**config, **{name: tuple(values) for name, values in colors.items()}}


def _is_size(name: str, value: Any) -> bool:
    return type(value) is int and MINIMA.get(name, 1) <= value <= MAXIMA.get(name, 10**7)


def _is_color(values: Any) -> bool:
    """Return True for three numbers that can be a mean or deviation of colors from 0 to 1."""
    if not isinstance(values, list | tuple) or len(values) != len(MEAN):
        return False
    return all(type(value) in (int, float) and abs(value) < 1e6 for value in values)


def _network(settings: Mapping[str, Any], encoder: Encoder, device: str) -> Any:
    import torch
    from open_clip.model import CLIP, CLIPTextCfg, CLIPVisionCfg

    vision = CLIPVisionCfg(
        image_size=settings["image_resolution"],
        layers=settings["vision_layers"],
        width=settings["vision_width"],
        head_width=HEAD_WIDTH,
        patch_size=settings["vision_patch_size"],
    )
    text = CLIPTextCfg(
        context_length=settings["context_length"],
        vocab_size=settings["vocab_size"],
        width=settings["transformer_width"],
        heads=settings["transformer_heads"],
        layers=settings["transformer_layers"],
        pool_type="eos",
        eos_id=encoder.end,
    )
    with torch.device(device):
        return CLIP(settings["embed_dim"], vision, text, quick_gelu=True)
