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

from jurydesk.core.model.evaluation import ResourceMissing
from jurydesk.core.neural.weights.weight_loading import (
    load_tensors,
    matching_tensors,
    require_torch,
)
from jurydesk.core.tasks.fusionbrain.clip.clip_model import ClipModel, Tokens

WORD_START = "\u2581"
SPACE = re.compile(f"[ \t-\r{WORD_START}]+")
"""What C calls a space; others, such as U+00A0, are letters of a word."""

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
        """The lowest id that comes out."""
        return min(self._ids())

    @property
    def highest(self) -> int:
        """The highest id that comes out."""
        return max(self._ids())

    def _ids(self) -> Iterator[int]:
        yield from self.letters.values()
        yield from (new for _, new in self.rules.values())
        yield from (self.unknown, self.padding, self.begin, self.end)

    def encode(self, text: str) -> list[int]:
        """Return the ids of a text, without begin and end."""
        words = filter(None, SPACE.split(text))
        return list(chain.from_iterable(self._word(WORD_START + word) for word in words))

    def framed(self, text: str, length: int) -> list[int]:
        """Return the ids of a text, cut to fit between begin and end, and padded to `length`."""
        ids = [self.begin, *self.encode(text)[: length - 2], self.end]
        return ids + [self.padding] * (length - len(ids))

    def _word(self, word: str) -> list[int]:
        ids = list(self._known(word))
        while True:
            _, pair = min(self._ranked(ids), default=(0, None))
            if pair is None:
                return ids
            ids = list(_joined(ids, pair, self.rules[pair][1]))

    def _known(self, word: str) -> Iterator[int]:
        """Yield the ids of letters; letters in a row that are not known are one."""
        for id, group in groupby(self.letters.get(letter, self.unknown) for letter in word):
            yield from (id,) if id == self.unknown else group

    def _ranked(self, ids: Sequence[int]) -> Iterator[tuple[int, Pair]]:
        return ((self.rules[pair][0], pair) for pair in pairwise(ids) if pair in self.rules)


def _joined(ids: Sequence[int], pair: Pair, new: int) -> Iterator[int]:
    """Yield the ids with every occurrence of a pair replaced, from the left."""
    place = 0
    while place < len(ids):
        if tuple(ids[place : place + 2]) == pair:
            yield new
            place += 2
        else:
            yield ids[place]
            place += 1


def read_encoder(path: Path) -> Encoder:
    """Return the encoder in a `bpe.model` file; ResourceMissing where it is no such file."""
    try:
        rows = [tuple(map(int, line.split())) for line in path.read_text("ascii").splitlines()]
        n_letters, n_rules = rows[0]
        letters = {chr(point): id for point, id in rows[1 : 1 + n_letters]}
        joins = rows[1 + n_letters : 1 + n_letters + n_rules]
        rules = {(left, right): (rank, new) for rank, (left, right, new) in enumerate(joins)}
        unknown, padding, begin, end = rows[1 + n_letters + n_rules]
    except OSError as fault:
        raise ResourceMissing(f"{path} cannot be read: {fault.strerror}.") from fault
    except (ValueError, IndexError, OverflowError) as fault:
        raise ResourceMissing(
            f"{path} is not a YouTokenToMe model: lines of numbers are expected ({fault})."
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
"""The label's texts, whose embeddings are averaged (ruclip, predictor.py)."""

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

LEAST = {"context_length": 2}  # begin and end
LARGEST = {"vision_layers": 1_000, "transformer_layers": 1_000, "image_resolution": 10_000}


@dataclass(frozen=True, slots=True)
class Pixels:
    """Image preprocessing: side of the square, mean and standard deviation per channel."""

    side: int
    mean: tuple[float, ...] = MEAN
    std: tuple[float, ...] = STD

    def __call__(self, image: Any) -> Any:
        """Return an array (3, side, side) of a picture in RGB: its middle square, resized smoothly.

        The published crop takes a random place where width and height differ by a point or two;
        here it is always the first one.
        """
        from PIL.Image import Resampling

        cut = image.crop(middle_square(*image.size))
        small = cut.resize((self.side, self.side), Resampling.BILINEAR)
        values = np.array(small, dtype=np.float32).transpose(2, 0, 1) / np.float32(255)
        mean, std = (np.array(one, np.float32)[:, None, None] for one in (self.mean, self.std))
        return (values - mean) / std


def middle_square(width: int, height: int) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom of the center crop of a picture.

    torchvision's crop of the whole area with ratio 1 tries squares of the picture's area, which
    fit only a picture that is nearly square; then it takes the middle one of the shorter side.
    """
    side = round((width * height) ** 0.5)
    if side <= min(width, height):
        return 0, 0, side, side
    side = min(width, height)
    left, top = (width - side) // 2, (height - side) // 2
    return left, top, left + side, top + side


def template_tokens(encoder: Encoder, length: int) -> Tokens:
    """Return a tokenizer from a caption to ids (6, length), one row per template."""

    def of(caption: str) -> Sequence[Sequence[int]]:
        label = caption.lower().strip()
        return [encoder.framed(template.format(label).lower(), length) for template in TEMPLATES]

    return of


def load_ruclip(folder: Path, weights: Path) -> ClipModel:
    """Return the model of a folder on the CPU; ResourceMissing where something does not fit."""
    require_torch("ruCLIP")
    settings = read_settings(folder / "config.json")
    encoder = read_encoder(folder / "bpe.model")
    if not 0 <= encoder.lowest <= encoder.highest < settings["vocab_size"]:
        raise ResourceMissing(
            f"{folder / 'bpe.model'} has ids from {encoder.lowest} to {encoder.highest}, but the "
            f"network of {folder / 'config.json'} knows 0 to {settings['vocab_size'] - 1}."
        )
    tensors = load_tensors(weights)
    try:
        sketch = _network(settings, encoder, "meta")  # of no size, until the weights fit
        expected = {name: tuple(tensor.shape) for name, tensor in sketch.state_dict().items()}
        fitted = matching_tensors(tensors, expected, weights)
        network = _network(settings, encoder, "cpu")
    except (TypeError, ValueError, RuntimeError, AssertionError, ArithmeticError) as fault:
        raise ResourceMissing(f"{folder / 'config.json'} describes no network: {fault}.") from fault
    network.load_state_dict(fitted, assign=True)
    pixels = Pixels(settings["image_resolution"], settings["mean"], settings["std"])
    return ClipModel(network.eval(), template_tokens(encoder, settings["context_length"]), pixels)


def read_settings(path: Path) -> Mapping[str, Any]:
    """Read sizes, mean and deviation from `config.json`; raises ResourceMissing."""
    try:
        settings = json.loads(path.read_text(encoding="utf-8"))
    except OSError as fault:
        raise ResourceMissing(f"{path} cannot be read: {fault.strerror}.") from fault
    except (ValueError, RecursionError) as fault:
        raise ResourceMissing(f"{path} is no JSON: {fault}.") from fault
    found: Mapping[str, Any] = settings if isinstance(settings, dict) else {}
    absent = [name for name in SIZES if not _is_size(name, found.get(name))]
    if absent:
        raise ResourceMissing(f"{path} lacks the sizes {', '.join(absent)} as whole numbers.")
    colours = {"mean": found.get("mean", MEAN), "std": found.get("std", STD)}
    for name, values in colours.items():
        if not _is_colour(values) or (name == "std" and min(values) <= 0):
            raise ResourceMissing(f'{path}: three numbers are expected for "{name}".')
    return {**found, **{name: tuple(values) for name, values in colours.items()}}


def _is_size(name: str, value: Any) -> bool:
    return type(value) is int and LEAST.get(name, 1) <= value <= LARGEST.get(name, 10**7)


def _is_colour(values: Any) -> bool:
    """Return whether these are three numbers, as a mean or deviation of colours from 0 to 1."""
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
