"""Chunks of pictures for a network, with their paths or their bytes, and their features."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from jurydesk.core.language import fill
from jurydesk.core.model.chunk import Check
from jurydesk.core.model.chunk_codec import NO_IDENTITY
from jurydesk.core.model.evaluation import IntArray
from jurydesk.core.neural.batches import Batches
from jurydesk.core.neural.device_pool import DevicePool
from jurydesk.core.readers.images import PictureError, open_picture

Rows = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.uint8]


def _no_starts() -> IntArray:
    return np.empty(0, np.int64)


def _no_content() -> Bytes:
    return np.empty(0, np.uint8)


@dataclass(frozen=True, slots=True)
class NetworkPlace:
    """Place of a network: its role, digest and path of the weights, and device."""

    role: str
    weights: str
    path: str
    device: str


@dataclass(frozen=True, slots=True, eq=False)
class PictureChunk:
    """Chunk of pictures, identified by their SHA-256.

    `content` holds the concatenated bytes of the files if they are embedded: those of picture i
    are `content[starts[i]:starts[i + 1]]`. Otherwise they are read from `paths`; `shared` is False
    if other machines cannot have these paths.
    """

    hashes: Sequence[str]
    paths: Sequence[str] = field(metadata=NO_IDENTITY)
    shared: bool = field(default=True, metadata=NO_IDENTITY)
    starts: IntArray = field(default_factory=_no_starts, metadata=NO_IDENTITY)
    content: Bytes = field(default_factory=_no_content, metadata=NO_IDENTITY)

    def __post_init__(self) -> None:
        if len(self.hashes) != len(self.paths):
            raise ValueError("the numbers of hashes and paths differ")

    def __len__(self) -> int:
        return len(self.hashes)

    def sources(self) -> Iterator[tuple[Path, bytes | None]]:
        """Yield the path of each picture, and its bytes if they are embedded."""
        for number, path in enumerate(self.paths):
            if len(self.starts):
                first, last = self.starts[number : number + 2].tolist()
                yield Path(path), self.content[first:last].tobytes()
            else:
                yield Path(path), None


def with_picture_bytes(chunk: PictureChunk, by_path: bool) -> PictureChunk:
    """Return the chunk with the bytes of its files, unless all machines have their paths.

    A file that cannot be read has no bytes; decoding it reports this.
    """
    if by_path and chunk.shared:
        return chunk
    contents = [_bytes(Path(path)) for path in chunk.paths]
    starts = np.cumsum([0, *map(len, contents)], dtype=np.int64)
    return replace(chunk, starts=starts, content=np.frombuffer(b"".join(contents), np.uint8))


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


@dataclass(frozen=True, slots=True, eq=False)
class PictureFeatures:
    """Features of k pictures: rows (k, width); the width is 0 if no picture can be used.

    `reasons` says why a picture cannot be used (its row is 0), or is empty; `remarks` are those of
    decoding it.
    """

    rows: Rows
    reasons: Sequence[str]
    remarks: Sequence[Sequence[str]]

    def __post_init__(self) -> None:
        lengths = {len(self.rows), len(self.reasons), len(self.remarks)}
        if self.rows.ndim != 2 or len(lengths) != 1:
            raise ValueError("the numbers of rows, reasons and remarks differ")

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True, slots=True, eq=False)
class PicturePreparation:
    """Preparation of decoded pictures for a network, and the devices on which it is loaded.

    `mode` is the mode of the pictures for `prepare`; None keeps that of each file.
    """

    prepare: Callable[[Any], Any]
    pool: DevicePool[Batches]
    mode: str | None = "RGB"


def picture_features(
    chunk: PictureChunk,
    networks: Sequence[PicturePreparation],
    check: Check,
    *,
    arrays: bool = False,
) -> list[PictureFeatures]:
    """Decode each picture of a chunk once, then run every network on its next free device.

    `arrays` reads arrays in files `.npy` as pictures, too, for a single network.
    """
    import torch

    prepared: list[list[Any]] = [[] for _ in networks]
    reasons, remarks = [], []
    for path, content in chunk.sources():
        check()
        try:
            images, remarked = _decode(path, content, networks, arrays)
            for inputs, network, image in zip(prepared, networks, images, strict=True):
                inputs.append(network.prepare(image))
            reasons.append("")
            remarks.append(list(remarked))
        except PictureError as fault:
            reasons.append(str(fault))
            remarks.append([])
    found = []
    for inputs, network in zip(prepared, networks, strict=True):
        rows = np.zeros((len(chunk), 0), np.float32)
        if inputs:
            with network.pool.acquire() as batches:
                features = batches.rows(torch.from_numpy(np.stack(inputs)), check=check).numpy()
            rows = np.zeros((len(chunk), features.shape[1]), np.float32)
            rows[[not reason for reason in reasons]] = features
        found.append(PictureFeatures(rows, reasons, remarks))
    return found


def _decode(
    path: Path, content: bytes | None, networks: Sequence[PicturePreparation], arrays: bool
) -> tuple[list[Any], Sequence[str]]:
    """Return the decoded picture in the mode of each network, and the remarks on it."""
    modes = {network.mode for network in networks}
    shared = modes.pop() if len(modes) == 1 else None
    picture = open_picture(path, mode=shared, content=content, arrays=arrays)
    if shared is not None or not modes:
        return [picture.image] * len(networks), picture.remarks
    try:
        by_mode: dict[str | None, Any] = {
            mode: picture.image.convert(mode) if mode else picture.image for mode in modes
        }
    except (OSError, ValueError) as fault:
        raise PictureError(fill("is damaged: {reason}", str(fault))) from fault
    return [by_mode[network.mode] for network in networks], picture.remarks
