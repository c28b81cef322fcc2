"""Inception features of a folder of pictures: decoded by several workers, kept so as to resume.

Rows are kept in shards of some 32 pictures. Where a shard ends depends on the content of its
pictures alone, so that a picture more or less spoils one shard and not all that follow.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.metrics.fid.frechet_distance import Gaussian
from jurydesk.core.metrics.fid.moments import Moments
from jurydesk.core.model.chunk import ChunkRequest
from jurydesk.core.model.defects import Defect, Place, counted, error, name_list
from jurydesk.core.model.evaluation import UsageError
from jurydesk.core.neural.device_pool import DevicePool, device_ids, share_networks
from jurydesk.core.neural.feature_cache import FeatureShard, RowCache, Rows, split_into_shards
from jurydesk.core.neural.inception.image_chunks import PictureChunk, PictureFeatures
from jurydesk.core.neural.inception.inception_chunks import (
    WORK,
    InceptionSettings,
    load_shared_inception,
)
from jurydesk.core.neural.weights.weight_roles import WeightFiles, weights_digest
from jurydesk.core.readers.images import fid_pictures, picture_defects
from jurydesk.core.system.paths import fingerprint

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run
    from jurydesk.core.metrics.fid.preprocessing import Preset
    from jurydesk.core.neural.batches import Batches

KEPT = 20_000
"""Up to so many pictures the features stay in memory; beyond it only their sums."""


class UnusablePictures(UsageError):  # noqa: N818 - says what is wrong
    """Pictures that cannot be read; `defects` says of each one why."""

    def __init__(self, folder: Path, defects: Sequence[Defect]) -> None:
        self.defects = tuple(defects)
        names = [Path(defect.place.path).name for defect in defects]
        super().__init__(
            f"{folder}: {counted(len(names), 'picture')} cannot be read ({name_list(names)}). "
            "Replace or remove them: the distance would be one of fewer pictures."
        )


@dataclass(slots=True, eq=False)
class FolderFeatures:
    """What is known of a folder so far: sums, features where they are few enough, defects."""

    n: int
    width: int
    defects: list[Defect] = field(default_factory=list)
    broken: list[Defect] = field(default_factory=list)
    moments: Moments = field(init=False)
    rows: Rows | None = field(init=False)

    def __post_init__(self) -> None:
        self.moments = Moments(self.width)
        few = self.n <= KEPT
        self.rows = np.empty((self.n, self.width), dtype=np.float32) if few else None

    def take(self, shard: FeatureShard, rows: Rows) -> None:
        """Count the features of a shard."""
        if self.rows is None:
            self.moments.add(rows)
        else:
            self.rows[list(shard.places)] = rows

    def gaussian(self) -> Gaussian:
        """Their distribution."""
        if self.rows is not None:
            return Gaussian.of(self.rows)
        return Gaussian(self.moments.mean, self.moments.covariance, self.n)


@dataclass(frozen=True, slots=True, eq=False)
class PictureReader:
    """Computes features of folders by one network, and keeps them under one name."""

    batches: Batches
    preset: Preset
    dims: int
    weights: str
    cache: RowCache
    place: WeightFiles | None = None
    """The weights of the network, for others who load it too; None for one that only we have."""

    def read(self, folder: Path, run: Run) -> tuple[FolderFeatures, str]:
        """Return the features of a folder's pictures, and the SHA-256 of all of them together.

        Raises UsageError with fewer than two pictures, UnusablePictures, and Cancelled.
        """
        paths = fid_pictures(folder)
        if len(paths) < 2:
            raise UsageError(
                f"{folder} holds {counted(len(paths), 'picture')}, and a distribution needs two. "
                "Taken are the files that end with .png, .jpg, .jpeg, .webp, .bmp, .tif, .tiff, "
                ".ppm or .pgm, in the folder itself."
            )
        hashes = list(
            run.map(_sha256, paths, total=len(paths), text=f"Looking through {folder.name}")
        )
        found = FolderFeatures(len(paths), self.dims)
        absent = list(self._cached(split_into_shards(hashes), found))
        self._compute(folder, paths, absent, found, run)
        if found.broken:
            raise UnusablePictures(folder, found.broken)
        return found, hashlib.sha256("".join(sorted(hashes)).encode()).hexdigest()

    def _cached(
        self, every: Sequence[FeatureShard], found: FolderFeatures
    ) -> Iterator[FeatureShard]:
        """Count the shards whose features are kept; the others come out."""
        for shard in every:
            rows = self.cache.get(shard)
            if rows is None or rows.shape[1] != self.dims:
                yield shard
            else:
                found.take(shard, rows)

    def _compute(
        self,
        folder: Path,
        paths: Sequence[Path],
        absent: Sequence[FeatureShard],
        found: FolderFeatures,
        run: Run,
    ) -> None:
        """Compute, count and keep the features of shards."""
        # Pictures from several folders are copied into one that nobody else sees.
        shared = not folder.is_relative_to(tempfile.gettempdir())
        chunks = [
            PictureChunk(shard.hashes, [str(paths[place]) for place in shard.places], shared)
            for shard in absent
        ]
        settings = self._settings(run)
        ids = device_ids(run.device)
        device = self.batches.device
        lanes = DevicePool(
            ids if device in ids else (device,), partial(load_shared_inception, settings)
        )
        lanes.put(device, self.batches)
        share_networks(settings.key, lanes)
        text = f"Inception, images of {folder.name}"
        request = ChunkRequest(WORK, settings, chunks, text, "images", is_cached=False)
        for shard, vectors in zip(absent, run.each(request), strict=True):
            self._take(shard, paths, vectors, found)

    def _take(
        self,
        shard: FeatureShard,
        paths: Sequence[Path],
        vectors: PictureFeatures,
        found: FolderFeatures,
    ) -> None:
        """Count and keep the features of a shard, unless one of its pictures is bad."""
        for place, reason, remarks in zip(
            shard.places, vectors.reasons, vectors.remarks, strict=True
        ):
            if reason:
                hint = "Replace it by a sound picture."
                bad = error(Place(str(paths[place])), f"The picture {reason}.", "", hint)
                found.broken.append(bad)
            found.defects += picture_defects(paths[place], tuple(remarks))
        if not any(vectors.reasons):
            self.cache.put(shard, vectors.rows)
            found.take(shard, vectors.rows)

    def _settings(self, run: Run) -> InceptionSettings:
        place = self.place
        digest = self.weights if place is None else weights_digest(place)
        path = "" if place is None else os.path.abspath(place.path)  # noqa: PTH100 - keeps links
        return InceptionSettings(self.preset.id, self.dims, digest, path, run.device)


def _sha256(path: Path) -> str:
    return fingerprint(path).sha256
