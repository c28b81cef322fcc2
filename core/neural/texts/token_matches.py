"""BERTScore of pairs of texts in chunks, with one network per device."""

from __future__ import annotations

import itertools
import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from jurydesk.core.execution.device import choose_device
from jurydesk.core.metrics.captioning.bert_score import (
    greedy_match,
    piece_weights,
    unseen_weight,
)
from jurydesk.core.model.chunk import Check, ChunkKind, ChunkRequest, split_items
from jurydesk.core.model.chunk_codec import NO_IDENTITY, content_digest
from jurydesk.core.model.evaluation import FloatArray, IntArray
from jurydesk.core.neural.batches import Batches
from jurydesk.core.neural.device_pool import DevicePool, device_ids, share_networks, shared_networks
from jurydesk.core.neural.texts.text_encoder import TextEncoder, load_text_encoder
from jurydesk.core.neural.weights.weight_origins import record_use
from jurydesk.core.neural.weights.weight_roles import (
    WeightFiles,
    installed_weights,
    weights_digest,
)

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

ROLE = "bertscore"
ITEMS = 64
"""Candidates in a chunk, with the references of each."""
BATCH = 64


@dataclass(frozen=True, slots=True)
class MatchSettings:
    """Digest and path of the weights, layer, and device."""

    weights: str
    layer: int
    path: str = field(metadata=NO_IDENTITY)
    device: str = field(metadata=NO_IDENTITY)

    @property
    def key(self) -> str:
        """Key of the network among the shared ones."""
        return f"bertscore {content_digest(self)} {self.device}"


@dataclass(frozen=True, slots=True, eq=False)
class TextPairs:
    """Texts as word pieces with weights, and the numbers (n, 2) of candidates and references.

    The pieces of text i are `pieces[starts[i]:starts[i + 1]]`.
    """

    pieces: IntArray
    weights: FloatArray
    starts: IntArray
    pairs: IntArray

    def __post_init__(self) -> None:
        if len(self.pieces) != len(self.weights) or self.pairs.ndim != 2:
            raise ValueError("pieces, weights and pairs do not fit together")

    def __len__(self) -> int:
        return len(self.pairs)


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """Precision, recall and F1 (n, 3) of pairs."""

    scores: FloatArray

    def __len__(self) -> int:
        return len(self.scores)


@dataclass(frozen=True, slots=True, eq=False)
class PieceTower:
    """Encoder: unit vectors (n, length * width) of texts of equal length (n, length)."""

    network: Any
    device: str

    def __call__(self, batch: Any) -> Any:
        """Return the vectors of a batch, on the CPU."""
        import torch

        with torch.inference_mode():
            found = self.network(
                input_ids=batch.to(self.device),
                attention_mask=torch.ones_like(batch).to(self.device),
            ).last_hidden_state
        return (found / found.norm(dim=-1, keepdim=True)).float().flatten(1).cpu()

    def to(self, device: str) -> PieceTower:
        """Move the network to another device."""
        return PieceTower(self.network.to(device), device)


def match_texts(settings: MatchSettings, chunk: TextPairs, check: Check) -> Matches:
    """Score a chunk; ResourceMissing if this machine has other weights."""
    pool = shared_networks(settings.key, settings.device, partial(load_tower, settings))
    bounds = chunk.starts.tolist()
    spans = [slice(first, last) for first, last in itertools.pairwise(bounds)]
    with pool.acquire() as batches:
        vectors = _vectors([chunk.pieces[span] for span in spans], batches, check)
    scores = [
        greedy_match(
            vectors[one], vectors[other], chunk.weights[spans[one]], chunk.weights[spans[other]]
        )
        for one, other in chunk.pairs.tolist()
    ]
    return Matches(np.array(scores).reshape(-1, 3))


def _vectors(texts: Sequence[IntArray], batches: Batches, check: Check) -> dict[int, Any]:
    """Return the vectors (pieces, width) of each text; texts of equal length need no padding."""
    import torch

    by_length: dict[int, list[int]] = defaultdict(list)
    for number, text in enumerate(texts):
        by_length[len(text)].append(number)
    found = {}
    for length, numbers in by_length.items():
        rows = batches.rows(torch.from_numpy(np.stack([texts[i] for i in numbers])), check=check)
        for number, row in zip(numbers, rows.numpy().astype(np.float64), strict=True):
            found[number] = row.reshape(length, -1)
    return found


def load_tower(settings: MatchSettings, device: str) -> Batches:
    """Load the network; ResourceMissing if this machine has other weights."""
    found = installed_weights(ROLE, settings.path, settings.weights)
    encoder = load_text_encoder(found.path, found.files[-1], settings.layer, device)
    return tower(encoder)


def tower(encoder: TextEncoder) -> Batches:
    """Return a loaded encoder as a network for batches."""
    return Batches(PieceTower(encoder.network, encoder.device), encoder.device, BATCH)


WORK = ChunkKind("bertscore", match_texts, MatchSettings, TextPairs, Matches, on_device=True)


def bert_scores(
    candidates: Sequence[str],
    references: Sequence[Sequence[str]],
    weights: WeightFiles,
    layer: int,
    run: Run,
    *,
    by_frequency: bool = False,
) -> FloatArray:
    """Return precision, recall and F1 (n, 3) of candidates, each the best over its references.

    Raises ResourceMissing if the weights do not fit, and Cancelled.
    """
    run.report(0, 0, "BERTScore")
    device = choose_device(run.device).id
    encoder = run.call(load_text_encoder, weights.path, weights.files[-1], layer, device)
    path = os.path.abspath(weights.path)  # noqa: PTH100 - keeps links
    record_use(ROLE, weights_digest(weights), device)
    settings = MatchSettings(weights_digest(weights), layer, path, run.device)
    ids = device_ids(run.device)
    pool = DevicePool(ids if device in ids else (device,), partial(load_tower, settings))
    pool.put(device, tower(encoder))
    share_networks(settings.key, pool)
    pieces = run.call(_known_pieces, candidates, references, encoder)
    listed = [pieces[text] for texts in references for text in texts]
    table = piece_weights(listed, encoder.special, by_frequency=by_frequency)
    unseen = unseen_weight(len(listed), by_frequency=by_frequency)
    parts = split_items(range(len(candidates)), ITEMS)
    chunks = [
        _chunk([candidates[i] for i in part], [references[i] for i in part], pieces, table, unseen)
        for part in parts
    ]
    found = np.full((len(candidates), 3), np.nan)
    for part, matches in zip(
        parts, run.each(ChunkRequest(WORK, settings, chunks, "BERTScore", "pairs")), strict=True
    ):
        start = 0
        for i in part:
            count = len(references[i])
            if count:
                found[i] = matches.scores[start : start + count].max(axis=0)
            start += count
    return found


def _known_pieces(
    candidates: Sequence[str], references: Sequence[Sequence[str]], encoder: TextEncoder
) -> Mapping[str, list[int]]:
    texts = {*candidates, *(text for listed in references for text in listed)}
    return {text: encoder.pieces(text) for text in texts}


def _chunk(
    candidates: Sequence[str],
    references: Sequence[Sequence[str]],
    pieces: Mapping[str, list[int]],
    table: Mapping[int, float],
    unseen: float,
) -> TextPairs:
    """Return a chunk of candidates with their references, each distinct text once."""
    texts = dict.fromkeys([*candidates, *(text for listed in references for text in listed)])
    numbers = {text: number for number, text in enumerate(texts)}
    found = [pieces[text] for text in texts]
    flat = [piece for text in found for piece in text]
    pairs = [
        (numbers[candidate], numbers[text])
        for candidate, listed in zip(candidates, references, strict=True)
        for text in listed
    ]
    return TextPairs(
        np.array(flat, dtype=np.int64),
        np.array([table.get(piece, unseen) for piece in flat], dtype=np.float64),
        np.cumsum([0, *map(len, found)], dtype=np.int64),
        np.array(pairs, dtype=np.int64).reshape(-1, 2),
    )
