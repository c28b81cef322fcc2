"""CLIP embeddings of pictures and captions, computed once for each distinct input.

They are kept by the content of picture or caption, so that a stopped run resumes, and the
captions of one competition serve all its systems.
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
from jurydesk.core.model.chunk import ChunkRequest
from jurydesk.core.model.defects import Defect
from jurydesk.core.neural.batches import Batches
from jurydesk.core.neural.device_pool import DevicePool, device_ids, share_networks
from jurydesk.core.neural.feature_cache import FeatureShard, RowCache, Rows, split_into_shards
from jurydesk.core.neural.inception.image_chunks import PictureChunk
from jurydesk.core.neural.inception.image_chunks import PictureFeatures as PictureVectors
from jurydesk.core.neural.weights.weight_hashes import fingerprints
from jurydesk.core.neural.weights.weight_roles import (
    WeightFiles,
    find_weights,
    require_weights,
    weights_digest,
)
from jurydesk.core.readers.images import picture_defects
from jurydesk.core.system.paths import fingerprint
from jurydesk.core.tasks.fusionbrain.clip.clip_chunks import (
    WORK,
    ClipSettings,
    load_model,
    load_network,
)
from jurydesk.core.tasks.fusionbrain.clip.clip_model import ClipModel, PictureTower, TextTower

if TYPE_CHECKING:
    from jurydesk.core.execution.cache import Cache
    from jurydesk.core.execution.run import Run

TEXT_BATCH = 16
"""Captions at once; ruCLIP makes six texts of each."""


def select_clip(weights: Mapping[str, Path]) -> WeightFiles:
    """Return the CLIP model to use: a named role first, then ruCLIP, then CLIP.

    Raises ResourceMissing where there is neither.
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
    """Return the model of a folder; the last one is cached for the next system."""
    return load_model(role, folder, weights)


@dataclass(frozen=True, slots=True, eq=False)
class VectorStore:
    """The vectors that are known of one kind of items, by the items' hashes."""

    cache: RowCache
    by_hash: dict[str, Rows] = field(default_factory=dict)

    def absent(self, hashes: Sequence[str]) -> list[FeatureShard]:
        """Load the cached vectors; return the shards of items that have none."""
        left = []
        for shard in split_into_shards(hashes):
            rows = self.cache.get(shard)
            if rows is None:
                left.append(shard)
            else:
                self.by_hash.update(zip(shard.hashes, rows, strict=True))
        return left

    def add(self, hashes: Sequence[str], rows: Rows, shard: FeatureShard) -> None:
        """Take new vectors of a shard; it is kept where none of its items failed."""
        if not hashes:
            return
        self.by_hash.update(zip(hashes, rows, strict=True))
        if len(hashes) == len(shard.hashes):
            self.cache.put(shard, rows)


class ClipEmbedder:
    """A model on the run's device; it is loaded when the first vector is not known yet.

    `reasons` says why a picture could not be read, `defects` what is odd about others.
    """

    def __init__(self, found: WeightFiles, cache: Cache, run: Run) -> None:
        self._found, self._cache, self._run = found, cache, run
        self._hashes = " ".join(fingerprints(found, run.check).values())
        self.reasons: dict[Path, str] = {}
        self.defects: list[Defect] = []

    def captions(self, captions: Iterable[str]) -> dict[str, Rows]:
        """Return the vectors of captions."""
        by_hash = {_text_hash(caption): caption for caption in captions}
        vectors = VectorStore(self._rows("text"))
        absent = vectors.absent(list(by_hash))
        total, done = sum(len(shard.hashes) for shard in absent), 0
        for shard in absent:
            ids = np.array([self._model.tokens(by_hash[one]) for one in shard.hashes])
            vectors.add(shard.hashes, self._texts.rows(_tensor(ids), self._run).numpy(), shard)
            done += len(shard.hashes)
            self._run.report(done, total, "CLIP, captions", "captions")
        return {caption: vectors.by_hash[one] for one, caption in by_hash.items()}

    def pictures(self, paths: Iterable[Path]) -> dict[Path, Rows]:
        """Return the vectors of those pictures that can be read."""
        unique = list(dict.fromkeys(paths))
        hashes = dict(zip(unique, self._run.map(self._hash, unique), strict=True))
        by_hash = {one: path for path, one in hashes.items() if one}
        vectors = VectorStore(self._rows("picture"))
        absent = vectors.absent(list(by_hash))
        for shard, found in zip(absent, self._vectors(absent, by_hash), strict=True):
            sound = [not reason for reason in found.reasons]
            self._told([by_hash[one] for one in shard.hashes], found)
            vectors.add(tuple(compress(shard.hashes, sound)), found.rows[sound], shard)
        self._repeat_reasons(hashes, by_hash)
        known = vectors.by_hash
        return {path: known[one] for path, one in hashes.items() if one in known}

    def _vectors(
        self, absent: Sequence[FeatureShard], by_hash: Mapping[str, Path]
    ) -> Iterator[PictureVectors]:
        """Yield the vectors of the shards' pictures, made by whoever works for the run."""
        place, device = os.path.abspath(self._found.path), self._run.device  # noqa: PTH100
        digest = weights_digest(self._found)
        settings = ClipSettings(self._found.role.id, digest, place, device)
        chunks = [
            PictureChunk(one.hashes, [str(by_hash[key]) for key in one.hashes]) for one in absent
        ]
        lanes = DevicePool(device_ids(device), partial(self._on, settings))
        share_networks(settings.key, lanes)
        yield from self._run.each(
            ChunkRequest(WORK, settings, chunks, "CLIP", "images", is_cached=False)
        )

    def _on(self, settings: ClipSettings, device: str) -> Batches:
        """Return the model that captions use too, or a copy of it on another device."""
        own = str(self._model.device)
        return (
            self._images
            if device in (own, own.partition(":")[0])
            else load_network(settings, device)
        )

    def _told(self, paths: Sequence[Path], found: PictureVectors) -> None:
        """Note what was odd about pictures, and why some could not be read."""
        for path, reason, remarks in zip(paths, found.reasons, found.remarks, strict=True):
            self.defects += picture_defects(path, tuple(remarks))
            if reason:
                self.reasons[path] = f"The picture {reason}."

    def _hash(self, path: Path) -> str:
        """Return the hash of a picture's file; a missing one gets its reason."""
        try:
            return fingerprint(path).sha256
        except OSError as fault:
            absent = isinstance(fault, FileNotFoundError)
            what = "does not exist" if absent else f"cannot be read: {fault.strerror}"
            self.reasons[path] = f"The picture {what}."
            return ""

    def _repeat_reasons(self, hashes: Mapping[Path, str], by_hash: Mapping[str, Path]) -> None:
        """Copy the failure reason of a file to all files of equal content."""
        for path, one in hashes.items():
            twin = by_hash.get(one, path)
            if twin in self.reasons:
                self.reasons[path] = self.reasons[twin]

    @cached_property
    def _model(self) -> ClipModel:
        self._run.report(0, 0, f"Loading {self._found.role.title}")
        weights = self._found.files[-1]
        model = self._run.call(
            cached_model, self._found.role.id, self._found.path, weights, self._hashes
        )
        return model.to(choose_device(self._run.device).id)

    @cached_property
    def _texts(self) -> Batches:
        return Batches(TextTower(self._model), str(self._model.device), TEXT_BATCH)

    @cached_property
    def _images(self) -> Batches:
        return Batches(PictureTower(self._model), str(self._model.device))

    def _rows(self, kind: str) -> RowCache:
        return RowCache(self._cache, ("clip", kind, self._hashes))


def _text_hash(caption: str) -> str:
    return hashlib.sha256(caption.encode("utf-8", "surrogatepass")).hexdigest()


def _tensor(array: Any) -> Any:
    import torch

    return torch.from_numpy(array)
