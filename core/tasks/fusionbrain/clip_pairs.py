"""Unit vectors of pictures and captions: each distinct one goes through the network once.

They are kept by the content of picture or caption, so that a stopped run resumes, and the
captions of one competition serve all its systems.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from core.defects import Defect
from core.paths import fingerprint
from core.run.batches import Batches
from core.run.device import pick
from core.run.shards import RowCache, Rows, Shard, shards
from core.run.weights import Weights, require, search
from core.run.weights_hash import fingerprints
from core.tasks.fusionbrain.clip_model import ClipModel, PictureTower, TextTower
from core.tasks.pictures import PictureError, open_picture, told

if TYPE_CHECKING:
    from core.run.run import Cache, Run

TEXT_BATCH = 16
"""Captions at once; ruCLIP makes six texts of each."""


def chosen(weights: Mapping[str, Path]) -> Weights:
    """ruCLIP, which is the published metric's, else CLIP; a role that was named comes first.

    Raises ResourceMissing where there is neither.
    """
    roles = sorted(("ruclip", "clip"), key=lambda role: role not in weights)
    for role in roles:
        found = search(role, weights).found
        if found is not None or role in weights:
            break
    else:
        role = "ruclip"
    return require(role, weights)


@lru_cache(maxsize=1)
def load(role: str, folder: Path, weights: Path, hashes: str) -> ClipModel:
    """The model of a folder; the last one stays, since every system needs it again."""
    from core.tasks.fusionbrain.open_clip_model import load_open_clip
    from core.tasks.fusionbrain.ruclip import load_ruclip

    return (load_ruclip if role == "ruclip" else load_open_clip)(folder, weights)


@dataclass(frozen=True, slots=True, eq=False)
class Vectors:
    """The vectors that are known of one kind of items, by the items' hashes."""

    cache: RowCache
    by_hash: dict[str, Rows] = field(default_factory=dict)

    def absent(self, hashes: Sequence[str]) -> list[Shard]:
        """The shards of items whose vectors are not kept; those of the others are known now."""
        left = []
        for shard in shards(hashes):
            rows = self.cache.get(shard)
            if rows is None:
                left.append(shard)
            else:
                self.by_hash.update(zip(shard.hashes, rows, strict=True))
        return left

    def add(self, hashes: Sequence[str], rows: Rows, shard: Shard) -> None:
        """Take new vectors of a shard; it is kept where none of its items failed."""
        self.by_hash.update(zip(hashes, rows, strict=True))
        if len(hashes) == len(shard.hashes):
            self.cache.put(shard, rows)


class Embedder:
    """A model on the run's device; it is loaded when the first vector is not known yet.

    `reasons` says why a picture could not be read, `defects` what is odd about others.
    """

    def __init__(self, found: Weights, cache: Cache, run: Run) -> None:
        self._found, self._cache, self._run = found, cache, run
        self._hashes = " ".join(fingerprints(found, run.check).values())
        self.reasons: dict[Path, str] = {}
        self.defects: list[Defect] = []

    def captions(self, captions: Iterable[str]) -> dict[str, Rows]:
        """The vectors of captions."""
        by_hash = {_text_hash(caption): caption for caption in captions}
        vectors = Vectors(self._rows("text"))
        absent = vectors.absent(list(by_hash))
        total, done = sum(len(shard.hashes) for shard in absent), 0
        for shard in absent:
            ids = np.array([self._model.tokens(by_hash[one]) for one in shard.hashes])
            vectors.add(shard.hashes, self._texts.rows(_tensor(ids), self._run).numpy(), shard)
            done += len(shard.hashes)
            self._run.report(done, total, "CLIP, captions", "captions")
        return {caption: vectors.by_hash[one] for one, caption in by_hash.items()}

    def pictures(self, paths: Iterable[Path]) -> dict[Path, Rows]:
        """The vectors of those pictures that can be read."""
        unique = list(dict.fromkeys(paths))
        hashes = dict(zip(unique, self._run.map(self._hash, unique), strict=True))
        by_hash = {one: path for path, one in hashes.items() if one}
        vectors = Vectors(self._rows("picture"))
        absent = vectors.absent(list(by_hash))
        wanted = [by_hash[one] for shard in absent for one in shard.hashes]
        pixels = self._pixels(wanted)
        for shard in absent:
            arrays = zip(shard.hashes, islice(pixels, len(shard.hashes)), strict=True)
            sound = {one: array for one, array in arrays if array is not None}
            if sound:
                rows = self._images.rows(_tensor(np.stack(list(sound.values()))), self._run)
                vectors.add(tuple(sound), rows.numpy(), shard)
        self._repeat_reasons(hashes, by_hash)
        known = vectors.by_hash
        return {path: known[one] for path, one in hashes.items() if one in known}

    def _pixels(self, paths: Sequence[Path]) -> Any:
        """The prepared pictures in order, None for one that cannot be read."""
        if not paths:
            return iter(())
        model = self._model  # loaded here, not by several workers

        def prepared(path: Path) -> Any:
            try:
                picture = open_picture(path)
            except PictureError as fault:
                self.reasons[path] = f"The picture {fault}."
                return None
            self.defects += told(path, picture.remarks)
            return model.pixels(picture.image)

        total = len(paths)
        return self._run.map(prepared, paths, total=total, text="CLIP", unit="images")

    def _hash(self, path: Path) -> str:
        """The hash of a picture's file; a missing one gets its reason."""
        try:
            return fingerprint(path).sha256
        except OSError as fault:
            absent = isinstance(fault, FileNotFoundError)
            what = "does not exist" if absent else f"cannot be read: {fault.strerror}"
            self.reasons[path] = f"The picture {what}."
            return ""

    def _repeat_reasons(self, hashes: Mapping[Path, str], by_hash: Mapping[str, Path]) -> None:
        """Files of equal content fail alike."""
        for path, one in hashes.items():
            twin = by_hash.get(one, path)
            if twin in self.reasons:
                self.reasons[path] = self.reasons[twin]

    @cached_property
    def _model(self) -> ClipModel:
        self._run.report(0, 0, f"Loading {self._found.role.title}")
        weights = self._found.files[-1]
        model = self._run.call(load, self._found.role.id, self._found.path, weights, self._hashes)
        return model.to(pick(self._run.device).id)

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
