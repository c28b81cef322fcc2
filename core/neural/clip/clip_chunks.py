"""Chunked execution of image embedding by CLIP and DINOv2, with one network per device."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from jurydesk.core.model.chunk import Check, ChunkKind
from jurydesk.core.model.chunk_codec import NO_IDENTITY, content_digest
from jurydesk.core.neural.batches import Batches
from jurydesk.core.neural.clip.clip_model import ClipModel, PictureTower
from jurydesk.core.neural.device_pool import DevicePool, shared_networks
from jurydesk.core.neural.inception.image_chunks import (
    NetworkPlace,
    PictureChunk,
    PictureFeatures,
    PicturePreparation,
    picture_features,
    with_picture_bytes,
)
from jurydesk.core.neural.weights.weight_roles import installed_weights


@dataclass(frozen=True, slots=True)
class ClipSettings:
    """Role of the model, digest of its weights, path and device."""

    role: str
    weights: str
    path: str = field(metadata=NO_IDENTITY)
    device: str = field(metadata=NO_IDENTITY)

    @property
    def key(self) -> str:
        """Cache key of the network."""
        return f"clip {content_digest(self)} {self.device}"


def embed_pictures(settings: ClipSettings, chunk: PictureChunk, check: Check) -> PictureFeatures:
    """Embed a chunk of images; raise ResourceMissing if the weights differ on this machine."""
    (found,) = picture_features(chunk, [clip_preparation(settings)], check)
    return found


def clip_preparation(settings: ClipSettings) -> PicturePreparation:
    """Return the model's preparation of pictures for the shared network, which may be loaded."""
    pool = shared_networks(settings.key, settings.device, partial(load_network, settings))
    # open_clip resizes an image before it converts its colors, ruCLIP after that.
    return PicturePreparation(_pixels(pool), pool, None if settings.role == "clip" else "RGB")


def load_network(settings: ClipSettings, device: str) -> Batches:
    """Load the network; raise ResourceMissing if the weights differ on this machine."""
    weights = installed_weights(settings.role, settings.path, settings.weights)
    model = load_model(settings.role, weights.path, weights.files[-1]).to(device)
    return Batches(PictureTower(model), device)


def load_model(role: str, folder: Path, weights: Path) -> ClipModel:
    """Load the model of a folder."""
    from jurydesk.core.neural.clip.dino import load_dino
    from jurydesk.core.neural.clip.open_clip import load_open_clip
    from jurydesk.core.neural.clip.ruclip import load_ruclip

    loaders = {"ruclip": load_ruclip, "clip": load_open_clip, "dinov2": load_dino}
    return loaders[role](folder, weights)


_preprocessing: WeakKeyDictionary[DevicePool[Batches], Callable[[Any], Any]] = WeakKeyDictionary()


def _pixels(pool: DevicePool[Batches]) -> Callable[[Any], Any]:
    """Return the image preprocessing of a device pool, looked up once."""
    if pool not in _preprocessing:
        with pool.acquire() as batches:
            tower: Any = batches.network
            _preprocessing[pool] = tower.model.pixels
    return _preprocessing[pool]


CLIP_CHUNKS = ChunkKind(
    "clip",
    embed_pictures,
    ClipSettings,
    PictureChunk,
    PictureFeatures,
    on_device=True,
    embed_files=with_picture_bytes,
)


def clip_work(
    place: NetworkPlace, preset: str, dims: int
) -> tuple[ChunkKind[Any, Any, Any], ClipSettings, Callable[..., Batches]]:
    """Return the chunks of a role's network with their settings and the loader of the network."""
    settings = ClipSettings(place.role, place.weights, place.path, place.device)
    return CLIP_CHUNKS, settings, load_network
