"""Chunk kind of Inception features, with one network per device."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from jurydesk.core.metrics.fid.inception_network import Inception, build_inception
from jurydesk.core.metrics.fid.inception_weights import DIMS, optional_shapes, shapes
from jurydesk.core.metrics.fid.preprocessing import PRESETS, Extractor
from jurydesk.core.model.chunk import Check, ChunkKind
from jurydesk.core.model.chunk_codec import NO_IDENTITY, content_digest
from jurydesk.core.neural.batches import Batches
from jurydesk.core.neural.device_pool import shared_networks
from jurydesk.core.neural.inception.image_chunks import (
    NetworkPlace,
    PictureChunk,
    PictureFeatures,
    PicturePreparation,
    picture_features,
    with_picture_bytes,
)
from jurydesk.core.neural.weights.weight_loading import load_tensors, matching_tensors
from jurydesk.core.neural.weights.weight_roles import installed_weights
from jurydesk.core.readers.images import ARRAY_ENDING


@dataclass(frozen=True, slots=True)
class InceptionSettings:
    """Settings of Inception chunks: preset, width of the features, weights (digest) and device."""

    preset: str
    dims: int
    weights: str
    path: str = field(metadata=NO_IDENTITY)
    device: str = field(metadata=NO_IDENTITY)

    @property
    def key(self) -> str:
        """Key of the network among the shared ones."""
        return f"inception {content_digest(self)} {self.device}"


def score_inception_chunk(
    settings: InceptionSettings, chunk: PictureChunk, check: Check
) -> PictureFeatures:
    """Return the features of a chunk; ResourceMissing if this machine has other weights."""
    reads_arrays = ARRAY_ENDING in PRESETS[settings.preset].endings
    (found,) = picture_features(
        chunk, [inception_preparation(settings)], check, arrays=reads_arrays
    )
    return found


def inception_preparation(settings: InceptionSettings) -> PicturePreparation:
    """Return the preset's preparation of pictures for the shared network, which may be loaded."""
    pool = shared_networks(settings.key, settings.device, partial(load_shared_inception, settings))
    return PicturePreparation(PRESETS[settings.preset].prepare, pool)


def load_shared_inception(settings: InceptionSettings, device: str) -> Batches:
    """Load the network on a device; ResourceMissing if this machine has other weights."""
    found = installed_weights("inception", settings.path, settings.weights)
    network = load_inception(found.path, device, settings.dims)
    return Batches(Extractor(PRESETS[settings.preset], network), device)


def load_inception(path: Path, device: str, dims: int = DIMS[-1]) -> Inception:
    """Load the network with the weights of a file; ResourceMissing if they do not fit."""
    tensors = matching_tensors(load_tensors(path), shapes(), path, optional_shapes())
    return build_inception(tensors, device, dims)


WORK = ChunkKind(
    "inception",
    score_inception_chunk,
    InceptionSettings,
    PictureChunk,
    PictureFeatures,
    on_device=True,
    embed_files=with_picture_bytes,
)
INCEPTION = "Inception"


def inception_work(
    place: NetworkPlace, preset: str, dims: int
) -> tuple[ChunkKind[Any, Any, Any], InceptionSettings, Callable[..., Batches]]:
    """Return the chunks of Inception with their settings and the loader of the network."""
    settings = InceptionSettings(preset, dims, place.weights, place.path, place.device)
    return WORK, settings, load_shared_inception
