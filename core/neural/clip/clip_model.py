"""CLIP model: network, tokenizer and image preprocessing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

Tokens = Callable[[str], Sequence[Sequence[int]]]
"""Function from a caption to ids (texts, length); its embedding is the mean over the texts."""

Pixels = Callable[[Any], Any]
"""Function from an RGB image to a float32 array (3, height, width)."""


@dataclass(frozen=True, slots=True, eq=False)
class ClipModel:
    """A loaded network with its tokenizer and its image preprocessing."""

    network: Any
    tokens: Tokens
    pixels: Pixels

    @property
    def device(self) -> Any:
        """Device of the network."""
        return next(self.network.parameters()).device

    def to(self, device: str) -> ClipModel:
        """Move this model to another device and return it."""
        self.network.to(device)
        return self


@dataclass(frozen=True, slots=True, eq=False)
class PictureTower:
    """Image encoder: vectors (n, width) of pixels (n, 3, height, width), of any length."""

    model: ClipModel

    def __call__(self, batch: Any) -> Any:
        """Embed a batch; the vectors are on the CPU."""
        import torch

        with torch.inference_mode():
            vectors = self.model.network.encode_image(batch.to(self.model.device))
            return vectors.float().cpu()

    def to(self, device: str) -> PictureTower:
        """Move the model to another device."""
        return PictureTower(self.model.to(device))


@dataclass(frozen=True, slots=True, eq=False)
class TextTower:
    """Text encoder: unit vectors (n, width) of captions' ids (n, texts, length)."""

    model: ClipModel

    def __call__(self, batch: Any) -> Any:
        """Embed a batch as normalized means over texts; the vectors are on the CPU."""
        import torch

        with torch.inference_mode():
            captions, texts, length = batch.shape
            ids = batch.reshape(-1, length).to(self.model.device)
            vectors = self.model.network.encode_text(ids).float()
            return normalize_rows(vectors.reshape(captions, texts, -1).mean(dim=1)).cpu()

    def to(self, device: str) -> TextTower:
        """Move the model to another device."""
        return TextTower(self.model.to(device))


def normalize_rows(vectors: Any) -> Any:
    """Return the rows scaled to length 1."""
    return vectors / vectors.norm(dim=-1, keepdim=True)
