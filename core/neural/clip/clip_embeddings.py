"""CLIP embeddings of pictures and captions, cached by content.

A stopped run resumes, and all systems of a competition share the captions' embeddings.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from jurydesk.core.execution.device import choose_device
from jurydesk.core.language import Message, counted, failure_reason, fill
from jurydesk.core.model.chunk import ChunkRequest
from jurydesk.core.model.defects import Defect, Place, note
from jurydesk.core.neural.batches import Batches
from jurydesk.core.neural.clip.clip_chunks import (
    CLIP_CHUNKS,
    ClipSettings,
    load_model,
    load_network,
)
from jurydesk.core.neural.clip.clip_model import (
    ClipModel,
    PictureTower,
    TextTower,
    Tokens,
    normalize_rows,
)
from jurydesk.core.neural.device_pool import DevicePool, device_ids, share_networks
from jurydesk.core.neural.feature_cache import (
    FeatureShard,
    Remarks,
    RowCache,
    Rows,
    split_into_shards,
)
from jurydesk.core.neural.inception.image_chunks import PictureChunk
from jurydesk.core.neural.inception.image_chunks import PictureFeatures as PictureVectors
from jurydesk.core.neural.weights.weight_origins import record_use
from jurydesk.core.neural.weights.weight_roles import (
    WeightFiles,
    find_weights,
    fingerprints,
    require_weights,
    weights_digest,
)
from jurydesk.core.readers.images import picture_defects
from jurydesk.core.system.paths import fingerprint

if TYPE_CHECKING:
    from jurydesk.core.execution.cache import Cache
    from jurydesk.core.execution.run import Run

PICTURES, TEXTS = "pictures", "texts with remarks"
"""Kinds of cached vectors: those of pictures have their own lengths, those of texts are units."""
CUT = "cut"
"""Remark on a text whose end the model does not read."""
TEXT_BATCH = 16
"""Captions in a batch; ruCLIP embeds six texts of each."""


def select_clip(weights: Mapping[str, Path]) -> WeightFiles:
    """Return the CLIP model to use: a given role first, then ruCLIP, then CLIP.

    Raises:
        ResourceMissing: No model is installed.
    """
    roles = sorted(("ruclip", "clip"), key=lambda role: role not in weights)
    for role in roles:
        found = find_weights(role, weights).found
        if found is not None or role in weights:
            break
    else:
        role = "ruclip"
    return require_weights(role, weights)


@lru_cache(maxsize=1)
def cached_model(role: str, folder: Path, weights: Path, hashes: str) -> ClipModel:
    """Load the model of a folder, cached for the next system."""
    return load_model(role, folder, weights)


@dataclass(frozen=True, slots=True, eq=False)
class VectorStore:
    """Known vectors of pictures or captions by content hash, and remarks on the pictures."""

    cache: RowCache
    by_hash: dict[str, Rows] = field(default_factory=dict)
    remarks: dict[str, Sequence[str]] = field(default_factory=dict)

    def load(self, hashes: Sequence[str]) -> list[FeatureShard]:
        """Load the cached vectors; return the shards without vectors."""
        missing = []
        for shard in split_into_shards(hashes):
            cached = self.cache.get(shard)
            if cached is None:
                missing.append(shard)
            else:
                self.by_hash.update(zip(shard.hashes, cached[0], strict=True))
                self.remarks.update(zip(shard.hashes, cached[1], strict=True))
        return missing

    def add(
        self,
        hashes: Sequence[str],
        rows: Rows,
        shard: FeatureShard,
        remarks: Remarks | None = None,
    ) -> None:
        """Add new vectors of a shard; cache the shard if all of its items have one."""
        if remarks is not None:
            self.remarks.update(zip(shard.hashes, remarks, strict=True))
        if not hashes:
            return
        self.by_hash.update(zip(hashes, rows, strict=True))
        if len(hashes) == len(shard.hashes):
            self.cache.put(shard, rows, remarks)


class ClipEmbedder:
    """CLIP embedder on the run's device; the model is loaded for the first uncached vector.

    `reasons` are failure reasons by picture, `defects` warnings about readable pictures.
    """

    def __init__(self, weights: WeightFiles, cache: Cache, run: Run) -> None:
        self._weights, self._cache, self._run = weights, cache, run
        self._hashes = " ".join(fingerprints(weights, run.check).values())
        self.reasons: dict[Path, str] = {}
        self.defects: list[Defect] = []

    def captions(self, captions: Iterable[str]) -> dict[str, Rows]:
        """Return the vectors of captions."""
        by_hash = {_text_hash(caption): caption for caption in captions}
        vectors = VectorStore(self._row_cache(TEXTS))
        missing = vectors.load(list(by_hash))
        total, done = sum(len(shard.hashes) for shard in missing), 0
        for shard in missing:
            ids = np.array([self._model.tokens(by_hash[key]) for key in shard.hashes])
            rows = self._text_batches.rows(_tensor(ids), self._run).numpy()
            texts = [by_hash[key] for key in shard.hashes]
            cut = [(CUT,) if _is_cut(self._model.tokens, text) else () for text in texts]
            vectors.add(shard.hashes, rows, shard, cut)
            done += len(shard.hashes)
            self._run.report(done, total, "CLIP, captions", "captions")
        if count := sum(CUT in vectors.remarks.get(key, ()) for key in by_hash):
            found = fill("{texts} longer than the model reads.", counted(count, "text"))
            place = Place(str(self._weights.path))
            self.defects.append(note(place, found, "The end is not scored.", count=count))
        return {caption: vectors.by_hash[key] for key, caption in by_hash.items()}

    def pictures(self, paths: Iterable[Path]) -> dict[Path, Rows]:
        """Return the unit vectors of the readable pictures."""
        unique = list(dict.fromkeys(paths))
        hashes = dict(zip(unique, self._run.map(self._hash, unique), strict=True))
        by_hash = {key: path for path, key in hashes.items() if key}
        vectors = VectorStore(self._row_cache(PICTURES))
        missing = vectors.load(list(by_hash))
        for shard, features in zip(missing, self._embed(missing, by_hash), strict=True):
            is_readable = [not reason for reason in features.reasons]
            self._add_reasons([by_hash[key] for key in shard.hashes], features)
            readable = tuple(compress(shard.hashes, is_readable))
            vectors.add(readable, features.rows[is_readable], shard, features.remarks)
        self._repeat_reasons(hashes, by_hash)
        for path, key in hashes.items():
            self.defects += picture_defects(path, vectors.remarks.get(key, ()))
        known = _unit_vectors(vectors.by_hash)
        return {path: known[key] for path, key in hashes.items() if key in known}

    def _embed(
        self, shards: Sequence[FeatureShard], by_hash: Mapping[str, Path]
    ) -> Iterator[PictureVectors]:
        path, device = os.path.abspath(self._weights.path), self._run.device  # noqa: PTH100
        digest = weights_digest(self._weights)
        settings = ClipSettings(self._weights.role.id, digest, path, device)
        chunks = [
            PictureChunk(shard.hashes, [str(by_hash[key]) for key in shard.hashes])
            for shard in shards
        ]
        share_networks(
            settings.key, DevicePool(device_ids(device), partial(self._network, settings))
        )
        yield from self._run.each(
            ChunkRequest(CLIP_CHUNKS, settings, chunks, "CLIP", "images", is_cached=False)
        )

    def _network(self, settings: ClipSettings, device: str) -> Batches:
        """Return the model that embeds captions too, or a copy of it on another device."""
        model_device = str(self._model.device)
        if device in (model_device, model_device.partition(":")[0]):
            return self._image_batches
        return load_network(settings, device)

    def _add_reasons(self, paths: Sequence[Path], features: PictureVectors) -> None:
        for path, phrase in zip(paths, features.reasons, strict=True):
            if phrase:
                self.reasons[path] = fill("The picture {phrase}.", phrase)

    def _hash(self, path: Path) -> str:
        """Return the hash of a picture's file; if unreadable, note the reason and return ""."""
        try:
            return fingerprint(path).sha256
        except FileNotFoundError:
            self.reasons[path] = "The picture does not exist."
        except OSError as fault:
            self.reasons[path] = fill(
                "The picture cannot be read: {strerror}.", failure_reason(fault)
            )
        return ""

    def _repeat_reasons(self, hashes: Mapping[Path, str], by_hash: Mapping[str, Path]) -> None:
        """Copy the failure reason of a file to all files of equal content."""
        for path, key in hashes.items():
            representative = by_hash.get(key, path)
            if representative in self.reasons:
                self.reasons[path] = self.reasons[representative]

    @cached_property
    def _model(self) -> ClipModel:
        weights = self._weights
        self._run.report(0, 0, fill("Loading {title}", Message(weights.role.title)))
        model = self._run.call(
            cached_model, weights.role.id, weights.path, weights.files[-1], self._hashes
        )
        device = choose_device(self._run.device).id
        record_use(weights.role.id, self._hashes, device)
        return model.to(device)

    @cached_property
    def _text_batches(self) -> Batches:
        return Batches(TextTower(self._model), str(self._model.device), TEXT_BATCH)

    @cached_property
    def _image_batches(self) -> Batches:
        return Batches(PictureTower(self._model), str(self._model.device))

    def _row_cache(self, kind: str) -> RowCache:
        return RowCache(self._cache, (self._weights.role.id, kind, self._hashes))


def _unit_vectors(by_hash: Mapping[str, Rows]) -> dict[str, Rows]:
    """Return the vectors scaled to length 1; Frechet distances need their own lengths."""
    if not by_hash:
        return {}
    rows = normalize_rows(_tensor(np.stack(list(by_hash.values())))).numpy()
    return dict(zip(by_hash, rows, strict=True))


def _is_cut(tokens: Tokens, text: str) -> bool:
    """Return whether neither the last character of a text nor more words change its tokens."""
    read = text.strip()
    if not read:
        return False
    return list(tokens(read)) == list(tokens(read[:-1])) == list(tokens(f"{read} {read}"))


def _text_hash(caption: str) -> str:
    return hashlib.sha256(caption.encode("utf-8", "surrogatepass")).hexdigest()


def _tensor(array: Any) -> Any:
    import torch

    return torch.from_numpy(array)
