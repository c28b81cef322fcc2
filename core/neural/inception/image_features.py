"""Features of a set of pictures by one network, computed in parallel and cached.

Rows are cached in shards of about 32 pictures. The boundaries depend on the content of the pictures
alone, so that adding or removing a picture invalidates one shard only.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from jurydesk.core.language import Message, counted, fill, name_list
from jurydesk.core.metrics.fid.frechet_distance import Gaussian
from jurydesk.core.metrics.fid.moments import Moments
from jurydesk.core.model.chunk import ChunkKind, ChunkRequest
from jurydesk.core.model.defects import Defect, Place, error
from jurydesk.core.model.evaluation import UsageError
from jurydesk.core.neural.device_pool import DevicePool, device_ids, share_networks
from jurydesk.core.neural.feature_cache import (
    FeatureShard,
    Remarks,
    RowCache,
    Rows,
    split_into_shards,
)
from jurydesk.core.neural.inception.image_chunks import NetworkPlace, PictureChunk, PictureFeatures
from jurydesk.core.neural.inception.inception_chunks import INCEPTION, inception_work
from jurydesk.core.neural.weights.weight_roles import WeightFiles, weights_digest
from jurydesk.core.readers.images import picture_defects
from jurydesk.core.system.paths import fingerprint

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run
    from jurydesk.core.metrics.fid.preprocessing import Preset
    from jurydesk.core.neural.batches import Batches
    from jurydesk.core.neural.inception.picture_sets import PictureSet


Work = Callable[[NetworkPlace, str, int], tuple[ChunkKind[Any, Any, Any], Any, Callable[..., Any]]]
"""Function from a network's place, preset and width to its chunks, their settings and a loader."""

MOST_ROWS = 20_000
"""Maximum number of pictures whose features stay in memory; of more, only the moments do."""


class UnusablePictures(UsageError):  # noqa: N818 - a public name
    """Pictures that cannot be read, each with a defect; `remarks` are those on other pictures."""

    def __init__(
        self, folder: Path, defects: Sequence[Defect], remarks: Sequence[Defect] = ()
    ) -> None:
        self.remarks = tuple(remarks)
        self.defects = (*self.remarks, *defects)
        names = [Path(defect.place.path).name for defect in defects]
        super().__init__(
            fill(
                "{folder}: {pictures} cannot be read ({name_list}). Replace or remove them: "
                "the distance would be one of fewer pictures.",
                folder,
                counted(len(names), "picture"),
                name_list(names),
            )
        )


@dataclass(slots=True, eq=False)
class FolderFeatures:
    """Features of a folder, or their moments if there are many, and its defects."""

    n: int
    width: int
    defects: list[Defect] = field(default_factory=list)
    broken: list[Defect] = field(default_factory=list)
    keeps: bool = False
    """Whether the features of many pictures stay in memory, too."""
    moments: Moments = field(init=False)
    rows: Rows | None = field(init=False)

    def __post_init__(self) -> None:
        self.moments = Moments(self.width)
        has_rows = self.keeps or self.n <= MOST_ROWS
        self.rows = np.empty((self.n, self.width), dtype=np.float32) if has_rows else None

    def add(self, shard: FeatureShard, rows: Rows) -> None:
        """Add the features of a shard."""
        if self.n > MOST_ROWS:
            self.moments.add(rows)
        if self.rows is not None:
            self.rows[list(shard.places)] = rows

    def gaussian(self) -> Gaussian:
        """Return the Gaussian distribution of the features."""
        if self.rows is not None and self.n <= MOST_ROWS:
            return Gaussian.of(self.rows)
        return Gaussian(self.moments.mean, self.moments.covariance, self.n, self.rows)


@dataclass(frozen=True, slots=True, eq=False)
class PictureReader:
    """Reader of pictures that computes and caches features by one network."""

    batches: Batches
    preset: Preset
    dims: int
    weights: str
    cache: RowCache
    place: WeightFiles | None = None
    """Weight files of the network, for other workers; None for a network of this process only."""
    work: Work = inception_work
    title: str = INCEPTION

    def read(
        self, pictures: PictureSet, run: Run, *, keeps: bool = False
    ) -> tuple[FolderFeatures, str]:
        """Return the features of a set of pictures, and one SHA-256 over all of them.

        With `keeps`, the features of many pictures are returned as well, not their moments alone.

        Raises UsageError for fewer than two pictures, UnusablePictures, and Cancelled.
        """
        folder, paths = pictures.place, pictures.files
        pictures.require_two(self.preset)
        hashes = picture_hashes(paths, fill("Looking through {folder}", folder.name), run)
        features = FolderFeatures(len(paths), self.dims, list(pictures.defects), keeps=keeps)
        absent = list(self._add_cached(split_into_shards(hashes), paths, features))
        self._compute(folder, paths, absent, features, run)
        if features.broken:
            raise UnusablePictures(folder, features.broken, features.defects)
        features.defects.sort(key=lambda defect: defect.place.path)
        return features, hashlib.sha256("".join(sorted(hashes)).encode()).hexdigest()

    def cached(self, shard: FeatureShard) -> tuple[Rows, Remarks] | None:
        """Return the cached rows of a shard and the remarks on its pictures, or None."""
        found = self.cache.get(shard)
        return found if found is not None and found[0].shape[1] == self.dims else None

    def lacks(self, hashes: Sequence[str]) -> bool:
        """Return whether features of pictures with some of these SHA-256 are not cached."""
        return any(self.cached(shard) is None for shard in split_into_shards(hashes))

    def _add_cached(
        self, shards: Sequence[FeatureShard], paths: Sequence[Path], features: FolderFeatures
    ) -> Iterator[FeatureShard]:
        """Add the cached shards; yield the others."""
        for shard in shards:
            cached = self.cached(shard)
            if cached is None:
                yield shard
                continue
            rows, remarks = cached
            features.add(shard, rows)
            for place, phrases in zip(shard.places, remarks, strict=True):
                features.defects += picture_defects(paths[place], phrases)

    def _compute(
        self,
        folder: Path,
        paths: Sequence[Path],
        absent: Sequence[FeatureShard],
        features: FolderFeatures,
        run: Run,
    ) -> None:
        kind, settings, pool = self.shared_network(run)
        share_networks(settings.key, pool)
        text = fill("{network}, images of {folder}", Message(self.title), folder.name)
        chunks = shard_chunks(absent, paths)
        request = ChunkRequest(kind, settings, chunks, text, "images", is_cached=False)
        for shard, vectors in zip(absent, run.each(request), strict=True):
            self._add_computed(shard, paths, vectors, features)

    def shared_network(self, run: Run) -> tuple[ChunkKind[Any, Any, Any], Any, DevicePool[Batches]]:
        """Return the kind and settings of this network's chunks, and its devices."""
        kind, settings, load = self.work(self._place(run), self.preset.id, self.dims)
        ids = device_ids(run.device)
        device = self.batches.device
        pool = DevicePool(ids if device in ids else (device,), partial(load, settings))
        pool.put(device, self.batches)
        return kind, settings, pool

    def _add_computed(
        self,
        shard: FeatureShard,
        paths: Sequence[Path],
        vectors: PictureFeatures,
        features: FolderFeatures,
    ) -> None:
        """Add and cache the features of a shard, unless one of its pictures is unusable."""
        for place, reason, remarks in zip(
            shard.places, vectors.reasons, vectors.remarks, strict=True
        ):
            if reason:
                hint = "Replace it by a valid picture."
                defect = error(
                    Place(str(paths[place])),
                    fill("The picture {reason}.", Message(reason)),
                    "",
                    hint,
                )
                features.broken.append(defect)
            features.defects += picture_defects(paths[place], remarks)
        if not any(vectors.reasons):
            self.cache.put(shard, vectors.rows, vectors.remarks)
            features.add(shard, vectors.rows)

    def _place(self, run: Run) -> NetworkPlace:
        place = self.place
        digest = self.weights if place is None else weights_digest(place)
        path = "" if place is None else os.path.abspath(place.path)  # noqa: PTH100 - keeps links
        role = "" if place is None else place.role.id
        return NetworkPlace(role, digest, path, run.device)


def shard_chunks(shards: Sequence[FeatureShard], paths: Sequence[Path]) -> list[PictureChunk]:
    """Return a chunk of pictures for each shard of these files."""
    # Archives are unpacked into a temporary folder, which is local.
    temporary = tempfile.gettempdir()
    shared = not any(path.is_relative_to(temporary) for path in paths)
    return [
        PictureChunk(shard.hashes, [str(paths[place]) for place in shard.places], shared)
        for shard in shards
    ]


def picture_hashes(paths: Sequence[Path], text: str, run: Run) -> list[str]:
    """Return the SHA-256 of each picture."""
    return list(run.map(_sha256, paths, total=len(paths), text=text))


def _sha256(path: Path) -> str:
    return fingerprint(path).sha256
