"""CLIP model: network, tokenizer and image preprocessing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

Tokens = Callable[[str], Sequence[Sequence[int]]]
"""Makes the ids (texts, length) of a caption; its embedding is the mean over them."""

Pixels = Callable[[Any], Any]
"""Makes a float32 array (3, height, width) of a picture in RGB."""


@dataclass(frozen=True, slots=True, eq=False)
class ClipModel:
    """A loaded model; `tokens` and `pixels` are those that it was trained with."""

    network: Any
    tokens: Tokens
    pixels: Pixels

    @property
    def device(self) -> Any:
        """Where the network is now."""
        return next(self.network.parameters()).device

    def to(self, device: str) -> ClipModel:
        """Move this model to another device and return it."""
        self.network.to(device)
        return self


@dataclass(frozen=True, slots=True, eq=False)
class PictureTower:
    """Unit vectors (n, width) of pixels (n, 3, height, width)."""

    model: ClipModel

    def __call__(self, batch: Any) -> Any:
        """Return the vectors of a batch, on the CPU."""
        import torch

        with torch.inference_mode():
            found = self.model.network.encode_image(batch.to(self.model.device))
            return normalize_rows(found.float()).cpu()

    def to(self, device: str) -> PictureTower:
        """Return the network on another device."""
        return PictureTower(self.model.to(device))


@dataclass(frozen=True, slots=True, eq=False)
class TextTower:
    """Unit vectors (n, width) of the ids (n, texts, length) of captions."""

    model: ClipModel

    def __call__(self, batch: Any) -> Any:
        """Return the normalised mean vectors of a batch of captions, on the CPU."""
        import torch

        with torch.inference_mode():
            captions, texts, length = batch.shape
            ids = batch.reshape(-1, length).to(self.model.device)
            found = self.model.network.encode_text(ids).float()
            return normalize_rows(found.reshape(captions, texts, -1).mean(dim=1)).cpu()

    def to(self, device: str) -> TextTower:
        """Return the network on another device."""
        return TextTower(self.model.to(device))


def normalize_rows(vectors: Any) -> Any:
    """Return the rows scaled to length 1."""
    return vectors / vectors.norm(dim=-1, keepdim=True)
