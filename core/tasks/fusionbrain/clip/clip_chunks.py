"""Chunked execution of CLIP image embedding, with one network per device."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from jurydesk.core.model.chunk import Check, Work
from jurydesk.core.model.chunk_codec import NO_IDENTITY, digest
from jurydesk.core.neural.batches import Batches
from jurydesk.core.neural.device_pool import Lanes, networks
from jurydesk.core.neural.inception.image_chunks import Pictures, Vectors, carried, vectors_of
from jurydesk.core.neural.weights.weight_roles import weights_there
from jurydesk.core.tasks.fusionbrain.clip.clip_model import ClipModel, PictureTower


@dataclass(frozen=True, slots=True)
class ClipSettings:
    """The role of the model, its weights by their digest, and the device."""

    role: str
    weights: str
    path: str = field(metadata=NO_IDENTITY)
    device: str = field(metadata=NO_IDENTITY)

    @property
    def key(self) -> str:
        """The key under which this network is cached."""
        return f"clip {digest(self)} {self.device}"


def embed_pictures(settings: ClipSettings, chunk: Pictures, check: Check) -> Vectors:
    """Return the vectors of a chunk; ResourceMissing where this machine has other weights."""
    lanes = networks(settings.key, settings.device, partial(load_network, settings))
    return vectors_of(chunk, _pixels(lanes), lanes, check)


def load_network(settings: ClipSettings, device: str) -> Batches:
    """Return the network on a device; ResourceMissing where this machine has other weights."""
    found = weights_there(settings.role, settings.path, settings.weights)
    model = load_model(settings.role, found.path, found.files[-1]).to(device)
    return Batches(PictureTower(model), device)


def load_model(role: str, folder: Path, weights: Path) -> ClipModel:
    """Return the model of a folder."""
    from jurydesk.core.tasks.fusionbrain.clip.open_clip import load_open_clip
    from jurydesk.core.tasks.fusionbrain.clip.ruclip import load_ruclip

    return (load_ruclip if role == "ruclip" else load_open_clip)(folder, weights)


_prepared: WeakKeyDictionary[Lanes[Batches], Callable[[Any], Any]] = WeakKeyDictionary()


def _pixels(lanes: Lanes[Batches]) -> Callable[[Any], Any]:
    """Return the image preprocessing of a device pool, looked up once."""
    if lanes not in _prepared:
        with lanes.taken() as batches:
            tower: Any = batches.network
            _prepared[lanes] = tower.model.pixels
    return _prepared[lanes]


WORK = Work(
    "clip", embed_pictures, ClipSettings, Pictures, Vectors, on_device=True, carried=carried
)
