"""Fréchet distance of two sets of pictures or `.npz` files, and measures of the same features."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.execution.cache import FolderCache
from jurydesk.core.execution.device import choose_device
from jurydesk.core.language import Message, counted, fill
from jurydesk.core.metrics.fid.frechet_distance import (
    Gaussian,
    Trace,
    gaussian_frechet_distance,
)
from jurydesk.core.metrics.fid.inception_weights import DIMS
from jurydesk.core.metrics.fid.kernel_distance import Estimate
from jurydesk.core.metrics.fid.preprocessing import OWN, PRESETS, Extractor, Preset
from jurydesk.core.model.defects import Defect, Place, note, warning
from jurydesk.core.model.evaluation import UsageError
from jurydesk.core.neural.batches import Batches
from jurydesk.core.neural.feature_cache import RowCache, Rows, split_into_shards
from jurydesk.core.neural.inception.feature_measures import (
    feature_measures,
    measure_defects,
    no_interval,
    resampled_interval,
)
from jurydesk.core.neural.inception.image_features import PictureReader
from jurydesk.core.neural.inception.inception_chunks import load_inception
from jurydesk.core.neural.inception.network_reader import network_reader
from jurydesk.core.neural.inception.npz_statistics import (
    ENDING,
    Statistics,
    is_statistics_file,
    read_statistics,
)
from jurydesk.core.neural.inception.picture_sets import (
    PictureSet,
    few_pictures_defects,
    folder_pictures,
)
from jurydesk.core.neural.weights.weight_hashes import sha256_of
from jurydesk.core.neural.weights.weight_loading import require_torch, require_torch_installed
from jurydesk.core.neural.weights.weight_origins import record_use
from jurydesk.core.neural.weights.weight_roles import require_weights
from jurydesk.core.system.paths import cache_folder, fingerprint

if TYPE_CHECKING:
    from jurydesk.core.execution.cache import Cache
    from jurydesk.core.execution.run import Run

PURPOSE = "The Frechet distance of pictures"
INCEPTION_ROLE = "inception"
PUBLISHED_SHA256 = "6726825d"  # the first digits, which are part of the file's name


@dataclass(frozen=True, slots=True, eq=False)
class FidResult:
    """Fréchet distance with the statistics it comes from and its defects."""

    value: float
    one: Statistics
    other: Statistics
    defects: tuple[Defect, ...]
    measures: Mapping[str, Estimate] = field(default_factory=dict)
    interval: tuple[float, float] | None = None
    """Bounds of the 95 % interval of the distance by resamples of the first side."""


@dataclass(frozen=True, slots=True, eq=False)
class FidCalculator:
    """Calculator of distances with a preset, a trace, weights by role and a feature cache.

    `network` is the role whose features are compared. `also` names other measures of them, with
    the first side as generated pictures; `resamples` of the first side give an interval.
    """

    weights: Mapping[str, Path]
    preset: str = "fusionbrain"
    trace: Trace = "published"
    dims: int = DIMS[-1]
    cache: Cache | None = None
    network: str = INCEPTION_ROLE
    also: tuple[str, ...] = ()
    resamples: int = 0

    def __post_init__(self) -> None:
        if self.preset not in PRESETS:
            raise UsageError(
                fill(
                    'There is no preset "{preset}". Available: {join}.',
                    self.preset,
                    ", ".join(PRESETS),
                )
            )

    def between(
        self,
        one: Path | PictureSet,
        other: Path | PictureSet,
        run: Run,
        reader: PictureReader | None = None,
    ) -> FidResult:
        """Compute the distance between two folders, `.npz` files or sets of pictures.

        `reader` is that of `self.reader` if it was opened before.

        Raises:
            UsageError: If one cannot be used (UnusablePictures with a defect for each picture).
            ResourceMissing: If the weights or PyTorch are missing.
            Cancelled: If the user cancelled the run.
        """
        if reader is None and self.reads_pictures(one, other):
            reader = self.reader(run)
        (first, first_defects), (second, second_defects) = run.gather(
            partial(self.statistics, one, reader, run), partial(self.statistics, other, reader, run)
        )
        widths = len(first.gaussian.mean), len(second.gaussian.mean)
        if widths[0] != widths[1]:
            raise UsageError(
                fill(
                    "{one} has features of {widths:,} dimensions, {other} of {widths2:,}: "
                    "they come from different networks.",
                    _place(one),
                    widths[0],
                    _place(other),
                    widths[1],
                )
            )
        run.report(0, 0, "Frechet distance")
        try:
            value = run.call(gaussian_frechet_distance, first.gaussian, second.gaussian, self.trace)
        except ValueError as fault:
            raise UsageError(
                fill("The distance cannot be computed: {fault}.", Message(str(fault)))
            ) from fault
        defects = [
            *first_defects,
            *second_defects,
            *_differences(_place(one), first, _place(other), second),
            *run.call(self._noise, _place(other), first.gaussian, second.gaussian, value),
        ]
        left, right = first.gaussian, second.gaussian
        measures = feature_measures(self.also, left, right, self.network, run)
        interval = (
            resampled_interval(value, left, right, self.resamples, run) if self.resamples else None
        )
        defects += measure_defects(_place(one), self.also, left, right)
        if self.resamples and interval is None:
            defects.append(no_interval(_place(one), left.n))
        return FidResult(value, first, second, tuple(dict.fromkeys(defects)), measures, interval)

    def _noise(
        self, place: Path, one: Gaussian, other: Gaussian, value: float
    ) -> tuple[Defect, ...]:
        """Return what rounding adds to the published distance of singular covariances."""
        is_singular = any(0 < side.n <= len(side.mean) for side in (one, other))
        if self.trace == "exact" or not is_singular:
            return ()
        exact = gaussian_frechet_distance(one, other, "exact")
        if value == exact:
            return ()
        found = fill(
            "Rounding noise in the published root moves the distance by {noise:.1e}.",
            abs(value - exact),
        )
        return (note(Place(str(place)), found, fill("--exact gives {exact:.6g}.", exact)),)

    def reads_pictures(self, *sides: Path | PictureSet) -> bool:
        """Return whether a side needs a network; UsageError for a path of another kind."""
        for side in sides:
            _require_folder_or_statistics(side)
        return not all(isinstance(side, Path) and is_statistics_file(side) for side in sides)

    def pictures(self, source: Path | PictureSet) -> PictureSet:
        """Return the pictures of a folder that the preset reads."""
        return folder_pictures(source, self.choice) if isinstance(source, Path) else source

    def reader(self, run: Run) -> PictureReader:
        """Return a reader with the network loaded on the run's device."""
        require_torch_installed(PURPOSE)
        if self.network != INCEPTION_ROLE:
            return network_reader(self.network, self.weights, self._cache, run)
        weights = require_weights("inception", self.weights)
        path = weights.path
        run.report(0, 0, "Loading Inception")
        run.call(require_torch, PURPOSE)
        sha256 = sha256_of(path, run.check)
        device = choose_device(run.device).id
        preset = PRESETS[self.preset]
        extractor = Extractor(preset, run.call(load_inception, path, device, self.dims))
        record_use(INCEPTION_ROLE, sha256, device)
        cache = self._rows(sha256)
        return PictureReader(Batches(extractor, device), preset, self.dims, sha256, cache, weights)

    def cached_features(self, paths: Sequence[Path], run: Run) -> Rows:
        """Return the cached features (n, dims) of pictures, without loading a network.

        Raises:
            UsageError: If some are not cached.
            ResourceMissing: Without the weight file, whose hash is part of the cache's key.
            Cancelled: If the user cancelled the run.
        """
        sha256 = sha256_of(require_weights("inception", self.weights).path, run.check)
        text = "Looking for the features of pictures"
        hashes = [one.sha256 for one in run.map(fingerprint, paths, total=len(paths), text=text)]
        features = np.empty((len(paths), self.dims), dtype=np.float32)
        cache, absent = self._rows(sha256), 0
        for shard in split_into_shards(hashes):
            cached = cache.get(shard)
            if cached is None or cached[0].shape[1] != self.dims:
                absent += len(shard.places)
            else:
                features[list(shard.places)] = cached[0]
        if absent:
            raise UsageError(
                fill(
                    "The Inception features of {pictures} are not kept on this computer: "
                    "score the system here, and ask again.",
                    counted(absent, "picture"),
                )
            )
        return features

    @property
    def _cache(self) -> Cache:
        return FolderCache(cache_folder() / "features") if self.cache is None else self.cache

    def _rows(self, sha256: str) -> RowCache:
        return RowCache(self._cache, ("inception", sha256, self.preset, str(self.dims)))

    @property
    def choice(self) -> Preset:
        """Preset that says which pictures of a folder are read."""
        return PRESETS[self.preset] if self.network == INCEPTION_ROLE else OWN

    def statistics(
        self, source: Path | PictureSet, reader: PictureReader | None, run: Run
    ) -> tuple[Statistics, list[Defect]]:
        """Return the statistics of pictures or of a `.npz` file, and the defects."""
        if isinstance(source, Path) and (reader is None or is_statistics_file(source)):
            found = read_statistics(source)
            return found, [
                *([note(Place(str(source)), found.remark)] if found.remark else ()),
                *_statistics_mismatch(source, found, self.choice.id),
                *few_pictures_defects(source, found.gaussian.n, len(found.gaussian.mean)),
            ]
        assert reader is not None  # noqa: S101 - pictures have one
        _require_folder_or_statistics(source)
        pictures = self.pictures(source)
        keeps = bool(self.also or self.resamples)
        features, digest = reader.read(pictures, run, keeps=keeps)
        gaussian = run.call(features.gaussian)
        found = Statistics(gaussian, reader.preset.id, reader.weights, digest)
        return found, [
            *features.defects,
            *few_pictures_defects(pictures.place, len(pictures.files), reader.dims),
            *(_unpublished_weights_warning(reader) if self.network == INCEPTION_ROLE else ()),
        ]


def _require_folder_or_statistics(source: Path | PictureSet) -> None:
    """Raise UsageError for a path of another kind, before weights are sought."""
    if isinstance(source, PictureSet) or is_statistics_file(source):
        return
    if source.is_file():
        raise UsageError(
            fill(
                "{place} is a file, and no {ending} of statistics: a folder of pictures "
                "or such a file is expected.",
                source,
                ENDING,
            )
        )
    if not source.exists():
        raise UsageError(fill("{place}: there is no such folder.", source))


def _place(source: Path | PictureSet) -> Path:
    return source if isinstance(source, Path) else source.place


def _statistics_mismatch(place: Path, found: Statistics, preset: str) -> Iterator[Defect]:
    if found.preset and found.preset != preset:
        yield warning(
            Place(str(place)),
            fill(
                "The statistics were made by the preset {preset}, and this is {preset2}.",
                found.preset,
                preset,
            ),
            "",
            "Compute them again, or choose their preset.",
        )


def _differences(one: Path, first: Statistics, other: Path, second: Statistics) -> Iterator[Defect]:
    if first.weights and second.weights and first.weights != second.weights:
        yield warning(
            Place(str(other)),
            fill("Its features come from other weights than those of {name}.", one.name),
            "",
            "Such a distance means nothing: make both with the same weights.",
        )


def _unpublished_weights_warning(reader: PictureReader) -> Iterator[Defect]:
    if not reader.weights.startswith(PUBLISHED_SHA256):
        yield note(
            Place("inception"),
            fill(
                "The Inception weights are not the published ones (SHA-256 {weights}...).",
                reader.weights[:8],
            ),
            fill("Those of published distances begin with {published_sha256}.", PUBLISHED_SHA256),
        )
