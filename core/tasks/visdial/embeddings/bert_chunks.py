"""Chunked execution of BERT sentence embeddings."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from jurydesk.core.model.chunk import Check, ChunkKind
from jurydesk.core.model.chunk_codec import NO_IDENTITY, content_digest
from jurydesk.core.model.evaluation import IntArray
from jurydesk.core.neural.batches import Batches
from jurydesk.core.neural.device_pool import shared_networks
from jurydesk.core.neural.weights.weight_roles import installed_weights
from jurydesk.core.tasks.visdial.embeddings.bert import Bert, load_bert

BATCH = 256
"""Texts per chunk, one batch of the network."""


@dataclass(frozen=True, slots=True)
class BertSettings:
    """Digest and path of the weights, and the device."""

    weights: str
    path: str = field(metadata=NO_IDENTITY)
    device: str = field(metadata=NO_IDENTITY)

    @property
    def key(self) -> str:
        """Cache key of the network."""
        return f"bert {content_digest(self)} {self.device}"


@dataclass(frozen=True, slots=True, eq=False)
class WordPieces:
    """Ids and segments (n, 2, length) of the word pieces of n texts."""

    pieces: IntArray

    def __len__(self) -> int:
        return len(self.pieces)


@dataclass(frozen=True, slots=True, eq=False)
class Embeddings:
    """Embeddings (n, width)."""

    rows: npt.NDArray[np.float32]

    def __post_init__(self) -> None:
        if self.rows.ndim != 2:
            raise ValueError(f"the embeddings have the shape {self.rows.shape}")

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True, slots=True, eq=False)
class BertTower:
    """Encoder: [CLS] rows (n, width) of word pieces (n, 2, length), on the CPU."""

    network: Any
    device: str

    def __call__(self, batch: Any) -> Any:
        """Return the embeddings of a batch."""
        import torch

        ids, parts = batch.to(self.device).unbind(dim=1)
        with torch.inference_mode():
            layer = self.network(input_ids=ids, token_type_ids=parts).last_hidden_state
        return layer[:, 0].float().cpu()

    def to(self, device: str) -> BertTower:
        """Move the network to another device."""
        return BertTower(self.network.to(device), device)


def batches(model: Bert) -> Batches:
    """Wrap a loaded model as a network for batches."""
    return Batches(BertTower(model.network, model.device), model.device, BATCH)


def embed_pieces(settings: BertSettings, chunk: WordPieces, check: Check) -> Embeddings:
    """Embed a chunk of texts; raise ResourceMissing if the weights differ on this machine."""
    import torch

    lanes = shared_networks(settings.key, settings.device, partial(load_bert_network, settings))
    with lanes.acquire() as network:
        found = network.rows(torch.from_numpy(chunk.pieces), check=check)
    return Embeddings(found.numpy())


def load_bert_network(settings: BertSettings, device: str) -> Batches:
    """Load the network; raise ResourceMissing if the weights differ on this machine."""
    found = installed_weights("bert", settings.path, settings.weights)
    return batches(load_bert(Path(found.path), device))


WORK = ChunkKind("bert", embed_pieces, BertSettings, WordPieces, Embeddings, on_device=True)
