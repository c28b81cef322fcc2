"""Inception features of a folder of pictures: decoded by several workers, kept so as to resume.

Rows are kept in shards of some 32 pictures. Where a shard ends depends on the content of its
pictures alone, so that a picture more or less spoils one shard and not all that follow.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from core.defects import Defect, Place, counted, error, listing
from core.metrics.frechet import Gaussian
from core.metrics.moments import Moments
from core.model import UsageError
from core.paths import fingerprint
from core.run.shards import RowCache, Rows, Shard, shards
from core.tasks.pictures import PictureError, fid_pictures, open_picture, told

if TYPE_CHECKING:
    from core.metrics.fid import Preset
    from core.run.batches import Batches
    from core.run.run import Run

KEPT = 20_000
"""Up to so many pictures the features stay in memory; beyond it only their sums."""


class UnusablePictures(UsageError):  # noqa: N818 - says what is wrong
    """Pictures that cannot be read; `defects` says of each one why."""

    def __init__(self, folder: Path, defects: Sequence[Defect]) -> None:
        self.defects = tuple(defects)
        names = [Path(defect.place.path).name for defect in defects]
        super().__init__(
            f"{folder}: {counted(len(names), 'picture')} cannot be read ({listing(names)}). "
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

    def take(self, shard: Shard, rows: Rows) -> None:
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

    def read(self, folder: Path, run: Run) -> tuple[FolderFeatures, str]:
        """The features of a folder's pictures, and the SHA-256 of all of them together.

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
        absent = list(self._cached(shards(hashes), found))
        self._compute(folder, paths, absent, found, run)
        if found.broken:
            raise UnusablePictures(folder, found.broken)
        return found, hashlib.sha256("".join(sorted(hashes)).encode()).hexdigest()

    def _cached(self, every: Sequence[Shard], found: FolderFeatures) -> Iterator[Shard]:
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
        absent: Sequence[Shard],
        found: FolderFeatures,
        run: Run,
    ) -> None:
        """Compute, count and keep the features of shards; after a bad picture only look on."""
        wanted = [paths[place] for shard in absent for place in shard.places]
        text = f"Inception, images of {folder.name}"
        decoded = run.map(self._decode, wanted, total=len(wanted), text=text, unit="images")
        for shard in absent:
            arrays = []
            for array, defects in islice(decoded, len(shard.places)):
                found.defects += defects if array is not None else ()
                found.broken += defects if array is None else ()
                arrays.append(array)
            if not found.broken:
                self._finish(shard, arrays, found, run)

    def _finish(self, shard: Shard, arrays: list[Any], found: FolderFeatures, run: Run) -> None:
        import torch

        rows = self.batches.rows(torch.from_numpy(np.stack(arrays)), run).numpy()
        self.cache.put(shard, rows)
        found.take(shard, rows)

    def _decode(self, path: Path) -> tuple[Any, list[Defect]]:
        """The prepared picture with remarks about it, or None with the reason."""
        try:
            picture = open_picture(path)
            return self.preset.prepare(picture.image), told(path, picture.remarks)
        except PictureError as fault:
            hint = "Replace it by a sound picture."
            return None, [error(Place(str(path)), f"The picture {fault}.", "", hint)]


def _sha256(path: Path) -> str:
    return fingerprint(path).sha256
