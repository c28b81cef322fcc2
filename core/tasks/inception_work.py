"""Inception features as work: chunks of pictures, done by one network for each device."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from core.bundle import NO_IDENTITY, digest
from core.metrics.fid import PRESETS, Extractor
from core.metrics.inception import Inception, inception
from core.metrics.inception_table import DIMS, optional_shapes, shapes
from core.run.batches import Batches
from core.run.lanes import networks
from core.run.weights import weights_there
from core.run.weights_loading import fitting, load_tensors
from core.tasks.picture_chunks import Pictures, Vectors, carried, vectors_of
from core.work import Check, Work


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
