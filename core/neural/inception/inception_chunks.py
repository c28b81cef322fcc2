"""Inception features as work: chunks of pictures, done by one network for each device."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from jurydesk.core.metrics.fid.inception_network import Inception, inception
from jurydesk.core.metrics.fid.inception_weights import DIMS, optional_shapes, shapes
from jurydesk.core.metrics.fid.preprocessing import PRESETS, Extractor
from jurydesk.core.model.chunk import Check, Work
from jurydesk.core.model.chunk_codec import NO_IDENTITY, digest
from jurydesk.core.neural.batches import Batches
from jurydesk.core.neural.device_pool import networks
from jurydesk.core.neural.inception.image_chunks import Pictures, Vectors, carried, vectors_of
from jurydesk.core.neural.weights.weight_loading import fitting, load_tensors
from jurydesk.core.neural.weights.weight_roles import weights_there


@dataclass(frozen=True, slots=True)
class InceptionSettings:
    """The preset, the width of the features, the weights by their digest, and the device."""

    preset: str
    dims: int
    weights: str
    path: str = field(metadata=NO_IDENTITY)
    device: str = field(metadata=NO_IDENTITY)

    @property
    def key(self) -> str:
        """What tells this network from others."""
        return f"inception {digest(self)} {self.device}"


def score_pictures(settings: InceptionSettings, chunk: Pictures, check: Check) -> Vectors:
    """The features of a chunk; ResourceMissing where this machine has other weights."""
    lanes = networks(settings.key, settings.device, partial(load, settings))
    return vectors_of(chunk, PRESETS[settings.preset].prepare, lanes, check)


def load(settings: InceptionSettings, device: str) -> Batches:
    """The network on a device; ResourceMissing where this machine has other weights."""
    found = weights_there("inception", settings.path, settings.weights)
    network = load_inception(found.path, device, settings.dims)
    return Batches(Extractor(PRESETS[settings.preset], network), device)


def load_inception(path: Path, device: str, dims: int = DIMS[-1]) -> Inception:
    """The network with the weights of a file; ResourceMissing where they do not fit."""
    tensors = fitting(load_tensors(path), shapes(), path, optional_shapes())
    return inception(tensors, device, dims)


WORK = Work(
    "inception",
    score_pictures,
    InceptionSettings,
    Pictures,
    Vectors,
    on_device=True,
    carried=carried,
)
